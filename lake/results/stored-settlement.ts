/**
 * One settlement as a run has stored it: its numbers, its members, and where it ends. What the run keeps of no transaction,
 * the models compute from the versions of those around it, which lie together in order of time.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { ATTRIBUTIONS } from './attribution-rows.ts'
import { neededFor, readModels, restingOn, runModels, type Model } from '../run/models.ts'
import { bindInputs } from '../run/bind-inputs.ts'
import type { StoredVerdict } from './published-verdict.ts'

/** What the evidence asks for and the run has not stored. */
const ASKED_FOR = [
  ...[
    'enum_value',
    'current_terminal',
    'current_transaction',
    'flag_observation',
    'settlement_version',
  ],
  ...['known_settlement', 'manual_attribution', 'manual_member'],
  ...['ordered_transaction', 'cutoff_candidate'],
]

/** Learned from more than what lies around a settlement: the run has stored them. */
const OF_ALL = ['settling_event', 'terminal_reach']

/** Columns that none of these models looks at: to read one costs as much as a model. */
const UNREAD = {
  bigint: ['base_cents', 'tax_cents', 'shipping_cents', 'tip_cents', 'surcharge_cents'],
  'decimal(9, 4)': ['surcharge_percentage'],
  ubigint: ['billing_key', 'content_hash'],
  varchar: [
    ...['ach_type', 'method', 'surcharge_status', 'invoice_number', 'purchase_order_number'],
    ...['response_code', 'vault_type', 'account_type', 'last_four'],
  ],
}

/**
 * Puts what tells of a settlement into the tables of the models, on a connection whose variables are those of the run.
 * Answers why this won't do, if it won't: then only all models tell.
 */
export async function takeOneSettlement(
  connection: DuckDBConnection,
  { stored, settlementId }: { stored: StoredVerdict; settlementId: string },
): Promise<string | undefined> {
  await connection.run('set variable explained_id = $1::bigint', [settlementId])
  await connection.run('set variable terminal = $1::bigint', [stored.terminalId])
  await connection.run('set variable stored_run = $1::varchar', [stored.runId])
  await copy(connection, STORED)
  const evidence = await connection.runAndReadAll(
    'select clock::varchar from stored_evidence where is_here',
  )
  const [kept] = evidence.getRows()
  if (kept === undefined) return `run ${stored.runId} is from before its evidence was kept`
  await copy(connection, {
    near_transaction: await nearTransactions(connection, kept[0] === 'modified'),
  })
  const models = modelsNeeded()
  const manual = models.filter(({ name }) => name === 'manual_attribution')
  await bindInputs(connection, manual)
  await runModels(connection, manual)
  await copy(connection, AROUND)
  await bindInputs(connection, models, {
    seen_transaction_version: 'from near_transaction_version',
    seen_settlement_version: 'from near_settlement_version',
  })
  const onEvent = restingOn(models, 'settling_event')
  const onOrder = restingOn(models, 'unplaced_settled_transaction')
  const before = models.filter(({ name }) => !onEvent.has(name) && !onOrder.has(name))
  await runModels(connection, before)
  await connection.run(SETTLED_EVENT, [stored.settledEvent])
  const between = models.filter(({ name }) => onEvent.has(name) && !onOrder.has(name))
  await runModels(connection, between)
  await connection.run(WHAT_FOLLOWS)
  await runModels(
    connection,
    models.filter(({ name }) => onOrder.has(name)),
  )
  await copy(connection, AS_STORED)
  const doubts = await connection.runAndReadAll(DOUBTS)
  const [doubt] = doubts.getRows()[0] ?? []
  return doubt === null || doubt === undefined ? undefined : String(doubt)
}

/** What happened in the stretches by one of the clocks, and what the run names. */
async function nearTransactions(
  connection: DuckDBConnection,
  isByModified: boolean,
): Promise<string> {
  const found = await connection.runAndReadAll(
    'select begins_at::varchar, ends_at::varchar from reach',
  )
  const within = found.getRows().flatMap(([from, to]) =>
    (isByModified ? ['created', 'last_modified'] : ['created']).map(
      (time) => `
        select transaction_id from lake.seen.transaction_version
        where ${KNOWN} and terminal_id = getvariable('terminal') and ${time} between timestamp '${String(from)}' and timestamp '${String(to)}'`,
    ),
  )
  return [...within, NAMED].join(' union ')
}

