/** What a command says: results on stdout, everything else on stderr; one live line where a person watches. */
export interface Terminal {
  /** A line of the result. */
  print(line: string): void
  /** A line about the way there. */
  say(line: string): void
  /** The live line, replaced by the next one; off a terminal it is said at most every few seconds. */
  live(line: string): void
}

const PLAIN_EVERY_MS = 5_000

/** Whoever read along has left, such as `head` or a lost connection: the work goes on, and the exit code tells of it. */
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
