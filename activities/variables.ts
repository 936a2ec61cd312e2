/** What the models are told: the run, the knowledge it may use, the thresholds. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { createHash } from 'node:crypto'
import { dateIn, startOfDay } from '../domain/business-day.ts'
import { Failure } from '../domain/failure.ts'
import type { Run } from '../domain/run.ts'
import type { Settings } from '../domain/settings.ts'
import { auditHead, type AuditHead } from '../lake/audit.ts'
import { newestScan } from '../lake/exceptions.ts'
import type { Variables } from '../lake/models.ts'
import { atOneInstant } from '../lake/transact.ts'

export interface Knowledge {
  /** Landing sequence number. */
  known_at: bigint
  /** Instant of the last landing at or below it; empty for an empty lake. */
  known_time: string | null
  /** True when it is all that the lake holds. */
  is_newest: boolean
  /** What was decided about the books by then: the newest act of the audit trail. */
  audit: AuditHead
  /** The newest run that looked for exceptions by then. */
  exceptionScan: bigint
  /** The run that this one is compared with, empty for none; absent where it is still to be found. */
  previousRun?: string
}

/** Finds the landing number that a run may use: the newest, a given one, or the last before an instant. */
export async function knowledgeFor(
  connection: DuckDBConnection,
  account: string,
  knownAt: string | undefined,
): Promise<Knowledge> {
  const isNumber = knownAt !== undefined && /^\d{1,18}$/.test(knownAt)
  if (knownAt !== undefined && !isNumber && Number.isNaN(Date.parse(knownAt))) {
    throw new Failure('usage', `--known-at ${knownAt} is neither a landing number nor an instant`)
  }
  return atOneInstant(connection, async () => {
    const reader = await connection.runAndReadAll(
      `select coalesce(max(landing_seq), 0)::varchar, max(observed_at) filter (where account = $3)::varchar,
         coalesce(max(landing_seq), 0) = (select coalesce(max(landing_seq), 0) from lake.ops.landing)
       from lake.ops.landing
       where ($1 is null or landing_seq <= $1::bigint) and ($2 is null or observed_at <= $2::timestamp)`,
      [
        isNumber ? knownAt : null,
        knownAt === undefined || isNumber ? null : new Date(knownAt).toISOString().replace('Z', ''),
        account,
      ],
    )
    const [seq, time, isNewest] = reader.getRows()[0] ?? []
    return {
      known_at: BigInt(String(seq)),
      known_time: time === null || time === undefined ? null : String(time),
      is_newest: isNewest === true,
      audit: await auditHead(connection),
      exceptionScan: await newestScan(connection),
    }
  })
}

export function variablesFor(settings: Settings, run: Run, knowledge: Knowledge): Variables {
  const day = (date: string) => timestamp(startOfDay(settings.timezone, date))
  const as_of_ms = Date.parse(run.asOf)
  const text = (value: string) => ({ type: 'varchar', value })
  const count = (value: number) => ({ type: 'bigint', value: BigInt(value) })
  const upperBound = (value?: number) =>
    value === undefined ? { type: 'bigint', value: null } : count(value)
  return {
    account: text(run.account),
    from_date: { type: 'date', value: run.window.from },
    to_date: { type: 'date', value: run.window.to },
    window_from: { type: 'timestamp', value: day(run.window.from) },
    window_to: { type: 'timestamp', value: day(run.window.to) },
    as_of: { type: 'timestamp', value: timestamp(as_of_ms) },
    as_of_date: { type: 'date', value: dateIn(settings.timezone, as_of_ms) },
    known_at: { type: 'bigint', value: knowledge.known_at },
    audit_seq: { type: 'bigint', value: knowledge.audit.seq },
    exception_scan: { type: 'bigint', value: knowledge.exceptionScan },
    known_time: { type: 'timestamp', value: knowledge.known_time },
    previous_run: { type: 'varchar', value: knowledge.previousRun ?? null },
    timezone: text(settings.timezone),
    currency: text(settings.currency),
    pending_stale_days: count(settings.thresholds.pending_stale_days),
    unsettled_days: count(settings.thresholds.unsettled_days),
    cutoff_tolerance_hours: upperBound(settings.thresholds.cutoff_tolerance_hours),
  }
}

/** Every setting that can change a number, and its hash. */
export function parametersOf(settings: Settings): { text: string; configHash: string } {
  const text = JSON.stringify({
    account: settings.account,
    accounting: sorted(settings.accounting),
    bankHolidays: settings.bankHolidays,
    chartOfAccounts: sorted(settings.chartOfAccounts),
    csvProfile: settings.csvProfile,
    currency: settings.currency,
    thresholds: sorted({ ...settings.thresholds }),
    timezone: settings.timezone,
  })
  return { text, configHash: createHash('sha256').update(text).digest('hex') }
}

const sorted = (record: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))

const timestamp = (at_ms: number) =>
  new Date(at_ms).toISOString().replace('T', ' ').replace('Z', '')
