/**
 * What a run over everything leaves, so that the runs after it need not read its quiet past. A transaction is quiet if it is
 * old, in a COMPLETE settlement that ties, or never counts, and nothing speaks of it: sums stand for it. What is as old and not
 * quiet is kept with all its versions. What a later run does with it is said in night.ts.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { CEILING_COLUMNS, COVERED, IS_CHARGED, QUIET_COLUMNS, STRETCH } from './cards.ts'

/** The tables of a seal beside its own record, each of which has an account and rows of sealed terminals only. */
export const SEALED_TABLES = [
  'sealed_terminal',
  'sealed_settlement',
  'quiet_member',
  'quiet_day',
  'quiet_flip',
  'quiet_card',
  'quiet_refund',
  'quiet_charge',
  'quiet_cover',
  'quiet_attribution',
  'kept_version',
  'kept_place',
  'kept_candidate',
  'kept_explanation',
  'opening',
] as const

/** A settlement's cut-off lies this near to its usual place under any lag of a sealed terminal: longer than the tolerance by a day at least. */
export const LONGEST_LAG = `to_days((ceil(getvariable('cutoff_tolerance_hours') / 24) + 1)::integer)`

/** Instants of a seal, as SQL; `sealed_from` is that of the run that made it. */
export const SEAL = {
  /** Settlements created before are sealed. */
  settled_at: `getvariable('sealed_from')`,
  /** Transactions that happened from here on are read: no settlement that isn't sealed reaches back any further. */
  read_from: `(getvariable('sealed_from') - ${LONGEST_LAG})`,
  /** What lands late with an instant before this one may be asked for by a sealed settlement: the reach of the last one ends 72 hours after it, and a transaction follows within a long weekend. */
  frozen_until: `(getvariable('sealed_from') + interval 6 days)`,
} as const

/** Versions of the account that the run knows. */
export const KNOWN = `from lake.seen.transaction_version where account = getvariable('account') and landing_seq <= getvariable('known_at')`

/** A run tells from the sweeps of four weeks when transactions come to rest. */
const IN_FOUR_WEEKS = `between getvariable('as_of') - interval 28 days and getvariable('as_of')`

/**
 * When transactions come to rest, in days: a day more than the oldest was of which anything landed in four weeks, and eight at least;
 * two weeks at most, and where not half of the nights were swept. What changes before that is no news of a sealed past.
 */
const REST_DAYS = `(
  with landed as (
    select floor((epoch(observed_at) - epoch(least(created, last_modified))) / 86400)::integer as age_days ${KNOWN} and observed_at ${IN_FOUR_WEEKS}),
  swept as (
    select count(distinct ended_at::date) as nights from lake.ops.sweep
    where account = getvariable('account') and list = 'transactions' and certificate <> 'BEST_EFFORT'
      and landing_seq <= getvariable('known_at') and ended_at ${IN_FOUR_WEEKS})
  select case when (select nights from swept) < 14 then 14 else least(greatest(coalesce(max(age_days), 0) + 2, 8), 14) end
  from landed where age_days < 14)`

/** So long before the run's own instant that what lands late about the last days is about transactions that have come to rest. */
const SEALED_FROM = `(date_trunc('day', getvariable('as_of')) - to_days(${REST_DAYS} + 6))`

/** Under a longer one what a settlement may hold is too much to be sealed. */
const MOST_TOLERANCE_HOURS = 72

export interface SealTerms {
  runId: string
  account: string
  known_at: bigint
  fingerprint: string
}

