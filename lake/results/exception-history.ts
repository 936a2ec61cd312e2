/** What earlier runs found: each exception as it came, changed and went, and what was decided about it. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { AuditEntry } from '../decisions/audit-trail.ts'
import type { RunRecord } from './run-record.ts'
import { utc } from '../connection/sql-instant.ts'

/** The number of the newest run that looked for exceptions with all that was known then; 0 for none. */
export async function newestScan(connection: DuckDBConnection): Promise<bigint> {
  const reader = await connection.runAndReadAll(
    'select coalesce(max(scan_seq), 0)::varchar from lake.ops.exception_scan',
  )
  return BigInt(String(reader.getRows()[0]?.[0]))
}

/** Keeps what the models found, in the caller's transaction: what is new, back, changed or gone since the run before. */
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
       now.terminal_id, now.amount_cents, now.detail, now.subject_created
     from exception as now left join last_event as last using (exception_id)
     where now.is_found and (last.event is distinct from 'found'
       or now.amount_cents is distinct from last.amount_cents or now.certainty is distinct from last.certainty)
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

/** An exception as the newest run left it that found it, or no longer did. */
export interface KnownException {
  exceptionId: string
  code: string
  subjectType: string
  subjectId: string
  amountCents: string | null
  isFound: boolean
  /** Acts up to this one speak of the time before it came back; 0 if it never did. */
  returnedAuditSeq: bigint
}

/** Undefined for an id that no run of the account found. */
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
     select code, subject_type, subject_id, amount_cents::varchar as amount_cents, event,
       (select coalesce(max(audit_seq), 0)::varchar from events where event = 'found' and event_before = 'gone') as returned
     from events order by scan_seq desc limit 1`,
    [account, exceptionId],
  )
  const row = reader.getRowObjectsJson()[0]
  if (row === undefined) return undefined
  return {
    exceptionId,
    code: String(row['code']),
    subjectType: String(row['subject_type']),
    subjectId: String(row['subject_id']),
    amountCents: row['amount_cents'] === null ? null : String(row['amount_cents']),
    isFound: row['event'] === 'found',
    returnedAuditSeq: BigInt(String(row['returned'])),
  }
}

/** The newest decision about an exception since it last came back, if there is one. */
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