/** In the order of the pipeline, with all that they read. */
function modelsNeeded(): Model[] {
  const all = readModels().filter(({ name }) => !OF_ALL.includes(name))
  return neededFor(all, ASKED_FOR)
}

async function copy(
  connection: DuckDBConnection,
  tables: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [table, select] of Object.entries(tables)) {
    await connection.run(`create or replace temp table ${table} as ${select}`)
  }
}

const cents = (column: string) => `("${column}"::decimal(20, 2) * 100)::bigint`
const OF_RUN = `run_id = getvariable('stored_run')`
const KNOWN = `account = getvariable('account') and landing_seq <= getvariable('known_at')`
const IS_HERE = `"settlementId" = getvariable('explained_id')::varchar`

/** The run's rows about the settlement, and how far in time what tells of it reaches. */
const STORED = {
  stored_evidence: `
    select "settlementId"::bigint as settlement_id, "created"::timestamp as created, clock_word ("clock") as clock,
      "previousCutId"::bigint as previous_cut_id, "previousCutAt"::timestamp as previous_cut_at,
      "cutId"::bigint as cut_id, "cutAt"::timestamp as cut_at, "isEarly"::boolean as is_early, "reach"::bigint as reach_hours, "usualLag"::double as lag_s, "usualSpread"::double as spread_s,
      "rivals"::bigint as rival_count, "candidates" as candidates, from_json("unreadable", '["VARCHAR"]') as unreadable,
      "otherSettlement"::bigint as other_id, "moves" as moves, "late" as late, "laterMembers" as later_members, ${IS_HERE} as is_here
    from lake.result.evidence where ${OF_RUN} and "terminalId" = getvariable('terminal')::varchar`,
  terminal_reach: `
    select getvariable('terminal') as terminal_id, reach_hours from stored_evidence where is_here`,
  tieout: `
    with stored as (from lake.result.settlements where ${OF_RUN} and ${IS_HERE})
    select getvariable('explained_id') as settlement_id, getvariable('terminal') as terminal_id,
      stored."created"::timestamp as created, "status" as status,
      ${cents('reportedNet')} as reported_cents, ${cents('computedNet')} as computed_cents, ${cents('difference')} as difference_cents,
      "cutoff"::timestamp as cutoff_at, "method" as method, "certificate" as certificate, "verdict" as verdict,
      "explanation" as explanation, ${cents('explainedAmount')} as explained_cents, ${cents('unexplainedAmount')} as unexplained_cents,
      "explainedBy" as explained_by, evidence.candidates, evidence.unreadable, evidence.rival_count
    from stored inner join stored_evidence as evidence on evidence.is_here
    union all by name
    select evidence.other_id as settlement_id, "explanation" as explanation, "explainedBy" as explained_by
    from stored inner join stored_evidence as evidence on evidence.is_here and evidence.other_id is not null`,
  shift: `
    select unnest(from_json(moves, '[{"transaction_id":"BIGINT","from_settlement_id":"BIGINT","to_settlement_id":"BIGINT"}]'), recursive := true)
    from stored_evidence where is_here`,
  stored_member: `
    select "transactionId" as transaction_id, "created" as created, "method" as method
    from ${ATTRIBUTIONS} where ${OF_RUN} and "settlementId" = getvariable('explained_id')`,
  // What a person or a shift has placed may lie anywhere, and tells of no neighbours.
  around: `
    with lasting as (from stored_member where method <> 'MANUAL' and transaction_id not in (select transaction_id from shift))
    select
      coalesce(min(lasting.created), any_value(here.created) - to_hours(any_value(here.reach_hours))) - interval 6 hours as low,
      coalesce(max(lasting.created), any_value(here.created)) + interval 6 hours as high
    from stored_evidence as here left join lasting on true where here.is_here`,
  // Of those that follow, up to the first cut-off after all places within the reach: what is older than these may have been seen to settle late.
  following: `
    with here as (
      select *, created + case clock when 'modified' then interval 72 hours else clock_skew() end as last_at from stored_evidence where is_here)
    select later.settlement_id, later.cut_at, here.last_at
    from stored_evidence as later inner join here on (later.created, later.settlement_id) > (here.created, here.settlement_id)
    qualify coalesce(max(later.cut_at) over (order by later.created, later.settlement_id rows between unbounded preceding and 1 preceding) < here.last_at, true)`,
  // Where that ends, this one begins.
  previous: `
    select earlier.settlement_id, earlier.created
    from stored_evidence as earlier inner join stored_evidence as here on here.is_here and (earlier.created, earlier.settlement_id) < (here.created, here.settlement_id)
    order by earlier.created desc, earlier.settlement_id desc limit 1`,
  stored_late: `
    select "transactionId" as transaction_id
    from ${ATTRIBUTIONS} where ${OF_RUN} and "settlementId" in (select settlement_id from following union all select settlement_id from previous)
      and "created" < (select created - to_hours(reach_hours) from stored_evidence where is_here)
    union
    select unnest(from_json(later_members, '["BIGINT"]')) from stored_evidence semi join following using (settlement_id)`,
  // What is told around it; its reach, which begins with the last transaction before, and that of the settlement before; and two hours about either cut-off.
  reach: `
    with
      here as (from stored_evidence where is_here),
      part_of_time as (
        select low as begins_at, high as ends_at from around
        union all
        select case when is_early then coalesce(cut_at, timestamp '0001-01-01') else created - to_hours(reach_hours) end,
          created + case clock when 'modified' then interval 72 hours else clock_skew() end
        from here where clock is not null
        union all
        select previous.created - to_hours(reach_hours),
          previous.created + case clock when 'modified' then interval 72 hours else clock_skew() end
        from here, previous where clock is not null
        union all
        select cut_at - interval 2 hours, cut_at + interval 2 hours from here where cut_at is not null
        union all
        select previous_cut_at - interval 2 hours, previous_cut_at + interval 2 hours from here where previous_cut_at is not null),
      marked as (
        select *, begins_at > max(ends_at) over (order by begins_at, ends_at rows between unbounded preceding and 1 preceding) as is_apart
        from part_of_time),
      joined as (
        select *, count(*) filter (is_apart) over (order by begins_at, ends_at rows unbounded preceding) as part from marked)
    select min(begins_at) as begins_at, max(ends_at) as ends_at from joined group by part`,
}

