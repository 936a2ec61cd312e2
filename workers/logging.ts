/** The runtime's log: JSON lines on stderr, without payloads, tokens or stacks. */
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker'
import pino from 'pino'

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const
type Level = (typeof LEVELS)[number]

let installed = false

/** Installs the runtime once per process; must come before any connection. TIEOUT_LOG_LEVEL names the least level. */
export function installRuntime(): void {
  if (installed) return
  installed = true
  const wanted = process.env['TIEOUT_LOG_LEVEL']
  const level: Level = LEVELS.find((name) => name === wanted) ?? 'error'
  const log = pino({ level, base: null }, pino.destination({ dest: 2, sync: true }))
  Runtime.install({
    // Signals are the command line's: it ends the work first and the server after it.
    shutdownSignals: [],
    logger: new DefaultLogger(level === 'trace' ? 'TRACE' : 'DEBUG', (entry) => {
      const { meta } = entry
      log[levelOf(entry.level)]({
        workflowId: meta?.['workflowId'],
        activityType: meta?.['activityType'],
        attempt: meta?.['attempt'],
        code: codeOf(meta?.['error']),
        msg: entry.message,
      })
    }),
    telemetryOptions: {
      logging: {
        forward: {},
        filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }),
      },
    },
  })
}

const levelOf = (level: string): Level =>
  LEVELS.find((name) => name === level.toLowerCase()) ?? 'info'

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if ('type' in error && typeof error.type === 'string') return error.type
  return error instanceof Error ? error.name : undefined
}
