import { expect, test } from 'vitest'
import { members, reconcileWorld, verdicts } from '../../support/core-world.ts'
import { judged, type SeenSettlement, type SeenTransaction } from '../../support/seen-world.ts'
import { rowsOf } from '../../support/temp-lake.ts'

const day = (n: number) => `2026-11-${String(n).padStart(2, '0')}`

const offOnes = async (world: Parameters<typeof reconcileWorld>[0]) =>
  (
    await rowsOf(
      await reconcileWorld(world),
      `select concat_ws(' ', settlement_id, verdict, certificate, explanation, explained_by) as said from tieout where difference_cents <> 0`,
    )
  ).map((row) => row['said'])

/** The same records without the ids of settlements on them. */
const unnamed = <T extends { transactions: string }>(world: T): T => ({
  ...world,
  transactions: world.transactions.replaceAll(/in=\d+/g, ''),
})

test('a void transaction of the first of three days is in the interval of its settlement, with or without ids', async () => {
  const world = {
    settlements: `
      900 | 7 | 2026-11-02 00:30 | 100.00
      901 | 7 | 2026-11-05 00:30 | 123.45
      902 | 7 | 2026-11-06 00:30 | 70.00`,
    transactions: `
      1 | 7 | 2026-11-01 10:00 | 100.00 | in=900
      2 | 7 | 2026-11-02 10:00 | 60.00 | in=901
      3 | 7 | 2026-11-02 12:00 | 23.45 | void unsettled
      4 | 7 | 2026-11-04 12:00 | 40.00 | in=901
      5 | 7 | 2026-11-05 12:00 | 70.00 | in=902`,
  }
  const said = ['901 EXPLAINED UNIQUE MISSING_TRANSACTION 3']
  expect([await offOnes(unnamed(world)), await offOnes(world)]).toEqual([said, said])
})

test('a transaction after the cut-off is outside the interval, with or without ids', async () => {
  const days = [0, 1, 2, 3, 4, 5]
  const world = {
    settlements: days
      .map((i) => `${900 + i} | 7 | ${day(i + 2)} 03:00 | ${i === 3 ? '123.45' : '100.00'}`)
      .join('\n'),
    transactions: `${days
      .map(
        (i) => `${10 + i} | 7 | ${day(i + 1)} 20:00 | 60.00 | in=${900 + i}
          ${20 + i} | 7 | ${day(i + 1)} 01:00 | 40.00 | in=${900 + i}`,
      )
      .join('\n')}
      98 | 7 | 2026-11-03 23:00 | 23.45 | void unsettled
      99 | 7 | 2026-11-05 02:00 | 23.45 | void unsettled`,
  }
  const said = ['903 EXPLAINED UNIQUE MISSING_TRANSACTION 98']
  expect([await offOnes(unnamed(world)), await offOnes(world)]).toEqual([said, said])
})

test('a PENDING settlement has no transaction older than the COMPLETE ones before it, with or without ids', async () => {
  const world = {
    settlements: `
      900 | 7 | 2026-11-02 00:30 | 100.00
      901 | 7 | 2026-11-03 00:30 | 60.00
      902 | 7 | 2026-11-04 00:30 | 70.00 | PENDING`,
    transactions: `
      1 | 7 | 2026-11-01 10:00 | 100.00 | in=900
      9 | 7 | 2026-11-01 12:00 | 33.00 | unsettled
      2 | 7 | 2026-11-02 10:00 | 60.00 | in=901
      5 | 7 | 2026-11-03 12:00 | 50.00 | unsettled
      6 | 7 | 2026-11-03 13:00 | 20.00 | unsettled`,
  }
  for (const told of [unnamed(world), world]) {
    expect(await members(await reconcileWorld(told))).toContain('902: 5 6')
  }
})

test('two late captures of the same price in a week are each in one settlement, and all settlements tie', async () => {
  const net: number[] = []
  const transactions: string[] = []
  const add = (id: number, time: string, cents: number, i: number) => {
    transactions.push(`${id} | 7 | ${time} | ${(cents / 100).toFixed(2)}`)
    net[i] = (net[i] ?? 0) + cents
  }
  // Cut off at 21:00, made at 00:30 of the next day.
  for (let i = 1; i <= 12; i += 1) {
    add(10 * i, `${day(i)} 09:00`, 2000 + 110 * i, i)
    add(10 * i + 1, `${day(i)} 20:00`, 3001 + 107 * i, i)
    add(10 * i + 2, `${day(i)} 21:30`, 1700 + 101 * i, i + 1)
  }
  // The one of the 4th settles with the 5th, that of the evening of the 5th with the 7th.
  add(501, `${day(4)} 12:00`, 999, 5)
  add(502, `${day(5)} 22:00`, 999, 7)
  const settlements = Array.from(
    { length: 12 },
    (_, i) => `${901 + i} | 7 | ${day(i + 2)} 00:30 | ${((net[i + 1] ?? 0) / 100).toFixed(2)}`,
  )
  const connection = await reconcileWorld({
    settlements: settlements.join('\n'),
    transactions: transactions.join('\n'),
  })
  expect((await verdicts(connection)).filter((line) => !line.includes('TIED'))).toEqual([])
  expect(
    await rowsOf(
      connection,
      'select transaction_id from attribution group by transaction_id having count(*) > 1',
    ),
  ).toEqual([])
})

