/**
 * The ids in an activity's log lines: its account and run; and one line with the result at its end.
 */
import type { ActivityInterceptorsFactory } from '@temporalio/worker'

/**
 * The permitted fields of a line: our own ids and names, counts and fixed words. All else stays
 * out.
 */
const IDS = ['account', 'runId', 'list', 'pass'] as const
const COUNTS = [
  ...['records', 'newVersions', 'quarantined', 'requests', 'rows', 'done', 'certificate'],
  ...['knownAt', 'openErrors', 'openWarnings'],
]

/** The names of these fields in the log. */
export const LOGGED = ['account', 'run', 'list', 'pass', 'duration_ms', ...COUNTS] as const

/** Adds the ids of an activity's order to its log lines, and logs its end. */
export const logsIds: ActivityInterceptorsFactory = (context) => {
  let ids: Record<string, unknown> = {}
  return {
    inbound: {
      async execute(input, next) {
        ids = idsOf(input.args[0])
        const since_ms = performance.now()
        const result = await next(input)
        const duration_ms = Math.round(performance.now() - since_ms)
        context.log.info(`${context.info.activityType} ended`, {
          duration_ms,
          ...countsOf(result),
        })
        return result
      },
    },
    outbound: { getLogAttributes: (input, next) => next({ ...input, ...ids }) },
  }
}

/** The ids of an order. */
export function idsOf(order: unknown): Record<string, unknown> {
  const { request, ...own } = Object(order) as Record<string, unknown>
  const { runId, ...others } = picked({ ...Object(request), ...own }, IDS)
  return { ...others, ...(runId === undefined ? {} : { run: runId }) }
}

/** The counts of a result. */
export const countsOf = (result: unknown): Record<string, unknown> => picked(result, COUNTS)

/** The stable code of a failure, without its message. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if ('type' in error && typeof error.type === 'string') return error.type
  return error instanceof Error ? error.name : undefined
}

function picked(from: unknown, keys: readonly string[]): Record<string, unknown> {
  const found = Object.entries(Object(from) as object)
  return Object.fromEntries(
    found.filter(
      ([key, value]) =>
        keys.includes(key) && ['string', 'number', 'boolean'].includes(typeof value),
    ),
  )
}
