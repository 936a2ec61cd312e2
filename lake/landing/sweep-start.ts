/** Where a sweep of transactions may begin: what can still change is read again, what can't is not. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { SweepRules } from '../../domain/settings.ts'
import { filledTables, type IsFilled, withoutEmpty } from '../connection/non-empty-tables.ts'
import { atOneInstant } from '../connection/transact.ts'
import { utc } from '../connection/sql-instant.ts'

/** The part of the list that is read. */
export type SweepPart =
  /** In a list to whose end new records come: from the place at which an earlier sweep saw `firstId`, created at `coversFrom`. */
  | { start: { offset: number; firstId: string; coversFrom: string } }
  /** In a list whose newest records come first: down to what was created before. */
  | { until: string }
  /** In a list that was never read so far back: what was created from then on, wherever that lies. */
  | { since: string }

export const START_RULES: SweepRules = { openDays: 30, lookbackDays: 7, wholeEveryDays: 7 }

/**
 * $1 account, $2 to $4 the rules in their order, $5 the terminal or null, $6 the schema version, $7 since when to read again
 * or null, $8 where the range begins that was asked for or null, $9 terminals that alone are kept, with commas between them, or null.
 */
const PART = `with
       kept as (
         select sweep_id, list(terminal_id) as terminals from lake.ops.limited_sweep
         where account = $1 group by sweep_id),
       -- Of all that is asked for now: one that kept fewer terminals proves nothing of the others.
       certified as (
         select sweep.sweep_id, landing_seq, ended_at, covers_from
         from lake.ops.sweep left join kept on kept.sweep_id = sweep.sweep_id
         where account = $1 and list = 'transactions' and certificate in ('SNAPSHOT', 'CONTIGUOUS')
           and terminal_id is not distinct from $5::bigint
           and (terminals is null or list_has_all(terminals, string_split($9, ',')::bigint[]))),
       last_sweep as (
         select sweep_id, landing_seq, ended_at from certified
         order by landing_seq desc limit 1),
       in_order as (
         select coalesce(bool_or((state ->> '$.sweep.orders.created.rises') = 'true'), false) as rises
         from lake.ops.landing
         where sweep_id = (select sweep_id from last_sweep) and landing_seq = (select landing_seq from last_sweep)),
       newest_settlement as (
         select settlement_id, terminal_id, status, landing_seq, created from lake.seen.settlement_version
         where account = $1 and ($5 is null or terminal_id = $5::bigint)
         qualify row_number() over (partition by settlement_id order by landing_seq desc, ordinal desc) = 1),
       -- How long before a settlement its cut-off may lie, as a run has learned it; a day where none has.
       judged_by as (
         select run_id from lake.ops.run where account = $1 order by known_at desc, run_id desc limit 1),
       learned as (
         select "terminalId"::bigint as terminal_id, max(greatest(24, "reach"::bigint)) as reach_hours
         from lake.result.evidence where run_id in (from judged_by) group by 1),
       settlements as (
         select *, lag(created) over in_time as created_before, lag(created, 2) over in_time as created_long_before,
           to_hours(coalesce(reach_hours, 24)) as reach
         from newest_settlement left join learned using (terminal_id)
         window in_time as (partition by terminal_id order by created, settlement_id)),
       -- A year before the range, for refunds; the settlement before each terminal's first one, whose end is the beginning of that.
       asked as (
         select least($8::timestamp - interval 12 months, (
           select min(coalesce(created_long_before, created_before - interval 1 day, created - interval 1 day) - reach)
           from (
             from settlements where created >= $8::timestamp
             qualify row_number() over (partition by terminal_id order by created, settlement_id) = 1))) as since
         where $8 is not null),
       -- The last sweep of all that is asked for: the whole list where no range is.
       last_whole as (
         select sweep_id, landing_seq, ended_at from certified
         where covers_from is null or covers_from < (select since from asked)
         order by landing_seq desc limit 1),
       -- Only such a sweep tells that the newest come first: one sorted by last change may look so for a while.
       newest_first as (
         select coalesce(bool_or(
             (state ->> '$.sweep.orders.created.falls') = 'true' and (state ->> '$.sweep.orders.created.rises') = 'false'), false) as falls
         from lake.ops.landing
         where sweep_id = (select sweep_id from last_whole) and landing_seq = (select landing_seq from last_whole)),
       today as (select max(observed_at) as observed_at from lake.ops.landing where account = $1),
       newest as (
         select transaction_id, created, status, approved, settled, landing_seq from lake.seen.transaction_version
         where account = $1 and ($5 is null or terminal_id = $5::bigint)
         qualify row_number() over (partition by transaction_id order by landing_seq desc, ordinal desc) = 1),
       quarantined as (
         select try_cast(subject_id as bigint) as id, created, landing_seq, schema_version from lake.seen.quarantine
         where account = $1 and list = 'transactions' and ($5 is null or coalesce(terminal_id, $5::bigint) = $5::bigint)
         qualify row_number() over (partition by subject_id order by landing_seq desc, ordinal desc) = 1),
       -- Read well by no sweep since.
       refused as (
         from quarantined
         where not exists (from newest where newest.transaction_id = quarantined.id and newest.landing_seq > quarantined.landing_seq)),
       judged as (
         select covers_from, landing_seq
         from certified inner join lake.ops.landing using (sweep_id, landing_seq)
         where (state ->> '$.schemaVersion')::integer = $6::integer),
       -- Refused by other rules than the present ones, and judged by none of these since.
       to_judge as (
         select created from refused
         where schema_version is distinct from $6::integer
           and not exists (
             from judged where judged.landing_seq > refused.landing_seq and (covers_from is null or covers_from < refused.created))),
       needed as (
         select min(created) - interval 1 second as since from to_judge
         union all
         -- The service may have mended it since.
         select min(created) - interval 1 second from refused cross join today
         where created >= today.observed_at - to_days($2::integer)
         union all
         select $7::timestamp
         union all
         select min(created) from newest cross join today
         where (status = 'HOLD' or (approved and status = 'CAPTURE' and not coalesce(settled, false)))
           and created >= today.observed_at - to_days($2::integer)
         union all
         select min(coalesce(created_before, created) - reach) from settlements cross join today
         where (status <> 'COMPLETE' and created >= today.observed_at - to_days($2::integer))
           or landing_seq > (select landing_seq from last_sweep)
         union all
         select last_sweep.ended_at - to_days($3::integer) from last_sweep),
       cutoff as (select min(since) as since from needed),
       -- The last sweep may have begun behind what is needed now; records lie where the whole one saw them, or nearly.
       pages as (
         select page_offset, first_id, newest.created, landed_page.landing_seq
         from lake.ops.landed_page
         inner join newest on newest.transaction_id = try_cast(first_id as bigint)
         where sweep_id in (from last_sweep select sweep_id union all from last_whole select sweep_id) and page_offset > 0),
     from_page as (
       select page_offset, first_id, pages.created
       from pages cross join cutoff cross join in_order
       where rises and pages.created < cutoff.since
       order by pages.created desc, pages.landing_seq desc, page_offset desc limit 1)
     select page_offset::varchar, first_id, from_page.created::varchar, case when falls then cutoff.since::varchar end, null
     from last_whole cross join today cross join cutoff cross join newest_first left join from_page on true
     where last_whole.ended_at > today.observed_at - to_days($4::integer)
       and not exists (from to_judge where created is null)
     union all
     -- From there on again, without a gap behind what was read last.
     select null, null, null, null, (least(asked.since, cutoff.since) - interval 1 second)::varchar
     from asked cross join cutoff left join last_whole on true left join today on true
     where coalesce(last_whole.ended_at <= today.observed_at - to_days($4::integer), true)
       and not exists (from to_judge where created is null)`

