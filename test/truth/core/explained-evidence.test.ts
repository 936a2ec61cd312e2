import type { DuckDBConnection } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { evidenceOn } from '../../../queries/explanation-evidence.ts'
import { reconcileWorld } from '../../support/core-world.ts'

const DAYS = [2, 3, 4, 5, 6, 7]
const date = (day: number) => `2026-11-${String(day).padStart(2, '0')}`

/** Six days of terminals 7 and 8: 100.00 and some at nine, 50.00 and some at eight in the evening, settled at midnight. */
const world = (off: Record<string, number> = {}, more = '') => ({
  settlements: [7, 8]
    .flatMap((terminal) =>
      DAYS.map((day) => {
        const id = terminal * 100 + day
        const net = 15_000 + 33 * day * terminal + (off[id] ?? 0)
        return `${id} | ${terminal} | ${date(day)} 23:59:00 | ${(net / 100).toFixed(2)}`
      }),
    )
    .join('\n'),
  transactions:
    [7, 8]
      .flatMap((terminal) =>
        DAYS.flatMap((day) => {
          const id = terminal * 1000 + day * 10
          return [
            `${id} | ${terminal} | ${date(day)} 09:00:00 | ${((10_000 + 30 * day * terminal) / 100).toFixed(2)}`,
            `${id + 1} | ${terminal} | ${date(day)} 20:00:00 | ${((5000 + 3 * day * terminal) / 100).toFixed(2)}`,
          ]
        }),
      )
      .join('\n') + more,
})

async function evidence(connection: DuckDBConnection, id: number) {
  await connection.run(`set variable explained_id = ${id}::bigint`)
  return evidenceOn(connection)
}

test('the parts of a difference name transactions and the settlement on the other side, and add up to it', async () => {
  const cents = 10_000 + 30 * 4 * 7
  const connection = await reconcileWorld(world({ 704: -cents, 804: cents, 706: 777 }))
  expect((await evidence(connection, 704)).parts).toEqual([
    { name: 'WRONG_TERMINAL', amount: '108.40', transactions: '7040', otherSettlement: '804' },
  ])
  expect((await evidence(connection, 804)).parts).toEqual([
    { name: 'WRONG_TERMINAL', amount: '-108.40', transactions: '7040', otherSettlement: '704' },
  ])
  expect((await evidence(connection, 706)).parts).toEqual([
    { name: 'unexplained', amount: '-7.77', transactions: '', otherSettlement: '' },
  ])
  expect((await evidence(connection, 705)).parts).toEqual([])
})

test('a transaction moved to the next settlement is shown on both sides, and is in the net of no other cut-off', async () => {
  const cents = 10_000 + 30 * 4 * 7
  const connection = await reconcileWorld(world({ 704: -cents, 705: cents }))
  const here = await evidence(connection, 704)
  expect(here.parts).toEqual([
    { name: 'moved away', amount: '108.40', transactions: '7040', otherSettlement: '705' },
  ])
  expect((await evidence(connection, 705)).parts).toEqual([
    { name: 'moved here', amount: '108.40', transactions: '7040', otherSettlement: '704' },
  ])
  const nets = here.cutOffs.map(({ computedNet, difference, isChosen }) =>
    [computedNet, difference, isChosen].join(' '),
  )
  // Without the evening nothing is left, since the morning is in the next one.
  expect(nets).toContain('0.00 -50.84 false')
  expect(nets).toContain('50.84 0.00 true')
})

test('the evidence shows a possible swap of two transactions, and when the settlement was observed', async () => {
  const twins =
    '\n1 | 7 | 2026-11-04 21:00:00 | 9.00\n2 | 7 | 2026-11-04 23:58:00 | 9.00\n3 | 7 | 2026-11-05 00:30:00 | 9.00'
  const connection = await reconcileWorld(world({ 704: 1800, 705: 900 }, twins))
  const found = await evidence(connection, 704)
  expect(found.swaps).toContainEqual({ leave: '2', join: '3' })
  expect(found.observed).toEqual([
    { at: '2026-12-01T00:00:00Z', what: 'settlement COMPLETE at 177.24' },
  ])
})