const NAMED = `
  select transaction_id from stored_member
  union
  select transaction_id from stored_late
  union
  select unnest([cut_id, previous_cut_id]) from stored_evidence where is_here
  union
  select transaction_id from shift
  union
  select unnest(string_split(explained_by, ';'))::bigint from tieout where explained_by is not null
  union
  select unnest(from_json(late, '["BIGINT"]')) from stored_evidence semi join reach on created between begins_at and ends_at`

/** All their versions, all versions of settlements that they may be in, and what the run says of both. */
const AROUND = {
  near_transaction_version: `
    select * replace (${Object.entries(UNREAD)
      .flatMap(([type, columns]) => columns.map((column) => `null::${type} as ${column}`))
      .join(', ')})
    from lake.seen.transaction_version where ${KNOWN} and transaction_id in (select transaction_id from near_transaction)`,
  near_settlement: `
    select settlement_id from lake.seen.settlement_version where ${KNOWN} and terminal_id = getvariable('terminal')
    union
    select explicit_settlement_id from near_transaction_version
    union
    select settlement_id from manual_attribution
    union
    select other_id from stored_evidence where is_here`,
  near_settlement_version: `
    from lake.seen.settlement_version where ${KNOWN} and settlement_id in (select settlement_id from near_settlement)`,
  attribution: `
    select "transactionId" as transaction_id, "settlementId" as settlement_id
    from ${ATTRIBUTIONS} where ${OF_RUN} and "settlementId" in (select settlement_id from near_settlement)
      and "transactionId" in (select transaction_id from near_transaction)
    union all
    select * from (
      select unnest(from_json(later_members, '["BIGINT"]')) as transaction_id, settlement_id
      from stored_evidence where later_members is not null)
    where transaction_id in (select transaction_id from near_transaction)`,
  pack_exceptions: `
    select * exclude (run_id, row_no) from lake.result.exceptions where ${OF_RUN} and (
      "code" = 'QUARANTINED' or ("subjectType" = 'settlement' and "subjectId" = getvariable('explained_id')::varchar)
      or ("subjectType" = 'transaction' and "subjectId" in (select transaction_id::varchar from attribution)))`,
}

