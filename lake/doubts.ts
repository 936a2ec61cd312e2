/** Why a terminal is unsealed: what landed of its past, and where a model says something else of it than when it was sealed. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { type IsFilled, withoutEmpty } from './filled.ts'
import { BETWEEN_GAPS, CANCELS, KNOWN, LONGEST_LAG, NEAR_SHIFT, SEAL } from './seal.ts'

/** Each range is a condition that is asked of rows; files hold so many ids or more. */
const MOST_RANGES = 16
const LEAST_STEP = 100_000

/** What came after the seal, of any table with the number of its landing. */
const SINCE = `account = getvariable('account') and landing_seq > getvariable('sealed_known_at') and landing_seq <= getvariable('known_at')`

/** Of which transactions something came since the seal, by what it is. */
export const ABOUT: Record<string, string> = {
  versions: `select transaction_id from lake.seen.transaction_version where ${SINCE}`,
  presence: `select subject_id from lake.seen.presence where list = 'transactions' and ${SINCE}`,
  decisions: `
    select try_cast(subject as bigint) from lake.ops.audit
    where account = getvariable('account') and action in ('transaction.attribute', 'transaction.release')
      and seq > getvariable('sealed_audit_seq') and seq <= getvariable('audit_seq')`,
}

/** Which terminals something came of since the seal that is about their transactions of before, too. */
export const TOLD: Record<string, string> = {
  terminals: `select terminal_id from lake.seen.terminal_version where ${SINCE}`,
  refusals: `select terminal_id from lake.seen.refusal where ${SINCE}`,
}

/** Ids from one to another one. */
type Range = readonly [from: string, to: string]

/** Ranges with the ids of all transactions of which something came since the seal, apart where most lies between: files that hold none are not opened. */
export async function rangesAbout(
  connection: DuckDBConnection,
  isFilled: IsFilled = () => true,
): Promise<Range[]> {
  // The sum runs on through its rows; a count under a condition would go through those before, for each.
  const reader = await connection.runAndReadAll(
    `with about (id) as (${withoutEmpty(Object.values(ABOUT).join(' union '), isFilled)}),
     stepped as (select id, id - lag(id) over (order by id) as step from about where id is not null),
     parted as (select id, coalesce(step > ${LEAST_STEP} and row_number() over (order by step desc nulls last) < ${MOST_RANGES}, false) as is_far from stepped),
     ranged as (select id, sum(is_far::integer) over (order by id rows unbounded preceding) as range from parted)
     select min(id)::varchar, max(id)::varchar from ranged group by range`,
  )
  return reader.getRows().map(([from, to]) => [String(from), String(to)])
}

/** The sealed terminals that have to be unsealed before anything runs. */
export const landed = (ranges: readonly Range[]) => `
  select terminal_id from near_sealed_terminal semi join (
    select terminal_id ${KNOWN}
      and (${ranges.map(([from, to]) => `transaction_id between ${from} and ${to}`).join(' or ') || 'false'})
      and least(created, last_modified) < ${SEAL.frozen_until} and transaction_id in (${Object.values(ABOUT).join(' union ')})
    ${Object.values(TOLD)
      .map((told) => `union ${told}`)
      .join(' ')}) using (terminal_id)`