test('no cut-off is tried if ids place all members; if they place some, the last of them may be the cut-off', async () => {
  const day = (date: string, at: string, more = '') => `2026-11-${date} ${at} | 10.00${more}`
  const settlements = ['02', '03', '04', '05'].map(
    (date, place) => `${900 + place} | 7 | 2026-11-${date} 23:00 | 20.00`,
  )
  const transactions = [
    `1 | 7 | ${day('02', '09:00')}\n2 | 7 | ${day('02', '20:00')}`,
    `3 | 7 | ${day('03', '09:00', ' | in=901')}\n4 | 7 | ${day('03', '20:00', ' | in=901')}`,
    `5 | 7 | ${day('04', '12:00')}\n6 | 7 | ${day('04', '20:00', ' | in=902')}`,
    `7 | 7 | ${day('05', '13:00')}\n8 | 7 | ${day('05', '20:00')}`,
  ]
  const connection = await reconcileWorld({
    settlements: settlements.join('\n'),
    transactions: transactions.join('\n'),
  })
  expect((await evidence(connection, 901)).cutOffs).toEqual([])
  const { cutOffs } = await evidence(connection, 902)
  expect(cutOffs.find(({ isChosen }) => isChosen)).toMatchObject({ at: '2026-11-04T20:00:00Z' })
})

test('the evidence shows other intervals with the same net, and their number', async () => {
  const connection = await reconcileWorld({
    settlements: `
      900 | 7 | 2026-11-02 23:00 | 20.00
      901 | 7 | 2026-11-03 23:00 | 41.00
      902 | 7 | 2026-11-04 23:00 | 33.00`,
    // Nothing says which settlement the VERIFY between the first two is in: either way they tie.
    transactions: `
      1 | 7 | 2026-11-02 15:00 | 20.00
      2 | 7 | 2026-11-02 19:00 | 0.00 | verify
      3 | 7 | 2026-11-03 15:00 | 41.00
      4 | 7 | 2026-11-04 15:00 | 33.00`,
  })
  const { rivalStretches, rivalStretchesFound, swaps } = await evidence(connection, 901)
  expect({ rivalStretches, rivalStretchesFound, swaps }).toEqual({
    ...{ rivalStretchesFound: 1, swaps: [] },
    rivalStretches: [{ from: '2026-11-03T15:00:00Z', until: '2026-11-03T15:00:00Z' }],
  })
  expect((await evidence(connection, 902)).rivalStretchesFound).toBe(0)
})

test('a settlement between two that do not tie shows how many nets could have matched by chance', async () => {
  // There are sixty charges a day, one each twenty minutes, of about 10.00 each. The cut-off comes before the last
  // charge, and on the 6th before the last two.
  const cents = (day: number, place: number) => 700 + ((day * 37 + place * 101) % 613)
  const days = [2, 3, 4, 5, 6, 7, 8, 9, 10]
  const places = Array.from({ length: 60 }, (_, place) => place + 1)
  const lastOf = (day: number) => (day === 6 ? 58 : 59)
  const charges = days.flatMap((day) =>
    places.map((place) => ({ day, place, cents: cents(day, place), id: day * 100 + place })),
  )
  const net = (day: number) =>
    charges
      .filter(
        (one) =>
          (one.day === day && one.place <= lastOf(day)) ||
          (one.day === day - 1 && one.place > lastOf(day - 1)),
      )
      .reduce((sum, one) => sum + one.cents, 0)
  const off: Record<number, number> = { 5: 41_234, 7: 35_791 }
  const history = (isOff: boolean) => ({
    settlements: days
      .map(
        (day) =>
          `${900 + day} | 7 | ${date(day)} 23:30 | ${((net(day) + (isOff ? (off[day] ?? 0) : 0)) / 100).toFixed(2)}`,
      )
      .join('\n'),
    transactions: charges
      .map(
        (one) =>
          `${one.id} | 7 | ${date(one.day)} ${String(Math.floor(one.place / 3)).padStart(2, '0')}:${(one.place % 3) * 2}0 | ${(one.cents / 100).toFixed(2)}`,
      )
      .join('\n'),
  })
  const connection = await reconcileWorld(history(true))
  const reader = await connection.runAndReadAll(
    'select settlement_id::integer, verdict, method, certificate, rival_count::integer from tieout where settlement_id between 905 and 907 order by all',
  )
  expect(reader.getRows()).toEqual([
    [905, 'BREAK', 'WINDOW', 'UNSOLVED', 0],
    [906, 'TIED', 'ALIGNED', 'AMBIGUOUS', 1],
    [907, 'BREAK', 'ALIGNED', 'UNSOLVED', 0],
  ])
  expect((await evidence(connection, 906)).netsByChance).toBe(59 * 59)
  expect((await evidence(connection, 908)).netsByChance).toBe(0)
  // The same between two that tie.
  const inOrder = await reconcileWorld(history(false))
  expect((await evidence(inOrder, 906)).netsByChance).toBe(0)
})
