/**
 * Goal: statements that hold for all findings, packs and journals. Method: drawn worlds with cases for every rule, judged
 * again after one thing changed, and compared table by table.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { beforeAll, expect, test } from 'vitest'
import { DEFAULT_CHART } from '../../../domain/chart.ts'
import { randomFrom } from '../../../simulator/world/random.ts'
import { memoryLake } from '../../support/memory-lake.ts'
import { rowsOf } from '../../support/temp-lake.ts'
import { daysLater, type Judging, reconcileWorld } from './reference/run.ts'
import { randomWorld, type Row, type World } from './reference/world.ts'

const TRANSACTIONS = 3000
const world = randomWorld(2, TRANSACTIONS)

const PACK = [
  'pack_attributions',
  'pack_control_totals',
  'pack_exceptions',
  'pack_gathered',
  'pack_journal',
  'pack_pending',
  'pack_refund_ceiling',
  'pack_rollforward',
  'pack_settlements',
  'pack_sweeps',
  'pack_unsettled',
]
const TARGETS = [...PACK, 'posted_line']

async function judged(records: World, how: Omit<Judging, 'targets'> = {}) {
  const connection = await memoryLake()
  await reconcileWorld(connection, records, { targets: TARGETS, ...how })
  return connection
}

let plain: DuckDBConnection

beforeAll(async () => {
  plain = await judged(world)
  return () => plain.closeSync()
})

/** Judges a world and gives the answer of `ask` about it. */
async function about<Answer>(
  records: World,
  how: Omit<Judging, 'targets'>,
  ask: (connection: DuckDBConnection) => Promise<Answer>,
): Promise<Answer> {
  const connection = await judged(records, how)
  try {
    return await ask(connection)
  } finally {
    connection.closeSync()
  }
}

/** All rows of the pack in their order. */
async function packOf(connection: DuckDBConnection): Promise<string> {
  const files: string[] = []
  for (const name of PACK) {
    files.push(
      name,
      ...(await rowsOf(connection, `from ${name}`)).map((row) => JSON.stringify(row)),
    )
  }
  return files.join('\n')
}

const mapped = (change: (row: Row) => Row): World => ({
  transactions: world.transactions.map(change),
  settlements: world.settlements.map(change),
  terminals: world.terminals,
  unread: world.unread.map(change),
})

test('I4: permuting the rows of every table changes no byte of the pack', async () => {
  const random = randomFrom(4, 4)
  const shuffled = (rows: readonly Row[]) =>
    rows
      .map((row) => ({ row, at: random.unit() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ row }) => row)
  const permuted: World = {
    transactions: shuffled(world.transactions),
    settlements: shuffled(world.settlements),
    terminals: shuffled(world.terminals),
    unread: shuffled(world.unread),
  }
  expect(permuted.transactions).not.toEqual(world.transactions)
  expect(await about(permuted, {}, packOf)).toBe(await packOf(plain))
})

test('I6: a second run over the same lake gives the same pack and journal, byte for byte', async () => {
  expect(await about(world, {}, packOf)).toBe(await packOf(plain))
})

test('I3: VERIFY enters no net, HOLD and VOID only if they are settled, and a REFUND enters negative', async () => {
  const wrong = await rowsOf(
    plain,
    `with newest as (
       from lake.seen.transaction_version
       qualify row_number() over (partition by transaction_id order by landing_seq desc, ordinal desc) = 1),
     summed as (
       select settlement_id, sum(case newest.action when 'CHARGE' then total_cents when 'REFUND' then -total_cents else 0 end) as cents,
         count(*) filter (not newest.settled and (newest.action = 'VERIFY' or newest.status in ('HOLD', 'VOID'))) as uncounted
       from attribution inner join newest using (transaction_id) group by all)
     select settlement_id, computed_cents, cents, uncounted from tieout left join summed using (settlement_id)
     where computed_cents is not null and (computed_cents <> coalesce(cents, 0) or uncounted > 0)`,
  )
  expect(wrong).toEqual([])
  const drawn = await rowsOf(
    plain,
    `select count(*) filter (newest.action = 'VERIFY' and newest.total_cents > 0)::integer as verify,
       count(*) filter (newest.action = 'REFUND')::integer as refund, count(*) filter (newest.status <> 'CAPTURE')::integer as other
     from attribution inner join current_transaction as newest using (transaction_id)`,
  )
  for (const count of Object.values(drawn[0] ?? {})) expect(Number(count)).toBeGreaterThan(5)
})

/** The findings as text, with their time so many days earlier. */
const findingsOf = (days: number) => async (connection: DuckDBConnection) =>
  (
    await rowsOf(
      connection,
      `select concat_ws(' ', code, subject_type, subject_id, certainty, amount_cents, subject_created - to_days(${days})) as line
       from exception order by line`,
    )
  ).map(({ line }) => line)

test('I9: shifting every time by whole days shifts the findings equally', async () => {
  const unshifted = await findingsOf(0)(plain)
  expect(unshifted.length).toBeGreaterThan(TRANSACTIONS / 10)
  for (const days of [1, 30]) {
    const later = mapped((row) => ({ ...row, created: daysLater(String(row['created']), days) }))
    expect(await about(later, { days }, findingsOf(days))).toEqual(unshifted)
  }
})