/** What an earlier model said of sealed terminals, and this run's says otherwise, by the model after which it is asked. */
export const DOUBTS: Record<string, string> = {
  sweep: `
    select terminal_id from sealed_terminal
    where terminal_id not in (select terminal_id from current_terminal where is_listed) and exists (from sweep where list = 'terminals')`,
  settled_event: `
    select null::bigint as terminal_id
    where (select event from settled_event where is_learned) is distinct from getvariable('sealed_event')`,
  // A terminal has a second clock if that ever differs from the first.
  clocked_transaction: `
    (select clock, terminal_id from night_track except select clock, terminal_id from sealed_opening)
    union all (select clock, terminal_id from sealed_opening except select clock, terminal_id from night_track)
    -- Where nothing came after the last place, the first one that does ends what that one stood for.
    union all
    select last.clock, last.terminal_id
    from (
      select clock, terminal_id, bool_and(next_at is null) as is_open
      from sealed_kept_place as last semi join sealed_opening using (clock, terminal_id, position) group by clock, terminal_id) as last
    inner join (
      select clock::varchar as clock, terminal_id, max(clock_at) as last_at from clocked_transaction group by clock, terminal_id) as now using (clock, terminal_id)
    where last.is_open and now.last_at >= ${SEAL.read_from}`,
  // What named an unknown settlement leaves the order of time when that becomes known.
  settled_transaction: `
    with unsettled as materialized (
      select transaction_id from current_transaction
      anti join (from settled_transaction where created < ${SEAL.read_from}) as in_order using (transaction_id)
      where created < ${SEAL.read_from}),
    bounds as (select min(transaction_id) as first_id, max(transaction_id) as last_id from unsettled)
    select kept.terminal_id from sealed_kept_place as kept
    inner join bounds on kept.transaction_id between first_id and last_id semi join unsettled using (transaction_id)`,
  settlement_sequence: `
    select coalesce(now.terminal_id, before.terminal_id) as terminal_id
    from (select * from settlement_sequence semi join sealed_terminal using (terminal_id) where created < ${SEAL.settled_at}) as now
    full join sealed_settlement as before using (settlement_id)
    where now.terminal_id is distinct from before.terminal_id or now.ordinal is distinct from before.ordinal
      or now.running_cents is distinct from before.sought_cents`,
  settlement_version: `
    select terminal_id from settlement_version semi join sealed_terminal using (terminal_id)
    where created >= ${SEAL.settled_at} and observed_at < ${SEAL.settled_at}`,
  usual_lag: `
    select terminal_id from usual_lag semi join sealed_terminal using (terminal_id) where abs(lag_s) > epoch(${LONGEST_LAG})`,
  // What stands alone may win where the end of a run has come to lie too far from the usual lag.
  cutoff_choice: `
    select island.terminal_id
    from island semi join (
        select clock_word (clock) as clock, settlement_id from sealed_kept_candidate where is_lean) as lean using (clock, settlement_id)
    left join usual_lag using (clock, terminal_id)
    group by clock, settlement_id, island.terminal_id
    having max(cutoff_weight (agreeing (run_length, from_end), cutoff_strays (lag_low_s, lag_high_s, lag_s), spread_s)) <= 0`,
  first_boundary: `
    select before.terminal_id from sealed_settlement as before left join first_boundary as now using (settlement_id)
    where now.clock::varchar is distinct from before.clock or now.previous_position is distinct from before.previous_position
      or now.position is distinct from before.position or now.running_cents is distinct from before.cut_cents`,
  // What lies between two differences within nine days may be asked for.
  gap: `
    select terminal_id from sealed_settlement inner join (${BETWEEN_GAPS}) as between_gaps using (settlement_id)
    where is_quiet and gap_after - gap_before <= interval 9 days`,
  // The rivals of a shift whose certificate is shown are looked for among what is around it.
  shift: `
    select before.terminal_id
    from sealed_settlement as before inner join known_settlement using (settlement_id)
    inner join (${NEAR_SHIFT}) as near_shift on near_shift.terminal_id = before.terminal_id
      and (before.ordinal between first_ordinal and last_ordinal or created between from_at and until_at)
    where before.is_quiet`,
  boundary: `
    select before.terminal_id from sealed_settlement as before left join boundary as now using (settlement_id)
    where coalesce(abs(epoch(now.cut_instant) - epoch(before.cut_instant)) > epoch(interval 5 days), now.cut_instant is not null or before.cut_instant is not null)`,
  computed_net: `
    select before.terminal_id from sealed_settlement as before left join computed_net as now using (settlement_id)
    where before.is_quiet and now.verdict is distinct from 'TIED'
    union all
    select told.terminal_id from sealed_kept_explanation as told left join computed_net as now using (settlement_id)
    where now.verdict is distinct from 'BREAK' or now.difference_cents is distinct from told.difference_cents`,
  // A transaction of the wrong terminal explains both differences, or neither.
  explanation: `
    select told.terminal_id from sealed_kept_explanation as told inner join computed_net as other on ${CANCELS}
    where other.verdict = 'BREAK'`,
  // What a finding names is read: it may be asked for its card, or by the run after this one.
  finding: `
    select terminal_id
    from (
      select terminal_id, subject_id::bigint as transaction_id from finding
      where subject_type = 'transaction' and terminal_id in (select terminal_id from sealed_terminal)
        and code in ('DUPLICATE_CHARGE', 'REFUND_CEILING_BREACH'))
    anti join current_transaction using (transaction_id)`,
}