/** Replaces the account's seal by that of a run whose models have just run over everything, in the caller's transaction. */
export async function keepSeal(connection: DuckDBConnection, terms: SealTerms): Promise<void> {
  await dropSeal(connection, terms.account)
  await connection.run(`set variable sealed_from = ${SEALED_FROM}`)
  const sealable = await connection.runAndReadAll(
    `select getvariable('cutoff_tolerance_hours') <= ${MOST_TOLERANCE_HOURS}`,
  )
  if (sealable.getRows()[0]?.[0] !== true) return
  for (const [name, rows] of Object.entries(FOUND)) {
    await connection.run(`create or replace temp table seal_${name} as ${rows}`)
  }
  for (const table of SEALED_TABLES) {
    await connection.run(
      `insert into lake.carried.${table} by name select $1 as account, kept.* from (${KEPT[table]}) as kept`,
      [terms.account],
    )
  }
  for (const name of Object.keys(FOUND)) await connection.run(`drop table seal_${name}`)
  await connection.run(
    `insert into lake.carried.seal by name
     select $1 as run_id, $2 as account, $3 as known_at, $4 as fingerprint, getvariable('audit_seq') as audit_seq,
       getvariable('as_of') as as_of, getvariable('window_from') as window_from, getvariable('sealed_from') as sealed_from,
       (select event from settled_event where is_learned) as learned_event,
       (select max(observed_at) from settlement_version where created < ${SEAL.settled_at}) as seen_until`,
    [terms.runId, terms.account, terms.known_at, terms.fingerprint],
  )
}

/** Forgets the account's seal, in the caller's transaction. */
export async function dropSeal(connection: DuckDBConnection, account: string): Promise<void> {
  const { rowsChanged } = await connection.run('delete from lake.carried.seal where account = $1', [
    account,
  ])
  // Without a seal there are no rows of one: both are written in one transaction.
  if (rowsChanged === 0) return
  for (const table of SEALED_TABLES) {
    await connection.run(`delete from lake.carried.${table} where account = $1`, [account])
  }
}

/**
 * By the shifts of a run: stretches of settlements that the rivals of one are looked for among, and more, where any of them has a
 * certificate that is shown.
 */
export const NEAR_SHIFT = `
  select near.*
  from (
    select any_value(terminal_id) as terminal_id, min(ordinal) - 12 as first_ordinal, max(ordinal) + 12 as last_ordinal,
      min(created) - interval 9 days as from_at, max(created) + interval 9 days as until_at
    from (select transaction_id, unnest([from_settlement_id, to_settlement_id, cut_settlement_id]) as settlement_id from shift)
    inner join known_settlement using (settlement_id) group by transaction_id) as near
  where exists (
    from known_settlement as shown
    where shown.terminal_id = near.terminal_id and shown.created >= getvariable('window_from')
      and (shown.ordinal between first_ordinal and last_ordinal + 1 or shown.created between from_at and until_at))`

/** Of each settlement, when the last difference before it was, and when the next one after it is. */
export const BETWEEN_GAPS = `
  select settlement_id, max(gap.created) over (in_order rows between unbounded preceding and 1 preceding) as gap_before,
    min(gap.created) over (in_order rows between 1 following and unbounded following) as gap_after
  from known_settlement left join gap using (settlement_id)
  window in_order as (partition by known_settlement.terminal_id order by known_settlement.ordinal)`

/** Whether an instant lies after the reach of the last settlement before the seal, and before what may still land. */
const FOLLOWS = (instant: string) =>
  `${instant} >= ${SEAL.settled_at} + interval 3 days and ${instant} < ${SEAL.frozen_until}`

/** Whether the difference of `other` is the opposite of that of `told`, on another terminal and so near that one transaction may account for both. */
export const CANCELS = `other.terminal_id <> told.terminal_id and other.difference_cents = -told.difference_cents
  and other.created between told.created - interval 3 days and told.created + interval 3 days`

