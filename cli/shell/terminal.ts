/**
 * The output of a command: results on stdout, all else on stderr, and one live line on a terminal.
 */
import { Failure } from '../../domain/failure.ts'
import { reasonOf } from '../../domain/reason.ts'

export interface Terminal {
  /** Prints a line of the result. */
  print(line: string): void
  /** Prints a line about progress. */
  say(line: string): void
  /** Replaces the live line; '' ends it. Without a terminal it prints a line every few seconds at most. */
  live(line: string): void
  /**
   * Names the work under way. A terminal shows it with the time if nothing is written for a while. The first call shows
   * it at once on a slow machine, because no timer runs while the libraries of a command are loaded.
   */
  wait(doing: string): void
}

/** The terminal of the process itself. */
export interface OwnTerminal extends Terminal {
  /** Waits until the result is written. Throws `config_invalid` if stdout takes no more, such as a full disk. */
  written(): Promise<void>
}

const PLAIN_EVERY_MS = 5_000
/** A terminal shows after this time that a command has begun. */
const FIRST_SIGN_MS = 250
/** A program that needed so long until it knows its command also loads its libraries slowly. */
const SLOW_START_MS = 120
/** A line that nothing replaces is drawn again after this time, so that a person sees the command go on. */
const SIGN_MS = 1_500
const LOOK_MS = 100
/** The work of a command that has named none. */
export const BEGUN = 'working'

/** The streams of a process, and the time from its start. */
export interface Screen {
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  elapsed_ms: () => number
}

const ownScreen = (): Screen => ({
  stdout: process.stdout,
  stderr: process.stderr,
  elapsed_ms: () => process.uptime() * 1000,
})

/** The first failure of each stream, other than that of a reader that left. */
const failures = new WeakMap<NodeJS.WriteStream, Error>()

/**
 * Continues after the reader of a stream has left, such as `head` or a lost connection; only the
 * exit code reports the result then.
 */
function outliveReader(stream: NodeJS.WriteStream): void {
  if (stream.listeners('error').includes(unlessLeft)) return
  stream.on('error', unlessLeft)
}

function unlessLeft(this: NodeJS.WriteStream, error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && !failures.has(this)) failures.set(this, error)
}

/** A pipe takes 64 KiB at once. The rest waits in this process until the reader has room for it. */
async function emptied(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength > 0 && !stream.destroyed) {
    await new Promise((done) => stream.write('', done))
  }
  // Node reports the error of a file after the write that failed.
  await new Promise((done) => setImmediate(done))
}

async function written({ stdout, stderr }: Pick<Screen, 'stdout' | 'stderr'>): Promise<void> {
  for (const stream of [stdout, stderr]) await emptied(stream)
  const failed = failures.get(stdout)
  if (failed === undefined) return
  throw new Failure('config_invalid', `stdout can't be written: ${reasonOf(failed)}`, {
    remedy: 'make room for the result, then run the same command again',
  })
}

export function openTerminal({ stdout, stderr, elapsed_ms }: Screen = ownScreen()): OwnTerminal {
  const isLive = stderr.isTTY && process.env['TERM'] !== 'dumb'
  let shown = ''
  let plainAt_ms = 0
  /** The newest text of the live line, which is drawn again with the time while nothing else is written. */
  let waiting = BEGUN
  let drawnAt_ms = 0
  for (const stream of [stdout, stderr]) outliveReader(stream)
  const clear = () => {
    if (shown !== '') stderr.write('\r\u001b[K')
    shown = ''
    waiting = ''
  }
  const draw = (line: string) => {
    clear()
    waiting = line
    drawnAt_ms = elapsed_ms()
  }
  const drawTime = () => {
    const wait_ms = drawnAt_ms === 0 ? FIRST_SIGN_MS : SIGN_MS
    if (waiting !== '' && elapsed_ms() - drawnAt_ms >= wait_ms) drawSign()
  }
  const drawSign = () => {
    const line = waiting
    draw(line)
    shown = `${line} (${Math.floor(elapsed_ms() / 1000)} s)`.slice(0, (stderr.columns || 80) - 1)
    stderr.write(shown)
  }
  // Ends with the process, and does not keep it alive.
  if (isLive) setInterval(drawTime, LOOK_MS).unref()
  return {
    written: () => written({ stdout, stderr }),
    print: (line) => {
      clear()
      stdout.write(`${line}\n`)
    },
    say: (line) => {
      clear()
      stderr.write(`${line}\n`)
    },
    wait: (doing) => {
      if (waiting === '') {
        waiting = doing
        drawnAt_ms = elapsed_ms()
      } else if (isLive && drawnAt_ms === 0 && elapsed_ms() >= SLOW_START_MS) drawSign()
    },
    live: (line) => {
      if (isLive) {
        draw(line)
        shown = line.slice(0, (stderr.columns || 80) - 1)
        stderr.write(shown)
      } else if (line !== '' && line !== shown && Date.now() - plainAt_ms > PLAIN_EVERY_MS) {
        plainAt_ms = Date.now()
        stderr.write(`${line}\n`)
      }
    },
  }
}
