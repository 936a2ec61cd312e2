/** A person or the system ended the command: Ctrl-C, a service manager, a terminal that is closed. */
import { setMaxListeners } from 'node:events'

export class Interrupted extends Error {
  readonly exit: 130 | 143
  constructor(signal: NodeJS.Signals) {
    super(signal)
    this.name = 'Interrupted'
    this.exit = signal === 'SIGINT' ? 130 : 143
  }
}

const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const ANSWER =
  'interrupted; this command ends, and what was landed is kept (a second signal ends the process at once)'

/**
 * Listens from now until the process ends. The first signal is answered at once on stderr and sets the abort signal, with
 * an Interrupted as its reason; the second one ends the process, and its server ends with it.
 */
export function hearInterruptions(): AbortSignal {
  const gaveUp = new AbortController()
  // Each wait of a command listens, and that is no leak.
  setMaxListeners(0, gaveUp.signal)
  const hear = (name: NodeJS.Signals) => {
    if (gaveUp.signal.reason instanceof Interrupted) {
      // Native threads may keep the process from its end; the next signal then is the system's.
      for (const ending of ENDINGS) process.off(ending, hear)
      process.exit(gaveUp.signal.reason.exit)
    }
    // The live line of a person who watches is replaced.
    process.stderr.write(`${process.stderr.isTTY ? '\r\u001b[K' : ''}${ANSWER}\n`)
    gaveUp.abort(new Interrupted(name))
  }
  for (const ending of ENDINGS) process.on(ending, hear)
  return gaveUp.signal
}
