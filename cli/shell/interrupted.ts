/**
 * An interruption of the command by a person or the system: Ctrl-C, a service manager, a closed
 * terminal.
 */
import { setMaxListeners } from 'node:events'

export class Interrupted extends Error {
  readonly exit: 130 | 143
  /** A command sets it if a worker of another process goes on with its run. */
  goesOn = false
  constructor(signal: NodeJS.Signals) {
    super(signal)
    this.name = 'Interrupted'
    this.exit = signal === 'SIGINT' ? 130 : 143
  }
}

/**
 * Returns a handler for errors, which throws them again. The last line of an interrupted command then says that a worker
 * goes on, if `isElsewhere` does.
 */
export const sayingIfElsewhere =
  (signal: AbortSignal, isElsewhere: () => boolean) =>
  (error: unknown): never => {
    if (signal.reason instanceof Interrupted) signal.reason.goesOn = isElsewhere()
    throw error
  }

const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const ANSWER = 'interrupted; this command is ending (a second signal ends the process at once)'

/**
 * Listens for signals until the process ends. The first one prints a line and aborts with an
 * Interrupted as the reason. The second one ends the process, and its server with it.
 */
export function listenForInterruptions(): AbortSignal {
  const controller = new AbortController()
  // Every wait of a command adds a listener, so many are no leak.
  setMaxListeners(0, controller.signal)
  const onSignal = (name: NodeJS.Signals) => {
    if (controller.signal.reason instanceof Interrupted) {
      // Native threads may delay the end; the system then handles the next signal.
      for (const ending of ENDINGS) process.off(ending, onSignal)
      process.exit(controller.signal.reason.exit)
    }
    // The message replaces the live line.
    process.stderr.write(`${process.stderr.isTTY ? '\r\u001b[K' : ''}${ANSWER}\n`)
    controller.abort(new Interrupted(name))
  }
  for (const ending of ENDINGS) process.on(ending, onSignal)
  return controller.signal
}
