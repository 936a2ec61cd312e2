/** The forms of `status --json` and `doctor --json`. */
import { z } from 'zod'
import {
  CERTIFICATE_NAMES,
  count,
  date,
  error,
  headline,
  instant,
  money,
  object,
  optional,
  text,
} from './words.ts'

const pack = object({
  ...{ runId: text, from: date, to: date, certificate: CERTIFICATE_NAMES },
  ...{ publishedAt: instant, ageSeconds: count },
})

const lastRun = object({
  ...{ runId: text, from: date, to: date, recordedAt: instant, headline },
  isPublished: z.boolean(),
})

const sweep = object({
  ...{ list: text, certificate: CERTIFICATE_NAMES, endedAt: instant, pages: count },
  ...{ records: count, requests: count, throttled: count, quarantined: count, ageSeconds: count },
})

const imported = object({
  ...{ list: text, exportedAt: instant, records: count, quarantined: count, ageSeconds: count },
})

/** The keys from `running` on are null if Temporal was not reached. */
const account = object({
  ...{ account: text, currency: text, timezone: text, nightsMissing: z.array(date) },
  ...{ quarantined: count, pack: pack.nullable(), lastRun: lastRun.nullable() },
  ...{ sweeps: z.array(sweep), imports: z.array(imported) },
  ...{ unexplained: money.nullable(), unexplainedShort: money.nullable() },
  ...{ unexplainedOver: money.nullable(), olderOpen: count.nullable() },
  olderAmount: money.nullable(),
  exceptions: z.array(object({ code: text, severity: text, open: count, amount: money })),
  running: z.array(object({ workflowId: text, startedAt: instant, progress: text })).nullable(),
  lastEnded: object({
    ...{ workflowId: text, endedAt: instant.nullable(), status: text, failure: optional(text) },
  }).nullable(),
  schedule: object({ paused: z.boolean(), nextRun: instant.nullable() }).nullable(),
})

export const status = object({
  accounts: z.array(account),
  lake: z
    .union([
      object({ landingSeq: count, snapshots: count, files: count, bytes: count }),
      object({ error }),
    ])
    .nullable(),
  temporal: object({
    ...{ reached: z.boolean(), address: optional(text), namespace: optional(text) },
    ...{ why: optional(text), exit: optional(count) },
  }),
})

const check = object({
  ...{ name: text, ok: z.boolean(), found: text, exit: count, error: optional(error) },
})

const httpStatus = count.describe('the status of an HTTP answer')

const listSurvey = object({
  ...{ status: httpStatus, defaultLimit: count.nullable(), largestPage: count, askedFor: count },
  ...{ refusedLimits: z.array(count), hasMore: z.boolean(), sortedBy: z.array(text) },
  terminalId: z.enum(['heeded', 'not heeded', 'refused']).nullable(),
  ...{ unreadable: count, unknownNames: z.array(text) },
})

const source = object({
  ...{ account: text, requests: count, throttled: count },
  lists: object({ terminals: listSurvey, settlements: listSurvey, transactions: listSurvey }),
  ...{ singleTerminal: httpStatus.nullable(), unknownParameter: httpStatus.nullable() },
  ...{ unknownTerminal: httpStatus.nullable(), version: text.nullable() },
  ...{ rateHeaders: z.array(text), announcedPerSecond: z.number().nullable() },
  clockAhead_s: count.nullable(),
  settledFlag: object({
    turnsWhen: z.enum(['created', 'complete', 'unknown']),
    ...{ seenTurning: count, provenSettlements: count },
  }),
})

const versions = object({
  ...{ tieout: text, node: text, duckdb: text, temporalSdk: text },
  duckdbExtensions: z.record(z.string(), text),
  temporalServer: optional(text),
})

const sources = z.array(source)
export const doctor = object({ checks: z.array(check), sources: optional(sources), versions })
export const doctorSource = object({ checks: z.array(check), sources, versions })
