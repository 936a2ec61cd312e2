/** Where a sweep of transactions may begin: what can still change is read again, what can't is not. */
import type { DuckDBConnection } from '@duckdb/node-api'

export interface SweepStart {
  /** Position in the list at which the earlier sweep saw `firstId`. */
  offset: number
  firstId: string
  /** Created of that record: the sweep covers what was created after it. */
  coversFrom: string
}

export interface StartRules {
  /** Items open for longer are read by whole sweeps only, or one eternal hold would make every night a whole one. */
  openDays: number
  /** What is newer than this is read again, open or not. */
  lookbackDays: number
  /** A whole sweep is due when the last one is older. */
  wholeEveryDays: number
}

export const START_RULES: StartRules = { openDays: 30, lookbackDays: 7, wholeEveryDays: 7 }

/**
 * The page of the last certified sweep from which everything lies that is open, new, or in a settlement that has changed
 * since. Undefined where the whole list is due: nothing is certified yet, the list did not rise in created, or the last
 * whole sweep is too old.
 */
export async function sweepStart(
  connection: DuckDBConnection,
  account: string,
  rules: StartRules = START_RULES,
): Promise<SweepStart | undefined> {
  const reader = await connection.runAndReadAll(
    `with
       last_sweep as (
         select sweep_id, landing_seq, ended_at from lake.ops.sweep
         where account = $1 and list = 'transactions' and certificate in ('SNAPSHOT', 'CONTIGUOUS')
         order by landing_seq desc limit 1),
       in_order as (
         select coalesce(bool_or(state ->> '$.sweep.orders.created.rises' = 'true'), false) as rises
         from lake.ops.landing
         where sweep_id = (select sweep_id from last_sweep) and landing_seq = (select landing_seq from last_sweep)),
       last_whole as (
         select max(ended_at) as ended_at from lake.ops.sweep
         where account = $1 and list = 'transactions' and certificate in ('SNAPSHOT', 'CONTIGUOUS') and covers_from is null),
       today as (select max(observed_at) as observed_at from lake.ops.landing where account = $1),
       newest as (
         select transaction_id, created, status, approved, settled from lake.seen.transaction_version
         where account = $1
         qualify row_number() over (partition by transaction_id order by landing_seq desc, ordinal desc) = 1),
       settlements as (
         select settlement_id, terminal_id, status, landing_seq, created,
           lag(created) over (partition by terminal_id order by created, settlement_id) as created_before
         from lake.seen.settlement_version
         where account = $1
         qualify row_number() over (partition by settlement_id order by landing_seq desc, ordinal desc) = 1),
       needed as (
         select min(created) as since from newest cross join today
         where (status = 'HOLD' or (approved and status = 'CAPTURE' and not coalesce(settled, false)))
           and created >= today.observed_at - to_days($2::integer)
         union all
         select min(coalesce(created_before, created)) - interval 1 day from settlements cross join today
         where (status <> 'COMPLETE' and created >= today.observed_at - to_days($2::integer))
           or landing_seq > (select landing_seq from last_sweep)
         union all
         select last_sweep.ended_at - to_days($3::integer) from last_sweep),
       cutoff as (select min(since) as since from needed),
       pages as (
         select page_offset, first_id, newest.created
         from lake.ops.landed_page
         inner join newest on newest.transaction_id = try_cast(first_id as bigint)
         where sweep_id = (select sweep_id from last_sweep) and page_offset > 0)
     select page_offset::varchar, first_id, created::varchar
     from pages cross join cutoff cross join in_order cross join last_whole cross join today
     where rises and created < cutoff.since
       and last_whole.ended_at > today.observed_at - to_days($4::integer)
     order by page_offset desc limit 1`,
    [account, rules.openDays, rules.lookbackDays, rules.wholeEveryDays],
  )
  const row = reader.getRows()[0]
  if (row === undefined) return undefined
  return { offset: Number(row[0]), firstId: String(row[1]), coversFrom: String(row[2]) }
}
