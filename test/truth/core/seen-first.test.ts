import { describe, expect, test } from 'vitest'
import {
  judged,
  reconcileSeen,
  type SeenSettlement,
  type SeenSweep,
  type SeenTransaction,
} from '../../support/seen-world.ts'
import { rowsOf } from '../../support/temp-lake.ts'

const day = (n: number) => `2026-11-${String(n).padStart(2, '0')}`

/** Settlements, transactions, and settlements again, read in the night to this day. */
const sweepsOf = (i: number): SeenSweep[] =>
  (['settlements', 'transactions', 'settlements'] as const).map((list, k) => ({
    list,
    started: `${day(i + 1)} 02:00`,
    started_seq: 3 * i + k - 1,
    seq: 3 * i + k,
  }))

describe('settlements at 12:00 and 23:50, read each night', () => {
  /** Terminal 8, with one settlement a day, tells which event turns the flag. */
  function nightly() {
    const settlements: SeenSettlement[] = []
    const transactions: SeenTransaction[] = []
    const sweeps: SeenSweep[] = []
    for (let i = 1; i <= 8; i += 1) {
      const observed = `${day(i + 1)} 02:00`
      sweeps.push(...sweepsOf(i))
      const made = { terminal: 7, seq: 3 * i, observed }
      settlements.push(
        { ...made, id: 900 + 2 * i, created: `${day(i)} 12:00`, net: 3000 + 17 * i },
        { ...made, id: 901 + 2 * i, created: `${day(i)} 23:50`, net: 7000 + 31 * i },
      )
      const read = { terminal: 7, seq: 3 * i + 1, observed }
      transactions.push(
        { ...read, id: 100 * i, created: `${day(i)} 09:00`, cents: 1000 + 17 * i },
        { ...read, id: 100 * i + 1, created: `${day(i)} 10:00`, cents: 2000 },
        { ...read, id: 100 * i + 2, created: `${day(i)} 15:00`, cents: 4000 },
        { ...read, id: 100 * i + 3, created: `${day(i)} 16:00`, cents: 3000 + 31 * i },
      )
      if (i > 3) continue
      settlements.push({
        ...{ ...made, terminal: 8, id: 800 + i },
        ...{ created: `${day(i)} 23:50`, net: 5000 + i },
      })
      const other = { ...read, terminal: 8 }
      transactions.push(
        { ...other, id: 5000 + 2 * i, created: `${day(i)} 09:00`, cents: 2000 + i },
        { ...other, id: 5001 + 2 * i, created: `${day(i)} 10:00`, cents: 3000 },
      )
    }
    const off = (id: number, cents: number) => {
      for (const settlement of settlements) if (settlement.id === id) settlement.net += cents
    }
    return { settlements, transactions, sweeps, off }
  }

  test('a transaction that was unsettled after a settlement was made is not in it, though both nets would fit', async () => {
    const { off, ...world } = nightly()
    // The charge is of the morning of the 2nd and settled in the night to the 4th. Its settlement is 906 or 907, of the 3rd.
    const late = { id: 777, terminal: 7, created: `${day(2)} 09:30`, cents: 666 }
    world.transactions.push(
      { ...late, settled: false, seq: 7, observed: `${day(3)} 02:00` },
      { ...late, seq: 10, observed: `${day(4)} 02:00` },
    )
    off(905, 666)
    expect((await judged(world)).get(905)).not.toContain('777')
  })

  test('a transaction edited after it was seen settled stays in its settlement, on a terminal ordered by lastModified', async () => {
    const { off, ...world } = nightly()
    // Captured long after they were created, so that only last modified places them.
    for (let i = 2; i <= 7; i += 1) {
      world.transactions.push({
        ...{ id: 7000 + i, terminal: 7, created: `2026-10-${10 + i} 09:00`, cents: 500 + i },
        ...{ modified: `${day(i)} 09:30`, seq: 3 * i + 1, observed: `${day(i + 1)} 02:00` },
      })
      off(900 + 2 * i, 500 + i)
    }
    world.transactions.push({
      ...{ id: 7003, terminal: 7, created: '2026-10-13 09:00', cents: 503 },
      ...{ modified: `${day(5)} 20:00`, seq: 16, observed: `${day(6)} 02:00` },
    })
    const said = await judged(world)
    expect(said.get(906)).toMatch(/^TIED \w+ \[.*\b7003\b/)
    expect([...said.values()].filter((line) => !line.startsWith('TIED'))).toEqual([])
  })

  test('a transaction whose settled flag turns off and on returns to its settlement if that ties, else to a later one', async () => {
    const again = async (change: (off: (id: number, cents: number) => void) => void) => {
      const { off, ...world } = nightly()
      const one = { id: 300, terminal: 7, created: `${day(3)} 09:00`, cents: 1051 }
      world.transactions.push(
        { ...one, settled: false, seq: 16, observed: `${day(6)} 02:00` },
        { ...one, seq: 19, observed: `${day(7)} 02:00` },
      )
      change(off)
      return await judged(world)
    }
    const back = await again(() => {})
    expect(back.get(906)).toMatch(/^TIED \w+ \[300 301\]/)
    expect([...back.values()].filter((line) => !line.startsWith('TIED'))).toEqual([])
    const moved = await again((off) => {
      off(906, -1051)
      off(912, 1051)
    })
    expect(moved.get(906)).toMatch(/^TIED \w+ .*\[301\]/)
    expect(moved.get(912)).toMatch(/^TIED \w+ .*\[300 600 601\]/)
  })

  test('a transaction seen settled before a settlement was made does not move into it', async () => {
    const { off, ...world } = nightly()
    // Two errors: 906 leaves 20.00 out, and 911 counts a void one of 20.00.
    off(906, -2000)
    off(911, 2000)
    world.transactions.push({
      ...{ id: 555, terminal: 7, created: `${day(5)} 15:30`, cents: 2000 },
      ...{ status: 'VOID', settled: false, seq: 16, observed: `${day(6)} 02:00` },
    })
    const said = await judged(world)
    // 301 was seen settled on the 4th, and 910 was made on the 5th.
    expect(said.get(910)).not.toContain('301')
    expect([said.get(906), said.get(907)]).toContainEqual(expect.stringContaining('301'))
  })
})

test('a settlement whose members were all observed is not UNIQUE if another transaction may be in it', async () => {
  const settlements: SeenSettlement[] = []
  const transactions: SeenTransaction[] = []
  const sweeps: SeenSweep[] = []
  for (let i = 1; i <= 6; i += 1) {
    const observed = `${day(i + 1)} 02:00`
    sweeps.push(...sweepsOf(i))
    settlements.push({
      ...{ id: 900 + i, terminal: 7, created: `${day(i + 1)} 00:30`, net: 12000 + 100 * i },
      ...{ seq: 3 * i, observed },
    })
    const read = { terminal: 7, seq: 3 * i + 1, observed }
    transactions.push(
      { ...read, id: 10 * i, created: `${day(i)} 10:00`, cents: 10000 + 100 * i },
      { ...read, id: 10 * i + 1, created: `${day(i)} 20:00`, cents: 2000 },
    )
  }
  // A VERIFY, read a night late: by what was seen, and by the nets, it may be in 903 or in 904.
  transactions.push({
    ...{ id: 700, terminal: 7, created: `${day(3)} 19:00`, cents: 0 },
    ...{ seq: 13, observed: `${day(5)} 02:00` },
  })
  const said = await judged({ settlements, transactions, sweeps })
  expect([901, 902, 903, 904, 905].map((id) => said.get(id)?.split(' ')[1])).toEqual([
    'UNIQUE',
    'UNIQUE',
    'AMBIGUOUS',
    'AMBIGUOUS',
    'UNIQUE',
  ])
})

test('a PENDING settlement of a terminal that was read nightly from its first day takes no old transaction', async () => {
  const settlements: SeenSettlement[] = []
  const transactions: SeenTransaction[] = []
  const sweeps: SeenSweep[] = []
  for (let i = 1; i <= 6; i += 1) sweeps.push(...sweepsOf(i))
  for (const terminal of [7, 8]) {
    for (let i = 1; i <= 6; i += 1) {
      const now = { observed: `${day(i + 1)} 02:00` }
      const next = { observed: `${day(i + 2)} 02:00` }
      const made = {
        ...{ id: terminal * 100 + i, terminal },
        ...{ created: `${day(i)} 23:50`, net: 5000 + i },
      }
      settlements.push({ ...made, ...now, seq: 3 * i, status: 'PENDING' })
      if (i < 6) settlements.push({ ...made, ...next, seq: 3 * i + 3 })
      for (const [j, cents] of [2000 + i, 3000].entries()) {
        const one = {
          ...{ id: terminal * 1000 + 10 * i + j, terminal },
          ...{ created: `${day(i)} 1${j}:00`, cents },
        }
        transactions.push({ ...one, ...now, seq: 3 * i + 1, settled: false })
        if (i < 6) transactions.push({ ...one, ...next, seq: 3 * i + 4 })
      }
    }
  }
  // Older than three COMPLETE settlements, and still open.
  transactions.push({
    ...{ id: 8900, terminal: 8, created: `${day(2)} 12:00`, cents: 777 },
    ...{ settled: false, seq: 7, observed: `${day(3)} 02:00` },
  })
  const world = { settlements, transactions, sweeps }
  expect((await judged(world)).get(806)).toBe('PENDING [8060 8061]')
  const places = await rowsOf(
    await reconcileSeen(world),
    'select standing::varchar as standing from transaction_standing where transaction_id = 8900',
  )
  expect(places).toEqual([{ standing: 'OPEN' }])
})