/** The money of each terminal: proved, in no settlement, and posted. */
const byTerminal = (connection: DuckDBConnection) =>
  rowsOf(
    connection,
    `with money as (
       select terminal_id, 'computed' as kind, computed_cents as cents from tieout
       union all select terminal_id, 'reported', reported_cents from tieout
       union all select terminal_id, standing::varchar, signed_cents from transaction_standing
       union all select terminal_id, account_key, amount_cents from posted_line)
     select terminal_id, kind, sum(cents)::bigint as cents from money group by all order by all`,
  )

test('I9: changing the business zone alone moves no money between terminals', async () => {
  const inUtc = await byTerminal(plain)
  expect(inUtc.length).toBeGreaterThan(20)
  for (const timezone of ['America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Auckland']) {
    expect(await about(world, { timezone }, byTerminal)).toEqual(inUtc)
  }
})

test('I10: doubling all cents doubles every total of nets, books and open items', async () => {
  const doubled = mapped((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        name.endsWith('_cents') && value !== null ? Number(value) * 2 : value,
      ]),
    ),
  )
  const twice = (await byTerminal(plain)).map((row) => ({
    ...row,
    cents: String(2n * BigInt(String(row['cents']))),
  }))
  expect(await about(doubled, {}, byTerminal)).toEqual(twice)
})

/** Amounts by name, in cents. */
const amounts = async (selects: Record<string, string>) =>
  (
    await rowsOf(
      plain,
      `select ${Object.entries(selects)
        .map(([name, sql]) => `coalesce((${sql}), 0)::bigint::varchar as "${name}"`)
        .join(', ')}`,
    )
  )[0]

test('I14: the totals of the report are those of the lake and of the journal, less what is CREATED_IN_FUTURE', async () => {
  const found = await amounts({
    reportedInPack: `select sum("reportedNet"::decimal(18, 2)) * 100 from pack_settlements where "verdict" not in ('PENDING')`,
    reportedInLake: `select sum(net_cents) from (
      select arg_max(net_cents, landing_seq) as net_cents, arg_max(status, landing_seq) as status
      from lake.seen.settlement_version group by settlement_id) where status = 'COMPLETE'`,
    inFuture: `select sum(amount_cents) from exception where code = 'CREATED_IN_FUTURE' and subject_type = 'settlement'`,
    attributedInPack: `select sum("signedAmount") * 100 from pack_attributions
      where "settlementId" in (select settlement_id from tieout where verdict in ('TIED', 'EXPLAINED', 'BREAK'))`,
    attributedInLake: `select sum(case action when 'CHARGE' then total_cents when 'REFUND' then -total_cents else 0 end)
      from (from lake.seen.transaction_version qualify row_number() over (partition by transaction_id order by landing_seq desc) = 1)
      where transaction_id in (select transaction_id from attribution inner join tieout using (settlement_id)
        where verdict in ('TIED', 'EXPLAINED', 'BREAK'))`,
    relievedInJournal: `select sum(coalesce("credit"::decimal(18, 2), 0) - coalesce("debit"::decimal(18, 2), 0)) * 100
      from pack_journal where "account" = '${DEFAULT_CHART.clearing.account}' and "source" = 'settlement'`,
    reportedInJournal: `select sum(coalesce("debit"::decimal(18, 2), 0) - coalesce("credit"::decimal(18, 2), 0)) * 100
      from pack_journal where "account" = '${DEFAULT_CHART.cash_in_transit.account}'`,
  })
  expect(found?.['attributedInPack']).toBe(found?.['attributedInLake'])
  expect(found?.['attributedInPack']).toBe(found?.['relievedInJournal'])
  expect(found?.['reportedInPack']).not.toBe('0')
  const cents = (name: string) => BigInt(String(found?.[name]))
  const reported = String(cents('reportedInLake') - cents('inFuture'))
  expect(found?.['reportedInPack']).toBe(reported)
  expect(found?.['reportedInJournal']).toBe(reported)
})

test('I15: the journal balances to zero for each currency and date, and for each entry', async () => {
  const dates = await rowsOf(plain, `select count(distinct "date")::integer as n from pack_journal`)
  expect(Number(dates[0]?.['n'])).toBeGreaterThan(15)
  for (const pack of ['pack_journal', 'pack_gathered']) {
    for (const by of ['"currency", "date"', '"currency", "entryId"']) {
      const off = await rowsOf(
        plain,
        `select ${by} from ${pack} group by all
         having sum(coalesce("debit"::decimal(18, 2), 0) - coalesce("credit"::decimal(18, 2), 0)) <> 0`,
      )
      expect({ pack, by, off }).toEqual({ pack, by, off: [] })
    }
  }
})

test('I17: the id of every exported finding resolves to rows of the lake', async () => {
  const exported = await rowsOf(plain, `select count(*)::integer as n from pack_exceptions`)
  expect(Number(exported[0]?.['n'])).toBeGreaterThan(TRANSACTIONS / 10)
  const unresolved = await rowsOf(
    plain,
    `with known as (
       select 'transaction' as subject_type, transaction_id::varchar as id from lake.seen.transaction_version
       union select 'settlement', settlement_id::varchar from lake.seen.settlement_version
       union select 'terminal', terminal_id::varchar from lake.seen.terminal_version
       union select subject_type, subject_id from lake.seen.quarantine
       union select 'terminal', terminal_id::varchar from lake.seen.transaction_version)
     select "exceptionId", "code", "subjectType", "subjectId" from pack_exceptions
     anti join known on known.subject_type = "subjectType" and known.id = "subjectId"`,
  )
  expect(unresolved).toEqual([])
})
