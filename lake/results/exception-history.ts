/**
 * The history of exceptions over all runs: when each appeared, changed and disappeared, and the decisions about it.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { AuditEntry } from '../decisions/audit-trail.ts'
import type { RunRecord } from './run-record.ts'
import { utc } from '../connection/sql-instant.ts'

/** Returns the number of the newest run that recorded exceptions, or 0 if there is none. */
export async function newestScan(connection: DuckDBConnection): Promise<bigint> {
  const reader = await connection.runAndReadAll(
    'select coalesce(max(scan_seq), 0)::varchar from lake.ops.exception_scan',
  )
  return BigInt(String(reader.getRows()[0]?.[0]))
}

/**
 * Stores the exceptions of a run, in the caller's transaction: those that are new, returned, changed, happened again
 * or gone since the run before.
 */
export async function recordExceptions(
  connection: DuckDBConnection,
  run: RunRecord,
): Promise<void> {
  const scan = (await newestScan(connection)) + 1n
  const asOf = utc(run.asOf)
  await connection.run(
    `insert into lake.ops.exception_seen
     select $1, exception_id, code, subject_type, subject_id, first_seen, $2, $3
     from exception
     where is_found
       and exception_id not in (select exception_id from lake.ops.exception_seen where account = $1 and known_at <= $2)`,
    [run.account, run.knownAt, run.runId],
  )
  await connection.run(
    `create or replace temp table last_event as
     select events.* exclude (scan_seq, account) from lake.ops.exception_event as events
     inner join lake.ops.exception_scan as scans using (scan_seq, account)
     where account = $1 and scans.known_at <= $2 and scans.as_of <= $3::timestamp
     qualify row_number() over (partition by exception_id order by scan_seq desc) = 1`,
    [run.account, run.knownAt, asOf],
  )
  await connection.run(
    `insert into lake.ops.exception_event
     select $1, $2, 'found', now.exception_id, now.code, now.severity, now.certainty, now.subject_type, now.subject_id,
       now.terminal_id, now.amount_cents, now.detail, now.subject_created, now.event_seq
     from exception as now left join last_event as last using (exception_id)
     where now.is_found and (last.event is distinct from 'found'
       or now.amount_cents is distinct from last.amount_cents or now.certainty is distinct from last.certainty
       or now.event_seq > last.event_seq)
     union all
     select $1, $2, 'gone', * exclude (event)
     from last_event anti join (select exception_id from exception where is_found) using (exception_id)
     where event = 'found'`,
    [scan, run.account],
  )
  await connection.run(
    'insert into lake.ops.exception_scan values ($1, $2, $3, $4, $5::timestamp, $6::timestamp, $7)',
    [scan, run.account, run.runId, run.knownAt, run.knownTime, asOf, run.auditSeq],
  )
}

/** The state of an exception in the newest run in which it appeared, changed or disappeared. */
export interface KnownException {
  exceptionId: string
  code: string
  subjectType: string
  subjectId: string
  amountCents: string | null
  /** The landing of its newest event. Null if the code records a state. */
  eventSeq: string | null
  /** The instant at which the service created the subject; null if that is unknown. */
  created_ms: number | null
  isFound: boolean
  /** Decisions up to this act were made before the exception returned. 0 if it never returned. */
  returnedAuditSeq: bigint
}

/** Returns undefined for an id that no run of the account found. */
export async function findException(
  connection: DuckDBConnection,
  { account, exceptionId }: { account: string; exceptionId: string },
): Promise<KnownException | undefined> {
  const reader = await connection.runAndReadAll(
    `with events as (
       select events.*, scans.audit_seq, lag(event) over (order by scan_seq) as event_before
       from lake.ops.exception_event as events
       inner join lake.ops.exception_scan as scans using (scan_seq, account)
       where account = $1 and exception_id = $2)
     select exception_id as "exceptionId", code, subject_type as "subjectType", subject_id as "subjectId",
       amount_cents::varchar as "amountCents", event_seq::varchar as "eventSeq", epoch_ms(subject_created)::double as created_ms,
       event = 'found' as "isFound",
       (select coalesce(max(audit_seq), 0)::varchar from events where event = 'found' and event_before = 'gone') as "returnedAuditSeq"
     from events order by scan_seq desc limit 1`,
    [account, exceptionId],
  )
  const [row] = reader.getRowObjectsJson() as unknown as (Omit<
    KnownException,
    'returnedAuditSeq'
  > & { returnedAuditSeq: string })[]
  return row && { ...row, returnedAuditSeq: BigInt(row.returnedAuditSeq) }
}

/** Returns the newest decision about an exception since it last returned, if there is one. */
export const decisionOn = (
  trail: readonly AuditEntry[],
  { account, exceptionId }: { account: string; exceptionId: string },
  { returnedAuditSeq }: KnownException,
): AuditEntry | undefined =>
  trail.findLast(
    (entry) =>
      entry.account === account &&
      entry.subject === exceptionId &&
      entry.action.startsWith('exception.') &&
      entry.seq > returnedAuditSeq,
  )
