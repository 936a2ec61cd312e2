/**
 * Goal: statements that hold for every terminal, whatever its records are. Method: two thousand drawn terminals in one
 * lake, each with transactions that must not count, and variants of them in which one thing changed.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { beforeAll, expect, test } from 'vitest'
import { randomFrom } from '../../../simulator/world/random.ts'
import { rowsOf } from '../../support/temp-lake.ts'
import {
  type LakeTransaction,
  reconciled,
  reconcileRecords,
  type Verdict,
  verdictsOf,
} from './bulk-lake.ts'
import type { Item } from './cut-offs.ts'
import { instantAt, type Made, recordsOf, smallCase } from './small-cases.ts'

const CASES = 2000
const APART = 1_000_000

/** Transactions that no net contains: of no amount, not captured, declined, or not settled. */
function uncounted({ terminal, items }: Made): LakeTransaction[] {
  const random = randomFrom(terminal, 78)
  const ways = [
    { status: 'HOLD', settled: false },
    { status: 'VOID', settled: false },
    { approved: false, settled: false },
    { settled: false },
    { signed_cents: 0 },
  ] as const
  return Array.from({ length: random.below(4) }, (_, at) => ({
    transaction_id: terminal * 100 + 80 + at,
    terminal_id: terminal,
    created: instantAt(items[random.below(items.length)]?.at ?? 0),
    signed_cents: 100 * (1 + random.below(300)),
    ...random.pick(ways),
  }))
}

const withItems = (small: Made, by: number, items: readonly Item[]): Made => ({
  ...small,
  terminal: small.terminal + by,
  items: items.map((item) => ({ ...item, id: item.id + by * 100 })),
  batches: small.batches.map((batch) => ({ ...batch, id: batch.id + by * 10 })),
})

/** The item that a variant doubles or leaves out. */
const chosen = ({ terminal, items }: Made): Item | undefined => items[terminal % items.length]

/** A charge and a refund of the same amount at the time of a known transaction. */
function withPair(small: Made): Made {
  const at = chosen(small)?.at ?? 0
  const cents = 70_007 + small.terminal
  const pair = [cents, -cents].map((signed, i) => ({
    ...{ id: small.terminal * 100 + 90 + i, at },
    cents: signed,
  }))
  const items = [...small.items, ...pair].toSorted((a, b) => a.at - b.at || a.id - b.id)
  return withItems(small, APART, items)
}

const withoutOne = (small: Made): Made =>
  withItems(
    small,
    2 * APART,
    small.items.filter((item) => item !== chosen(small)),
  )

const cases = Array.from({ length: CASES }, (_, i) => smallCase(i + 1))
const drawn = [...cases, ...cases.map(withPair), ...cases.map(withoutOne)]
let connection: DuckDBConnection
let verdicts: Map<number, Verdict>

beforeAll(async () => {
  const { settlements, transactions } = recordsOf(drawn)
  const records = { settlements, transactions: [...transactions, ...cases.flatMap(uncounted)] }
  connection = await reconciled(records, ['tieout', 'transaction_standing', 'posted_line'])
  verdicts = await verdictsOf(connection)
  return () => connection.closeSync()
})

const broken = (sql: string) => rowsOf(connection, `select * from (${sql}) limit 3`)

test('I1: every settled charge or refund is in one settlement, or it is an orphan, and never both', async () => {
  expect(
    await broken(`
      with place as (
        select transaction_id from attribution
        union all
        select transaction_id from transaction_standing where standing = 'ORPHAN')
      select transaction_id, count(place.transaction_id) as places
      from current_transaction left join place using (transaction_id)
      where settled and action <> 'VERIFY' group by all having places <> 1`),
  ).toEqual([])
})

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0)

test('I2: members and difference add up to the reported net, for each settlement, each terminal and the run', () => {
  const cents = new Map(
    drawn.flatMap(({ items }) => items.map((item) => [item.id, item.cents] as const)),
  )
  const lines = drawn.flatMap(({ terminal, batches }) =>
    batches.flatMap(({ id, net }) => {
      const found = verdicts.get(id)
      // Nothing is attributed to a settlement without data, and its whole net remains.
      if (found === undefined || found.verdict === 'NO_DATA') return []
      const attributed = sumOf(found.members.map((member) => cents.get(member) ?? 0))
      return [{ terminal, id, net, attributed, residual: -found.difference_cents }]
    }),
  )
  expect(lines.length).toBeGreaterThan(drawn.length)
  type Line = (typeof lines)[number]
  const keys: ((line: Line) => number)[] = [({ id }) => id, ({ terminal }) => terminal, () => 0]
  for (const key of keys) {
    const left = new Map<number, number>()
    for (const line of lines)
      left.set(key(line), (left.get(key(line)) ?? 0) + line.net - line.attributed - line.residual)
    expect([...left].filter(([, rest]) => rest !== 0).slice(0, 3)).toEqual([])
  }
})