/** What a seal is made of, each from tables of the models and from those before it. */
const FOUND = {
  /** Terminals about whose settlements before the seal nothing but a late record can tell anything new. */
  terminal: `
    select terminal_id from (select distinct terminal_id from current_settlement)
    where terminal_id in (
        select terminal_id from current_transaction where settled
        group by terminal_id having min(created) < ${SEAL.read_from} and bool_or(${FOLLOWS('created')}))
      -- Arithmetic has to place nothing of it, or all that it has is long ago, or what follows the last settlement before the seal is there.
      and terminal_id not in (
        select terminal_id from clocked_transaction group by clock, terminal_id
        having min(clock_at) >= ${SEAL.read_from} or (max(clock_at) >= ${SEAL.read_from} and not bool_or(${FOLLOWS('clock_at')})))
      and terminal_id not in (select terminal_id from usual_lag where abs(lag_s) > epoch(${LONGEST_LAG}))
      and terminal_id not in (select terminal_id from current_refusal where terminal_id is not null)
      and (terminal_id in (select terminal_id from current_terminal where is_listed) or not exists (from sweep where list = 'terminals'))
      and terminal_id not in (
        select terminal_id from settlement_version where created >= ${SEAL.settled_at} and observed_at < ${SEAL.settled_at}
        union select terminal_id from known_settlement where created < ${SEAL.settled_at} and status <> 'COMPLETE')`,

  near_shift: NEAR_SHIFT,

  /** Settlements before the seal. A terminal's last twelve of all, and those of its last nine days, are near enough to what comes to be asked for. */
  settlement: `
    select near.* exclude (next_created), near.created >= getvariable('window_from') or coalesce(next_created >= getvariable('window_from'), true) as is_shown,
      coalesce(tieout.verdict = 'TIED' and tieout.status = 'COMPLETE', false)
        and not has_gap and coalesce(gap_after - gap_before > interval 9 days, true)
        and ordinal <= last_ordinal - 12 and near.created < last_created - interval 9 days
        and settlement_id not in (
          select settlement_id from known_settlement inner join seal_near_shift on seal_near_shift.terminal_id = known_settlement.terminal_id
            and (ordinal between first_ordinal and last_ordinal or created between from_at and until_at))
        and settlement_id not in (select from_settlement_id from shift union select to_settlement_id from shift)
        and settlement_id not in (select settlement_id from seen_elsewhere)
        -- What is open by what was seen, single transactions tell.
        and not coalesce(tieout.method = 'OBSERVED' and tieout.certificate = 'AMBIGUOUS', false)
        -- Not every shift cuts anew.
        and settlement_id not in (select cut_settlement_id from shift where cut_settlement_id is not null) as is_quiet,
      -- A difference with no other one within reach of a shift, nor any that could still come: nobody asks where else it may end.
      has_gap and not is_shown and near.created < ${SEAL.settled_at} - interval 9 days
        and coalesce(gap_before < near.created - interval 9 days, true) and coalesce(gap_after > near.created + interval 9 days, true)
        and settlement_id not in (
          select settlement_id from (select unnest([from_settlement_id, to_settlement_id, cut_settlement_id]) as settlement_id from shift)
          where settlement_id is not null) as is_lone
    from (
      select known_settlement.settlement_id, known_settlement.terminal_id, known_settlement.ordinal, known_settlement.created,
        gap.settlement_id is not null as has_gap,
        gap_before, gap_after, lead(known_settlement.created) over in_order as next_created,
        max(known_settlement.ordinal) over (partition by known_settlement.terminal_id) as last_ordinal,
        max(known_settlement.created) over (partition by known_settlement.terminal_id) as last_created
      from known_settlement semi join seal_terminal using (terminal_id) left join gap using (settlement_id)
      inner join (${BETWEEN_GAPS}) as between_gaps using (settlement_id)
      window in_order as (partition by known_settlement.terminal_id order by known_settlement.ordinal)) as near
    left join tieout using (settlement_id)
    where near.created < ${SEAL.settled_at}`,

  /**
   * Differences of which nothing new can be said: what explains them is kept, and their transactions are as quiet as those of a
   * settlement that ties. Of two that cancel, on two terminals, each may come to explain the other.
   */
  told: `
    select told.terminal_id, told.settlement_id, told.created, told.difference_cents, code, blamed, sets, candidates
    from computed_net as told semi join (from seal_settlement where is_lone) as lone using (settlement_id)
    left join explanation using (settlement_id)
    where told.status = 'COMPLETE' and told.verdict = 'BREAK' and told.method <> 'MANUAL'
      and settlement_id not in (select settlement_id from seen_elsewhere)
      and not exists (from computed_net as other where other.verdict = 'BREAK' and ${CANCELS})`,

  /** Days on which something unsettled may explain a settlement that isn't quiet. */
  loud_day: `
    select distinct terminal_id, unnest(range(epoch_us(from_at) // 86400000000, epoch_us(until_at) // 86400000000 + 1)) as day
    from (
      select known_settlement.terminal_id,
        least(lag(boundary.cut_instant) over in_order, lag(known_settlement.created) over in_order, known_settlement.created - interval 1 day) - interval 9 days as from_at,
        greatest(boundary.cut_instant, known_settlement.created) + interval 9 days as until_at,
        coalesce(seal_settlement.is_quiet, false) or settlement_id in (select settlement_id from seal_told) as is_quiet
      from known_settlement semi join seal_terminal using (terminal_id)
      left join boundary using (settlement_id) left join seal_settlement using (settlement_id)
      window in_order as (partition by known_settlement.terminal_id order by known_settlement.ordinal)
      union all
      -- The settlement after the last one is not known yet.
      select terminal_id, max(created) - interval 9 days, ${SEAL.read_from}, false from known_settlement group by terminal_id)
    where not is_quiet`,

  /** Transactions of which something speaks, the first of all, and of each terminal one that tells that its clocks differ, and the last that was settled when it was first read. */
  spoken: `
    select try_cast(subject_id as bigint) as transaction_id from finding where subject_type = 'transaction'
    union select transaction_id from refund_at_risk
    union select transaction_id from manual_attribution
    union select transaction_id from transaction_change
    union select transaction_id from shift
    -- With one that settled late, the cut-off before it may be another one.
    union select transaction_id from late_member
    union select transaction_id from flip where settled_at >= ${SEAL.settled_at}
    union select subject_id from lake.seen.presence where account = getvariable('account') and list = 'transactions'
    union select try_cast(subject_id as bigint) from lake.seen.quarantine where account = getvariable('account') and list = 'transactions'
    union select transaction_id ${KNOWN} and transaction_id in (select transaction_id from repeated_transaction)
      group by transaction_id having max(created) >= ${SEAL.read_from} or count(distinct terminal_id) > 1 or count(terminal_id) < count(*)
    union select arg_min(transaction_id, created) ${KNOWN}
    union select arg_max(transaction_id, created) from settled_transaction where modified <> created group by terminal_id
    union select transaction_id from last_unseen`,

  /** All other transactions are quiet: far fewer rows, by which each table of the seal is told apart. */
  loud_transaction: `
    select transaction_id from current_transaction
    where created >= ${SEAL.read_from} or coalesce(terminal_id not in (select terminal_id from seal_terminal), true)
      or coalesce(action not in ('CHARGE', 'REFUND', 'VERIFY'), true) or coalesce(status not in ('CAPTURE', 'HOLD', 'VOID'), true)
      or vault_type not in ('CARD', 'ACH')
      or (settled and (action = 'VERIFY' or last_modified >= ${SEAL.read_from} or explicit_settlement_id not in (select settlement_id from current_settlement)))
    union all select transaction_id from seal_spoken where transaction_id is not null
    union all
    select settled_member.transaction_id from settled_member
    left join (select settlement_id, terminal_id from seal_settlement where is_quiet union all select settlement_id, terminal_id from seal_told) as quiet
      on quiet.settlement_id = settled_member.settlement_id and quiet.terminal_id = settled_member.terminal_id
    where quiet.settlement_id is null or method = 'MANUAL'
    -- By what was seen, a settlement may hold what is in another one.
    union all
    select transaction_id from learned_member anti join (from seal_settlement where is_quiet) as quiet using (settlement_id) where settlements > 1
    union all select transaction_id from placed_transaction where settled or place <> 'NONE' or voided_date is not null
    union all select transaction_id from settled_after semi join (from current_transaction where settled) using (transaction_id) where after_at >= ${SEAL.read_from}
    union all
    select transaction_id from current_transaction
    semi join seal_loud_day on seal_loud_day.terminal_id = current_transaction.terminal_id and seal_loud_day.day = epoch_us(current_transaction.created) // 86400000000
    where not settled`,

  /**
   * Settlements of which a candidate that agrees with a neighbour outweighs each that stands alone, so that none of these can win. Of a
   * cut-off at the end of its run that depends on the usual lag, and a night asks again.
   */
  strong: `
    select clock, settlement_id, max(from_end) = 0 as is_lean
    from island inner join (
        select settlement_id, is_quiet or is_lone as is_settled, max(ordinal) over (partition by terminal_id) as last_ordinal from seal_settlement
      ) as near using (settlement_id)
    left join usual_lag using (clock, terminal_id)
    where is_settled and ordinal <= last_ordinal - 2 and run_length >= 2
      and (from_end >= 1 or cutoff_strays (lag_low_s, lag_high_s, lag_s) <= 2 * coalesce(spread_s, 900))
    group by clock, settlement_id`,

  candidate: `
    select clock, settlement_id, terminal_id, ordinal, position, transactions_cents, offset_cents, clock_at, lag_low_s, lag_high_s, false as is_lean
    from candidate semi join seal_settlement using (settlement_id) anti join seal_strong using (clock, settlement_id)
    union all
    select clock, settlement_id, terminal_id, ordinal, position, transactions_cents, offset_cents, clock_at, lag_low_s, lag_high_s, is_lean
    from island inner join seal_strong using (clock, settlement_id) where run_length >= 2`,

  /** Places by which the pack tells how a settlement in the range was found, and what else would do: its cut-offs, the next place, and two hours around. */
  shown_place: `
    select boundary.clock, boundary.terminal_id, unnest([position, position + 1]) as position
    from boundary semi join (from seal_settlement where is_shown) using (settlement_id)
    union
    select clocked_transaction.clock, clocked_transaction.terminal_id, clocked_transaction.position
    from (
      select clock, terminal_id, cut_at, unnest(range(epoch_us(cut_at) // 7200000000 - 1, epoch_us(cut_at) // 7200000000 + 2)) as span
      from boundary semi join (from seal_settlement where is_shown) using (settlement_id) where cut_at is not null) as cut
    inner join clocked_transaction on clocked_transaction.clock = cut.clock and clocked_transaction.terminal_id = cut.terminal_id
      and epoch_us(clock_at) // 7200000000 = span and clock_at between cut_at - interval 2 hours and cut_at + interval 2 hours`,

  opening: `
    select clock, terminal_id, max(position) as position, arg_max(running_cents, position) as running_cents
    from clocked_transaction semi join seal_terminal using (terminal_id) where clock_at < ${SEAL.read_from} group by clock, terminal_id`,
} as const

