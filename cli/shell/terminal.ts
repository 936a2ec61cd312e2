/**
 * The output of a command: results on stdout, all else on stderr, and one live line on a terminal.
 */
export interface Terminal {
  /** Prints a line of the result. */
  print(line: string): void
  /** Prints a line about progress. */
  say(line: string): void
  /** Replaces the live line. Without a terminal it prints a line every few seconds at most. */
  live(line: string): void
}

const PLAIN_EVERY_MS = 5_000

/**
 * Continues after the reader of a stream has left, such as `head` or a lost connection; only the
 * exit code reports the result then.
 */
function outliveReader(stream: NodeJS.WriteStream): void {
  if (stream.listeners('error').includes(unlessLeft)) return
  stream.on('error', unlessLeft)
}

function unlessLeft(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

export function openTerminal(): Terminal {
  const { stderr, stdout } = process
  const isLive = stderr.isTTY && process.env['TERM'] !== 'dumb'
  let shown = ''
  let plainAt_ms = 0
  for (const stream of [stdout, stderr]) outliveReader(stream)
  const clear = () => {
    if (shown !== '') stderr.write('\r\u001b[K')
    shown = ''
  }
  return {
    print: (line) => {
      clear()
      stdout.write(`${line}\n`)
    },
    say: (line) => {
      clear()
      stderr.write(`${line}\n`)
    },
    live: (line) => {
      if (isLive) {
        clear()
        shown = line.slice(0, (stderr.columns ?? 80) - 1)
        stderr.write(shown)
      } else if (line !== '' && line !== shown && Date.now() - plainAt_ms > PLAIN_EVERY_MS) {
        plainAt_ms = Date.now()
        stderr.write(`${line}\n`)
      }
    },
  }
}
