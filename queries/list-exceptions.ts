/** The exceptions that the newest run left, with what was decided since; and the history of one. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../domain/failure.ts'
import type { Settings } from '../domain/settings.ts'
import { ATTRIBUTIONS } from '../lake/results/attribution-rows.ts'
import { readTrail } from '../lake/decisions/audit-trail.ts'
import { macros } from '../lake/run/models.ts'
import { openLake } from '../lake/connection/open.ts'

/** What to list; what is not named does not matter. */
export interface ExceptionFilter {
  codes?: readonly string[]
  severity?: string
  states?: readonly string[]
  terminal?: string
  /** Exceptions about a settlement, or about a transaction that is in it. */
  settlement?: string
  assignee?: string
  /** Of either sign. */
  leastAmountCents?: bigint
  leastAgeDays?: number
  /** Found, or found again, since the newest run of an earlier business day. */
  isNew?: boolean
}

/** A row of exceptions.csv, as it stands after all that was decided since. */
export interface ListedException {
  exceptionId: string
  code: string
  severity: string
  certainty: string | null
  subjectType: string
  subjectId: string
  terminalId: string | null
  amount: string | null
  detail: string | null
  firstSeen: string
  lastSeen: string
  ageDays: number | null
  state: string
  stateBy: string | null
  stateReason: string | null
  assignee: string | null
}

export interface ExceptionEvent {
  at: string
  /** found, changed, gone, or assign, waive, resolve, reopen. */
  what: string
  by: string | null
  reason: string | null
  amount: string | null
}

/** Errors first, then by code and subject. Throws usage where no run has looked yet. */
export async function listExceptions(
  settings: Settings,
  filter: ExceptionFilter,
): Promise<ListedException[]> {
  return reading(settings, (connection) => listed(connection, settings, filter))
}

/** One exception as it stands, and everything that happened to it. Throws usage for an id that no run found. */
export async function showException(
  settings: Settings,
  exceptionId: string,
): Promise<{ exception: ListedException | undefined; history: ExceptionEvent[] }> {
  return reading(settings, async (connection) => {
    const history = await historyOf(connection, settings.account, exceptionId)
    const every_one = await listed(connection, settings, {})
    const exception = every_one.find((one) => one.exceptionId === exceptionId)
    if (exception !== undefined || history.length > 0) return { exception, history }
    throw new Failure('usage', `no run of ${settings.account} found an exception ${exceptionId}`, {
      remedy: 'take an id from tieout exceptions list',
    })
  })
}

/** What LISTED and the history of an exception use: the account's zone, and the macros. */
export async function prepareListing(
  connection: DuckDBConnection,
  { timezone }: Settings,
): Promise<void> {
  await connection.run('set variable timezone = $1::varchar', [timezone])
  await connection.run(macros())
}

async function reading<T>(
  settings: Settings,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const lake = await openLake(settings.lake, { create: false })
  try {
    const connection = await lake.connect()
    await prepareListing(connection, settings)
    return await work(connection)
  } finally {
    lake.close()
  }
}

/** What was decided before the run is in its rows already; what was decided since is laid over them. */
export const LISTED = `
  with decision as (
    select subject as "exceptionId", action, actor, seq, decided_reason(action, detail, reason) as reason,
      json_extract_string(detail, '$.to') as assignee
    from lake.ops.audit
    where account = getvariable('account') and starts_with(action, 'exception.')
    qualify row_number() over (partition by subject order by seq desc) = 1),
  stands as (
    select found.* replace (
      case when seq > getvariable('audit_seq') then decided_state(action) else state end as state,
      case when seq > getvariable('audit_seq') then actor else "stateBy" end as "stateBy",
      case when seq > getvariable('audit_seq') then decision.reason else "stateReason" end as "stateReason"),
      decision.assignee
    from lake.result.exceptions as found left join decision using ("exceptionId")
    where run_id = getvariable('run_id')),
  -- The run before is the newest one of an earlier business day.
  earlier as (
    select max(scan_seq) as scan_seq from lake.ops.exception_scan
    where account = getvariable('account') and business_date(as_of) < business_date(getvariable('as_of'))),
  since as (
    select exception_id from lake.ops.exception_event
    where account = getvariable('account') and event = 'found' and scan_seq > coalesce((select scan_seq from earlier), 0)
      and exception_id not in (
        select exception_id from lake.ops.exception_event
        where account = getvariable('account') and scan_seq <= coalesce((select scan_seq from earlier), 0)
        group by exception_id having arg_max(event, scan_seq) = 'found')),
  member as (
    select "transactionId"::varchar as "transactionId" from ${ATTRIBUTIONS}
    where run_id = getvariable('run_id') and "settlementId" = try_cast($6::varchar as bigint))
  select * exclude (run_id, row_no, account, assignee), case when state = 'ASSIGNED' then assignee end as assignee
  from stands
  where ($1::varchar is null or list_contains(string_split($1, ','), code))
    and ($2::varchar is null or severity = $2)
    and ($3::varchar is null or list_contains(string_split($3, ','), state))
    and ($4::varchar is null or "terminalId" = $4)
    and ($5::varchar is null or (state = 'ASSIGNED' and lower(assignee) = lower($5)))
    and ($6::varchar is null or case "subjectType"
      when 'settlement' then "subjectId" = $6
      when 'transaction' then "subjectId" in (select "transactionId" from member)
      else false end)
    and ($7::bigint is null or abs(replace(amount, '.', '')::bigint) >= $7)
    and ($8::bigint is null or "ageDays"::bigint >= $8)
    and (not $9::boolean or "exceptionId" in (select exception_id from since))
  order by row_no`