/**
 * The part of the list that holds everything that is open, new, in a settlement that has changed since the last
 * certified sweep, quarantined not long ago or by another version of the schemas, or created since the instant that is asked for. Undefined where the whole list is due: nothing is
 * certified yet, the list was in no order of created, the last whole sweep is too old, or nobody knows when a
 * quarantined record was created. Where the instant `from` is given, at which the range that a person asked for begins,
 * nothing is whole that this range doesn't need: a list that was not read so far back, or too long ago, is due from a year
 * before it on.
 */
export async function sweepStart(
  connection: DuckDBConnection,
  of: Asked,
  rules: SweepRules = START_RULES,
): Promise<SweepPart | undefined> {
  return atOneInstant(connection, async () => {
    const isFilled = await filledTables(connection)
    // To plan the question costs as much as some ten thousand records, and the first sweep of a list has no answer to it.
    const isFirst =
      of.from === undefined && !(isFilled('lake.ops.sweep') && (await hasCertified(connection, of)))
    return isFirst ? undefined : partOf(connection, { of, isFilled }, rules)
  })
}

interface Asked {
  account: string
  terminalId?: string | undefined
  /** Of what is read these terminals alone are kept; absent: all. */
  only?: readonly string[] | undefined
  schemaVersion: number
  since?: string | undefined
  from?: string | undefined
}

async function partOf(
  connection: DuckDBConnection,
  { of, isFilled }: { of: Asked; isFilled: IsFilled },
  rules: SweepRules,
): Promise<SweepPart | undefined> {
  const reader = await connection.runAndReadAll(withoutEmpty(PART, isFilled), [
    of.account,
    rules.openDays,
    rules.lookbackDays,
    rules.wholeEveryDays,
    of.terminalId ?? null,
    of.schemaVersion,
    of.since === undefined ? null : utc(of.since),
    of.from === undefined ? null : utc(of.from),
    of.only?.join(',') ?? null,
  ])
  const [offset, firstId, coversFrom, until, since] = reader.getRows()[0] ?? []
  if (typeof offset === 'string') {
    return {
      start: {
        offset: Number(offset),
        firstId: String(firstId),
        coversFrom: String(coversFrom),
      },
    }
  }
  if (typeof until === 'string') return { until }
  return typeof since === 'string' ? { since } : undefined
}

/** Whether the list was ever read with proof: nothing but a range that is asked for limits a sweep before that. */
async function hasCertified(
  connection: DuckDBConnection,
  { account, terminalId = null }: { account: string; terminalId?: string | null | undefined },
): Promise<boolean> {
  const reader = await connection.runAndReadAll(
    `select 1 from lake.ops.sweep
     where account = $1 and list = 'transactions' and certificate in ('SNAPSHOT', 'CONTIGUOUS')
       and terminal_id is not distinct from $2::bigint limit 1`,
    [account, terminalId],
  )
  return reader.currentRowCount > 0
}