const SETTLED_EVENT = `
  create or replace temp table settling_event as
  select event, event = $1 as is_learned from (values ('created'), ('completed')) as events (event)`

/** Stands for all that follows, so that a terminal on which clocks differ somewhere has both of them here. */
const WHAT_FOLLOWS = `
  insert into unplaced_settled_transaction by name
  select getvariable('terminal') as terminal_id, 0 as signed_cents,
    max(ends_at) + interval 100 days as created, max(ends_at) + interval 101 days as modified from reach`

/** Places count from the first transaction that was read. */
const AS_STORED = {
  boundary: `
    select here.settlement_id, getvariable('terminal') as terminal_id, here.clock, coalesce(previous_cut.position, 0) as previous_position,
      coalesce(cut.position, 0) as position, coalesce(previous_cut.running_cents, 0) as previous_cents, coalesce(cut.running_cents, 0) as running_cents,
      (previous_cut.position is null) <> (previous_cut_id is null) or (cut.position is null) <> (cut_id is null) as is_lost
    from stored_evidence as here
    left join ordered_transaction as cut on cut.clock = here.clock and cut.transaction_id = cut_id
    left join ordered_transaction as previous_cut on previous_cut.clock = here.clock and previous_cut.transaction_id = previous_cut_id
    where is_here and here.clock is not null`,
  usual_lag: `
    select settlement_id, clock, lag_s, spread_s from stored_evidence where is_here and lag_s is not null`,
}

/** Why the run has not stored all that belongs here: one row, empty if it has. */
const DOUBTS = `
  with
    beside as (
      select known_settlement.*, stored_evidence.settlement_id is not null as is_kept
      from known_settlement left join stored_evidence using (settlement_id)
      where terminal_id = getvariable('terminal')),
    nowhere as (
      select current_transaction.* from current_transaction anti join attribution using (transaction_id), around
      where terminal_id = getvariable('terminal') and current_transaction.created between low and high
        and transaction_id not in (select transaction_id from manual_member where settlement_id is null))
  select case
    when exists (from beside semi join reach on created between begins_at and ends_at where not is_kept)
      or exists (
        from beside inner join known_settlement as later on later.terminal_id = beside.terminal_id and later.ordinal = beside.ordinal + 1
        inner join stored_evidence as here on here.settlement_id = later.settlement_id and here.is_here and here.clock is not null
        where not is_kept)
      then 'a settlement beside it is not in run ' || getvariable('stored_run')
    when exists (from beside where not is_kept and created >= getvariable('window_to'))
      and exists (from stored_evidence where is_here and clock is not null)
      and not exists (from following where cut_at >= last_at)
      then 'a settlement after it is not in run ' || getvariable('stored_run')
    when exists (from nowhere where settled) or exists (
      -- What a PENDING one may hold, happened before it was made.
      from nowhere inner join beside on beside.status <> 'COMPLETE' and beside.created >= least(nowhere.created, nowhere.last_modified)
        and (not is_kept or nowhere.created >= getvariable('window_to') + interval 6 hours)
      where approved and nowhere.status = 'CAPTURE' and action in ('CHARGE', 'REFUND'))
      then 'a transaction beside it may be in a settlement that is not in run ' || getvariable('stored_run')
    when exists (from transaction_history where is_moved) then 'a transaction was seen on two terminals'
    when exists (from boundary where is_lost) or exists (
      from tieout where settlement_id = getvariable('explained_id') and computed_cents <> (
        select coalesce(sum(signed_cents), 0) from attribution inner join current_transaction using (transaction_id)
        where settlement_id = getvariable('explained_id')))
      then 'its transactions tell otherwise'
  end`