async function listed(
  connection: DuckDBConnection,
  settings: Settings,
  filter: ExceptionFilter,
): Promise<ListedException[]> {
  if (!(await atNewestRun(connection, settings))) {
    throw new Failure('usage', `no run of ${settings.account} has looked for exceptions yet`, {
      remedy: 'tieout run',
    })
  }
  const reader = await connection.runAndReadAll(LISTED, valuesOf(filter))
  const rows = reader.getRowObjectsJson() as unknown as (Omit<ListedException, 'ageDays'> & {
    ageDays: string | null
  })[]
  // Every cell of a stored run is text.
  return rows.map((row) => ({ ...row, ageDays: row.ageDays === null ? null : Number(row.ageDays) }))
}

/** Points LISTED at the newest run that looked for exceptions; false where none has yet. */
export async function atNewestRun(
  connection: DuckDBConnection,
  { account }: Settings,
): Promise<boolean> {
  const newest = await connection.runAndReadAll(
    `select run_id, audit_seq::varchar, as_of::varchar from lake.ops.exception_scan
     where account = $1 order by scan_seq desc limit 1`,
    [account],
  )
  const [runId, auditSeq, asOf] = newest.getRows()[0] ?? []
  if (runId === undefined) return false
  await connection.run('set variable account = $1::varchar', [account])
  await connection.run('set variable run_id = $1::varchar', [String(runId)])
  await connection.run('set variable audit_seq = $1::bigint', [String(auditSeq)])
  await connection.run('set variable as_of = $1::timestamp', [String(asOf)])
  return true
}

/** The parameters of LISTED. */
export const valuesOf = ({ codes, states, ...filter }: ExceptionFilter) => [
  ...[codes?.join(','), filter.severity, states?.join(',')].map((value) => value ?? null),
  ...[filter.terminal, filter.assignee, filter.settlement].map((value) => value ?? null),
  filter.leastAmountCents ?? null,
  filter.leastAgeDays ?? null,
  filter.isNew ?? false,
]

/** What runs found and what people decided, in the order in which it was written. */
async function historyOf(
  connection: DuckDBConnection,
  account: string,
  exceptionId: string,
): Promise<ExceptionEvent[]> {
  // Nobody may be shown an act that was changed.
  await readTrail(connection)
  const reader = await connection.runAndReadAll(
    `with found as (
       select scan_seq, audit_seq, known_time, amount_cents, event,
         lag(event) over (order by scan_seq) as event_before
       from lake.ops.exception_event inner join lake.ops.exception_scan using (scan_seq, account)
       where account = $1 and exception_id = $2)
     select * exclude (place, seq) from (
       select audit_seq as place, scan_seq as seq, instant(known_time) as at,
         case when event = 'gone' then 'gone' when event_before = 'found' then 'changed'
           when event_before = 'gone' then 'found again' else 'found' end as what,
         null::varchar as by, null::varchar as reason, money(amount_cents) as amount
       from found
       union all
       select seq, -1, acted_at, substr(action, length('exception.') + 1), actor,
         decided_reason(action, detail, reason), money(json_extract_string(detail, '$.amountCents')::bigint)
       from lake.ops.audit where account = $1 and subject = $2 and starts_with(action, 'exception.'))
     order by place, seq`,
    [account, exceptionId],
  )
  return reader.getRowObjectsJson() as unknown as ExceptionEvent[]
}