const KEPT: Record<(typeof SEALED_TABLES)[number], string> = {
  sealed_terminal: 'from seal_terminal',
  sealed_settlement: `
    select seal_settlement.terminal_id, seal_settlement.settlement_id, seal_settlement.ordinal, settlement_sequence.running_cents as sought_cents,
      first_boundary.clock, first_boundary.previous_position, first_boundary.position, first_boundary.running_cents as cut_cents,
      boundary.cut_instant, seal_settlement.is_quiet, seal_settlement.is_shown
    from seal_settlement inner join settlement_sequence using (settlement_id)
    left join first_boundary using (settlement_id) left join boundary using (settlement_id)`,
  quiet_member: `
    select terminal_id, settlement_id, action, method, count(*) as item_count, sum(signed_cents)::bigint as signed_cents, max(created) as created
    from settled_member anti join seal_loud_transaction using (transaction_id) group by terminal_id, settlement_id, action, method`,
  quiet_day: `
    select terminal_id, business_date, action, count(*) as item_count, sum(signed_cents)::bigint as signed_cents,
      coalesce(sum(base_cents), 0)::bigint as base_cents, coalesce(sum(tax_cents), 0)::bigint as tax_cents,
      coalesce(sum(shipping_cents), 0)::bigint as shipping_cents, coalesce(sum(tip_cents), 0)::bigint as tip_cents,
      coalesce(sum(surcharge_cents), 0)::bigint as surcharge_cents
    from current_transaction anti join seal_loud_transaction using (transaction_id) where settled group by terminal_id, business_date, action`,
  quiet_flip: `
    with quiet as (from flip anti join seal_loud_transaction using (transaction_id)),
      turned as (select terminal_id, count(*) as item_count from quiet group by terminal_id),
      met as materialized (
        select terminal_id, event, settlements, case when settlements = 1 then settlement_id end as settlement_id, count(*) as item_count, sum(signed_cents)::bigint as signed_cents
        from possible_member semi join quiet using (transaction_id) group by all)
    select terminal_id, null as event, null as settlement_id, item_count, 0::bigint as signed_cents from turned
    union all
    select terminal_id, event, settlement_id, item_count, signed_cents from met where settlements = 1
    union all
    -- One that may be in several settlements is listed with each; what is in none counts against the event.
    select terminal_id, event, null, item_count - coalesce(met_once, 0), 0
    from turned cross join settled_event
    left join (select terminal_id, event, sum(item_count // settlements)::bigint as met_once from met group by terminal_id, event) using (terminal_id, event)
    where item_count > coalesce(met_once, 0)`,
  quiet_card: `
    select ${QUIET_COLUMNS} from current_transaction anti join seal_loud_transaction using (transaction_id) where fine_key is not null and ${IS_CHARGED}`,
  quiet_refund: `
    select ${CEILING_COLUMNS} from current_transaction anti join seal_loud_transaction using (transaction_id) where fine_key is not null and action = 'REFUND'`,
  quiet_charge: `
    select coarse_key, ${STRETCH} as stretch, sum(total_cents)::bigint as charged_cents
    from current_transaction anti join seal_loud_transaction using (transaction_id) where ${IS_CHARGED} group by coarse_key, stretch`,
  quiet_cover: `
    select fine_key, sum(${COVERED})::bigint as covered_cents
    from current_transaction anti join seal_loud_transaction using (transaction_id) where fine_key is not null and ${IS_CHARGED} group by fine_key`,
  quiet_attribution: `
    select settled_member.terminal_id, transaction_id, settlement_id, settled_member.created, settled_member.action, current_transaction.status,
      total_cents, settled_member.signed_cents, method
    from settled_member semi join (from seal_settlement where is_shown) using (settlement_id)
    anti join seal_loud_transaction using (transaction_id) inner join current_transaction using (transaction_id)`,
  kept_version: `
    select * exclude (account) ${KNOWN} and created < ${SEAL.read_from}
      and transaction_id in (select transaction_id from seal_loud_transaction)`,
  // The first place of all and the last before the seal stand for what is between.
  kept_place: `
    select clock, terminal_id, transaction_id, clock_at, position, next_at, running_cents, signed_cents
    from clocked_transaction semi join seal_terminal using (terminal_id)
    where clock_at < ${SEAL.read_from} and (
      position = 1 or transaction_id in (select transaction_id from seal_loud_transaction)
      or (clock, terminal_id, position) in (select (clock, terminal_id, position) from seal_candidate)
      or (clock, terminal_id, position) in (select (clock, terminal_id, position) from seal_shown_place)
      or (clock, terminal_id, position) in (select (clock, terminal_id, position) from seal_opening))`,
  kept_candidate: 'from seal_candidate',
  kept_explanation: 'from seal_told',
  opening: 'from seal_opening',
}