test('I3: no settlement contains a transaction that was not settled', async () => {
  expect(
    await broken(`
      select transaction_id from attribution inner join current_transaction using (transaction_id) where not settled`),
  ).toEqual([])
  const { n } = (
    await rowsOf(
      connection,
      `select count(*)::integer as n from current_transaction where not settled`,
    )
  )[0] as { n: number }
  expect(n).toBeGreaterThan(CASES / 2)
})

test('I15: every entry of the journal balances, and the deposits are the reported nets', async () => {
  expect(
    await broken(`
      select entry_id from posted_line group by entry_id having sum(amount_cents) <> 0`),
  ).toEqual([])
  expect(
    await broken(`
      with deposit as (
        select settlement_id, sum(amount_cents) as cents
        from posted_line where account_key = 'cash_in_transit' group by all)
      select settlement_id, reported_cents, cents from tieout left join deposit using (settlement_id)
      where reported_cents <> coalesce(cents, 0)`),
  ).toEqual([])
})

/** The verdicts of a terminal by day. */
const daysOf = ({ batches }: Made): (Verdict | undefined)[] =>
  batches.map(({ id }) => verdicts.get(id))

const isProved = (small: Made) =>
  daysOf(small).every(
    (day) => day?.verdict === 'TIED' && day.certificate === 'UNIQUE' && day.explanation === '',
  )

test('I11: a charge and an equal refund at the same time change no net that was proved', () => {
  const proved = cases.filter(isProved)
  expect(proved.length).toBeGreaterThan(CASES / 10)
  const wrong = proved.filter((small) => {
    const after = daysOf(withPair(small))
    return daysOf(small).some(
      (day, at) =>
        after[at]?.verdict !== 'TIED' || day?.difference_cents !== after[at]?.difference_cents,
    )
  })
  expect(wrong.slice(0, 3)).toEqual([])
})

/** The money of a terminal: in its settlements as computed, and in no settlement. */
async function totals(): Promise<Map<number, number>> {
  const rows = await rowsOf(
    connection,
    `select terminal_id::integer as terminal, sum(cents)::integer as cents from (
       select terminal_id, computed_cents as cents from tieout
       union all
       select terminal_id, signed_cents from transaction_standing where standing = 'ORPHAN')
     group by all`,
  )
  return new Map(
    (rows as { terminal: number; cents: number }[]).map(({ terminal, cents }) => [terminal, cents]),
  )
}

test('I12: without one of its transactions a terminal has less by its amount, and not all its settlements tie', async () => {
  const some = cases.filter((small) => isProved(small) && (chosen(small)?.cents ?? 0) !== 0)
  expect(some.length).toBeGreaterThan(CASES / 10)
  const total = await totals()
  const wrong = some.filter((small) => {
    const left = withoutOne(small)
    const missing = (total.get(small.terminal) ?? 0) - (total.get(left.terminal) ?? 0)
    const isInOne = daysOf(small).some((day) => day?.members.includes(chosen(small)?.id ?? 0))
    const allTie = daysOf(left).every((day) => day?.verdict === 'TIED')
    // Amounts that are equal may make the rest tie in another way.
    const isWide = small.kind.startsWith('wide')
    return missing !== chosen(small)?.cents || (isWide && isInOne && allTie)
  })
  expect(wrong.slice(0, 3)).toEqual([])
})

/** Days whose transactions lie hours before the end, with amounts of which hardly two are equal. */
function separateDays(seed: number): { made: Made; missing: Item; day: number } {
  const random = randomFrom(seed, 79)
  const terminal = 3 * APART + seed
  const days = 3 + random.below(3)
  const batches = Array.from({ length: days }, (_, day) => ({
    id: terminal * 10 + day,
    at: (day + 1) * 24 * 60 - 120,
    net: 0,
  }))
  const items = batches.flatMap((batch, day) =>
    Array.from({ length: 2 + random.below(4) }, (_, place): Item => {
      const cents = (random.below(5) === 0 ? -1 : 1) * (10_001 + random.below(90_000_000))
      batch.net += cents
      return {
        id: terminal * 100 + day * 10 + place,
        at: batch.at - 14 * 60 + place * 10 + random.below(10),
        cents,
      }
    }),
  )
  const missing = random.pick(items)
  const day = Math.floor((missing.id % 100) / 10)
  const made = { terminal, kind: 'separate', items: items.filter((it) => it !== missing), batches }
  return { made, missing, day }
}

test('I12: a missing transaction makes exactly its settlement differ, by its amount', async () => {
  const separate = Array.from({ length: CASES / 2 }, (_, i) => separateDays(i + 1))
  const found = await verdictsOf(
    await reconcileRecords(recordsOf(separate.map(({ made }) => made))),
  )
  const wrong = separate.filter(({ made, missing, day }) =>
    made.batches.some(
      ({ id }, at) => found.get(id)?.difference_cents !== (at === day ? -missing.cents : 0),
    ),
  )
  expect(wrong.slice(0, 3)).toEqual([])
})
