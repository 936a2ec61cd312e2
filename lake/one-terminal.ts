/**
 * One terminal by itself. Its versions are copied into memory, and the models run on these alone: each takes some
 * milliseconds then. What a run chose for all terminals together is taken from that run, and what comes out is compared
 * with what that run has stored.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { readsOf } from './division.ts'
import { readModels, runModels, type Model } from './models.ts'
import { readNear } from './near.ts'
import type { StoredVerdict } from './stored-verdict.ts'

/** What all terminals have a say in. */
const OF_THE_RUN = new Set(['settled_event', 'pending_flag'])

/** What the comparison asks for, and the evidence beyond it. */
const ASKED_FOR = [
  ...['word', 'pack_settlements', 'amount_mismatch', 'attribution'],
  ...['candidate', 'clocked_transaction', 'flip', 'manual_attribution', 'settlement_version'],
]

/** Columns that none of these models looks at; to read a column costs as much as a model. */
const UNREAD = {
  bigint: ['base_cents'],
  ubigint: ['billing_key', 'content_hash'],
  varchar: [
    ...['ach_type', 'method', 'surcharge_status', 'invoice_number', 'purchase_order_number'],
    ...['response_code', 'vault_type', 'account_type', 'last_four'],
  ],
}

/** What only a difference is explained by. */
const COMPONENTS = ['tax_cents', 'shipping_cents', 'tip_cents', 'surcharge_cents']

/**
 * Runs what tells of a settlement on a connection whose variables are those of the run. Answers why this won't do: a
 * record leads to another terminal, or it comes out otherwise than the run has it.
 */
export async function runOneTerminal(
  connection: DuckDBConnection,
  { stored, settlementId }: { stored: StoredVerdict; settlementId: string },
): Promise<string | undefined> {
  await connection.run('set variable explained_id = $1::bigint', [settlementId])
  await connection.run('set variable terminal = $1::bigint', [stored.terminalId])
  await connection.run('set variable stored_run = $1::varchar', [stored.runId])
  await copyTerminal(connection, stored.isOff)
  // To look for each transaction on all terminals takes as long as to copy the terminal.
  const leads = stored.hasMoved ? `${LEADS_ELSEWHERE} union all ${MOVED}` : LEADS_ELSEWHERE
  if (await hasRows(connection, leads)) return 'its terminal is tangled with another one'
  const models = await readNear(connection, modelsNeeded().map(narrowed))
  const between = (from: string, to: string) =>
    models.filter(({ stage }) => stage >= from && stage < to)
  await runModels(connection, between('10', '13'))
  await connection.run(SETTLED_EVENT, [stored.settledEvent])
  await connection.run(PENDING_FLAG, [stored.flagComesLater])
  await runModels(connection, between('13', '36'))
  for (const statement of OTHER_TERMINALS) await connection.run(statement)
  await runModels(connection, between('36', '99'))
  return (await hasRows(connection, OTHERWISE)) ? 'its terminal alone tells otherwise' : undefined
}

/** In the order of the pipeline, with all that they read. */
function modelsNeeded(): Model[] {
  const all = readModels()
  const needed = new Set<string>(ASKED_FOR)
  for (const model of all.toReversed()) {
    if (needed.has(model.name)) for (const name of readsOf(model)) needed.add(name)
  }
  return all.filter(({ name }) => needed.has(name) && !OF_THE_RUN.has(name))
}

const narrowed = (model: Model): Model => ({
  ...model,
  text: model.text.replaceAll(
    /\blake\.seen\.(transaction_version|settlement_version)\b(\s+as\b)?/g,
    (_read, table: string, alias: string | undefined) =>
      `terminal_${table}${alias ?? ` as ${table}`}`,
  ),
})

async function copyTerminal(connection: DuckDBConnection, isOff: boolean): Promise<void> {
  const columnsUnread = isOff ? UNREAD : { ...UNREAD, bigint: [...UNREAD.bigint, ...COMPONENTS] }
  const unread = Object.entries(columnsUnread).flatMap(([type, columns]) =>
    columns.map((column) => `null::${type} as ${column}`),
  )
  const copies = {
    terminal_transaction_version: `
      select * replace (null::decimal(9, 4) as surcharge_percentage, ${unread.join(', ')})
      from lake.seen.transaction_version where ${OF_TERMINAL}`,
    terminal_settlement_version: `from lake.seen.settlement_version where ${OF_TERMINAL}`,
    other_settlement_version: `
      select settlement_id from lake.seen.settlement_version
      where account = getvariable('account') and terminal_id is distinct from getvariable('terminal')`,
    stored_settlement: `
      select * exclude (run_id, row_no) from lake.result.settlements where run_id = getvariable('stored_run')
        and ("terminalId" = getvariable('terminal')::varchar or "verdict" in ('BREAK', 'EXPLAINED'))`,
    stored_attribution: `
      select * exclude (run_id, row_no) from lake.result.attributions where run_id = getvariable('stored_run')
        and "settlementId" = getvariable('explained_id')::varchar`,
    pack_exceptions: `
      select * exclude (run_id, row_no) from lake.result.exceptions where run_id = getvariable('stored_run')
        and "terminalId" = getvariable('terminal')::varchar`,
  }
  for (const [table, select] of Object.entries(copies)) {
    await connection.run(`create or replace temp table ${table} as ${select}`)
  }
}

