/**
 * The Temporal runtime of a process: its log as JSON lines on stderr, without payloads, tokens or
 * stacks; its metrics.
 */
import {
  DefaultLogger,
  makeTelemetryFilterString,
  Runtime,
  type LogEntry,
  type MetricsExporterConfig,
} from '@temporalio/worker'
import pino from 'pino'
import { metricsCollector } from './collector.ts'
import { codeOf, LOGGED } from './log-ids.ts'

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const
type Level = (typeof LEVELS)[number]

let installed = false

/**
 * Installs the runtime once per process, before any connection. TIEOUT_LOG_LEVEL names the least
 * level. `metrics` is the local address of the SDK's own metrics.
 */
export function installRuntime(metrics?: string): void {
  if (installed) return
  installed = true
  const wanted = process.env['TIEOUT_LOG_LEVEL']
  const level: Level = LEVELS.find((name) => name === wanted) ?? 'error'
  const log = pino({ level, base: null }, pino.destination({ dest: 2, sync: true }))
  const exporter = metricsExporter(metrics)
  Runtime.install({
    // The command line handles signals: it ends the work first and the server after it.
    shutdownSignals: [],
    logger: new DefaultLogger(level === 'trace' ? 'TRACE' : 'DEBUG', (entry) => {
      log[levelOf(entry.level)](lineOf(entry))
    }),
    telemetryOptions: {
      logging: {
        forward: {},
        filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }),
      },
      ...(exporter === undefined ? {} : { metrics: exporter }),
    },
  })
}

/**
 * Writes a worker's messages as log lines if its log has that level, else as plain text for a
 * person.
 */
export function logged(say: (line: string) => void): (line: string) => void {
  const wanted = process.env['TIEOUT_LOG_LEVEL']
  if (!['trace', 'debug', 'info'].some((name) => name === wanted)) return say
  return (line) =>
    say(JSON.stringify({ level: pino.levels.values['info'], time: Date.now(), msg: line }))
}

/** Takes only known fields of an entry, and only the code of an error. */
function lineOf({ meta = {}, message }: Pick<LogEntry, 'message' | 'meta'>): object {
  const ids = ['workflowId', 'activityType', 'attempt', ...LOGGED].flatMap((name) =>
    meta[name] === undefined ? [] : [[name, meta[name]] as const],
  )
  const code = codeOf(meta['error'])
  return { ...Object.fromEntries(ids), ...(code === undefined ? {} : { code }), msg: message }
}

/**
 * The OpenTelemetry collector of the usual variables, else a page of this process for Prometheus.
 */
function metricsExporter(page: string | undefined): MetricsExporterConfig | undefined {
  const collector = metricsCollector(process.env)
  if (collector !== undefined) {
    const { url, http, headers } = collector
    return {
      otel: { url, http, headers, metricsExportInterval: '15s', useSecondsForDurations: true },
    }
  }
  if (page === undefined) return undefined
  return {
    prometheus: {
      bindAddress: page,
      countersTotalSuffix: true,
      unitSuffix: true,
      useSecondsForDurations: true,
    },
  }
}

const levelOf = (level: string): Level =>
  LEVELS.find((name) => name === level.toLowerCase()) ?? 'info'