test('the explanation of the newest settlement is AMBIGUOUS, because no later one supports its cut-off', async () => {
  const settlements: SeenSettlement[] = []
  const transactions: SeenTransaction[] = []
  // Each cut-off is at 21:00 for a settlement at 00:30; that of the 8th is at 20:45. A charge of 20:50 is in the next
  // settlement, which is not made yet.
  for (let i = 1; i <= 8; i += 1) {
    const amounts = [2000 + 110 * i, 5001 + 107 * i, 11703 + 1013 * i]
    for (const [j, time] of ['09:00', '15:40', '20:50'].entries()) {
      const cents = amounts[j] ?? 0
      transactions.push({ id: 10 * i + j, terminal: 7, created: `${day(i)} ${time}`, cents })
    }
    const net = amounts.reduce((sum, cents) => sum + cents, 0)
    settlements.push({ id: 900 + i, terminal: 7, created: `${day(i + 1)} 00:30`, net })
  }
  const at = (i: number) => judgedWithout(settlements, transactions, i)
  // 80 alone is left out, and with the cut-off ten minutes earlier nothing else: two of the day explain as much.
  expect(await at(8)).toMatch(/^EXPLAINED AMBIGUOUS/)
  // The neighbours of a middle settlement show where it ends.
  expect(await at(5)).toMatch(/^EXPLAINED UNIQUE EXTRA_TRANSACTION 50 /)
})

/**
 * The verdict on the settlement of a day whose net leaves out its first transaction, and on the last day also its
 * last one.
 */
async function judgedWithout(
  settlements: readonly SeenSettlement[],
  transactions: readonly SeenTransaction[],
  i: number,
): Promise<string | undefined> {
  const out = transactions.filter(({ id }) => id === 10 * i || (i === 8 && id === 10 * i + 2))
  const less = out.reduce((sum, { cents }) => sum + cents, 0)
  const said = await judged({
    settlements: settlements.map((row) =>
      row.id === 900 + i ? { ...row, net: row.net - less } : row,
    ),
    transactions: [...transactions],
  })
  return said.get(900 + i)
}

test('a transaction with a PENDING settlement’s id is in it, even unsettled and at any time; others make up the rest', async () => {
  const world = {
    settlements: `
      900 | 7 | 2026-11-02 00:30 | 10.00
      901 | 7 | 2026-11-03 00:30 | 20.00 | PENDING
      902 | 7 | 2026-11-04 00:30 | 80.00 | PENDING`,
    transactions: `
      1 | 7 | 2026-11-01 10:00 | 10.00
      2 | 7 | 2026-11-02 10:00 | 50.00 | unsettled in=902
      5 | 7 | 2026-11-03 12:00 | 20.00 | unsettled in=901
      6 | 7 | 2026-11-03 13:00 | 30.00 | unsettled
      7 | 7 | 2026-11-03 14:00 | 40.00 | unsettled in=900`,
  }
  const connection = await reconcileWorld(world)
  expect(await members(connection)).toEqual(['900: 1', '901: 5', '902: 2 6'])
  const placed = await rowsOf(
    connection,
    `select concat_ws(' ', transaction_id, method) as said from pending_member order by transaction_id`,
  )
  expect(placed.map(({ said }) => said)).toEqual(['2 EXPLICIT_ID', '5 EXPLICIT_ID', '6 ALIGNED'])
})

test('no shift moves a transaction into a settlement whose transactions are not read yet', async () => {
  const settlements = [1, 2, 3, 4].map((i) => ({
    ...{ id: 900 + i, terminal: 7, created: `${day(i + 1)} 00:30` },
    // The last one was made after the transactions were read.
    ...{ net: 5000, seq: i === 4 ? 3 : 1 },
  }))
  const transactions = [1, 2, 3].map((i) => ({
    ...{ id: 10 + i, terminal: 7, created: `${day(i)} 10:00`, cents: 5000 },
  }))
  transactions.push({ id: 99, terminal: 7, created: `${day(3)} 12:00`, cents: 5000 })
  const said = await judged({ settlements, transactions })
  expect([said.get(903)?.split(' ')[0], said.get(904)?.split(' ')[0]]).toEqual(['BREAK', 'NO_DATA'])
})