const OF_TERMINAL = `account = getvariable('account') and landing_seq <= getvariable('known_at')
  and terminal_id = getvariable('terminal')`

async function hasRows(connection: DuckDBConnection, select: string): Promise<boolean> {
  const reader = await connection.runAndReadAll(`select exists (${select})`)
  return reader.getRows()[0]?.[0] === true
}

/** By a settlement that was seen on both, or a transaction that names, or was put into, a settlement of the other. */
const LEADS_ELSEWHERE = `
  with
    elsewhere as (
      select transaction_id, explicit_settlement_id as settlement_id from lake.seen.transaction_version
      where account = getvariable('account') and terminal_id is distinct from getvariable('terminal')),
    put as (
      select try_cast(subject as bigint) as transaction_id,
        try_cast(json_extract_string(detail, '$.settlement') as bigint) as settlement_id
      from lake.ops.audit where account = getvariable('account') and action = 'transaction.attribute')
  select 1 from elsewhere semi join terminal_settlement_version using (settlement_id)
  union all
  select 1 from terminal_transaction_version as here
  semi join other_settlement_version as other on other.settlement_id = here.explicit_settlement_id
  union all
  select 1 from terminal_settlement_version semi join other_settlement_version using (settlement_id)
  union all
  select 1 from put semi join terminal_transaction_version using (transaction_id)
  semi join other_settlement_version using (settlement_id)
  union all
  select 1 from put anti join terminal_transaction_version using (transaction_id)
  semi join terminal_settlement_version using (settlement_id)`

const MOVED =
  'select 1 from elsewhere semi join terminal_transaction_version using (transaction_id)'

const SETTLED_EVENT = `
  create or replace temp table settled_event as
  select event, event = $1 as is_learned from (values ('created'), ('completed')) as events (event)`

const PENDING_FLAG =
  'create or replace temp table pending_flag as select $1::boolean as comes_later'

const cents = (text: string) => `(${text}::decimal(20, 2) * 100)::bigint`

/** What is off on other terminals at that time, with the members of those that are off by as much: one transaction may account for both. */
const OTHER_TERMINALS = [
  `create or replace temp table other_broken as
   select other."settlementId"::bigint as settlement_id, other."terminalId"::bigint as terminal_id, other."created"::timestamp as created,
     other."businessDate"::date as business_date, other."status" as status, other."method" as method, 'BREAK' as verdict,
     ${cents('other."reportedNet"')} as reported_cents, ${cents('other."computedNet"')} as computed_cents,
     ${cents('other."difference"')} as difference_cents,
     abs(here.difference_cents) = abs(${cents('other."difference"')}) as is_as_much
   from stored_settlement as other
   inner join computed_net as here on here.settlement_id = getvariable('explained_id') and here.verdict = 'BREAK'
     and other."created"::timestamp between here.created - interval 6 days and here.created + interval 6 days
   where other."terminalId" <> here.terminal_id::varchar and other."verdict" in ('BREAK', 'EXPLAINED')`,
  `create or replace temp table other_member as
   select "transactionId"::bigint as transaction_id, "settlementId"::bigint as settlement_id, "terminalId"::bigint as terminal_id,
     "created"::timestamp as created, "action" as action, "method" as method, true as settled,
     ${cents('"amountTotal"')} as total_cents, ${cents('"signedAmount"')} as signed_cents
   from lake.result.attributions where run_id = getvariable('stored_run')
     and "settlementId" in (select settlement_id::varchar from other_broken where is_as_much)`,
  'insert into computed_net by name select * exclude (is_as_much) from other_broken',
  'insert into current_transaction by name select * exclude (method, settlement_id) from other_member',
  'insert into settled_member by name select * exclude (total_cents, settled) from other_member',
]

/** What the run has stored of the settlement and its members, or of why it does not tie, and what the terminal alone tells not, or otherwise. */
const OTHERWISE = `
  with
    id as (select getvariable('explained_id')::varchar as id),
    told as (from pack_settlements where "settlementId" = (from id)),
    stored as (from stored_settlement where "settlementId" = (from id)),
    told_member as (
      select transaction_id::varchar, method::varchar from attribution
      where settlement_id = getvariable('explained_id')),
    stored_member as (select "transactionId", "method" from stored_attribution)
  select 1 from (from told except from stored)
  union all
  select 1 from (from stored except from told)
  union all
  select 1 from (from told_member except from stored_member)
  union all
  select 1 from (from stored_member except from told_member)
  union all
  select 1 from amount_mismatch where subject_id = (from id) and guard(detail) not in (
    select "detail" from pack_exceptions where "code" = 'AMOUNT_MISMATCH' and "subjectId" = (from id))`
