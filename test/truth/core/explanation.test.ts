/**
 * Goal: each cause of a difference gets its name, its transactions and its amount. Method: one world, with one net
 * changed at a time.
 */
import { expect, test } from 'vitest'
import { reconcileWorld } from '../../support/core-world.ts'
import { rowsOf } from '../../support/temp-lake.ts'

/**
 * The world has ten days of two terminals, seven and eight. Every amount occurs once, so that each cause is distinct.
 */
const DAYS = Array.from({ length: 10 }, (_, i) => i + 1)
const date = (day: number) => `2026-11-${String(day).padStart(2, '0')}`
const idOf = (terminal: number, day: number) => terminal * 100 + day

interface Row {
  id: number
  terminal: number
  at: string
  cents: number
  flags?: string
}

/** Each terminal has three charges and a refund a day before 21:00; its settlement is made at 22:00. */
function world(): Row[] {
  return [7, 8].flatMap((terminal) =>
    DAYS.flatMap((day) => {
      const base = terminal * 10_000 + day * 10
      const seed = terminal * 1000 + day * 137
      return [
        [1, '09:15:00', 2000 + seed * 3],
        [2, '12:40:00', 1300 + seed * 7],
        [3, '15:05:00', 5100 + seed * 11],
        [4, '20:30:00', -(700 + seed)],
      ].map(([n, time, cents]) => ({
        id: base + Number(n),
        terminal,
        at: `${date(day)} ${String(time)}`,
        cents: Number(cents),
      }))
    }),
  )
}

const money = (cents: number) =>
  `${cents < 0 ? '-' : ''}${Math.trunc(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`

/** Reconciles the rows against nets that are off by `off` cents where it says so. */
async function explained(rows: Row[], off: Record<string, number>) {
  const settlements = [7, 8].flatMap((terminal) =>
    DAYS.map((day) => {
      const members = rows.filter(
        (row) =>
          row.terminal === terminal &&
          row.at.startsWith(date(day)) &&
          !/unsettled|verify/.test(row.flags ?? ''),
      )
      const net = members.reduce((sum, row) => sum + row.cents, 0)
      const id = idOf(terminal, day)
      return `${id} | ${terminal} | ${date(day)} 22:00:00 | ${money(net + (off[id] ?? 0))} | COMPLETE`
    }),
  )
  const connection = await reconcileWorld({
    settlements: settlements.join('\n'),
    transactions: rows
      .map(({ id, terminal, at, cents, flags }) =>
        [id, terminal, at, money(cents), flags ?? ''].join(' | '),
      )
      .join('\n'),
  })
  const found = await rowsOf(
    connection,
    `select concat_ws(' ', settlement_id, verdict, certificate, explanation, explained_by, explained_cents, unexplained_cents, candidates) as line
     from tieout where explanation is not null order by settlement_id`,
  )
  return found.map((row) => String(row['line']))
}

const amountOf = (rows: Row[], id: number) => rows.find((row) => row.id === id)?.cents ?? 0

test('a member that the net lacks is an EXTRA_TRANSACTION, and one that it counts twice is COUNTED_TWICE', async () => {
  const rows = world()
  const lines = await explained(rows, {
    704: -amountOf(rows, 70_042),
    805: amountOf(rows, 80_053),
  })
  const [extra, twice] = [amountOf(rows, 70_042), amountOf(rows, 80_053)]
  expect(lines).toEqual([
    `704 EXPLAINED UNIQUE EXTRA_TRANSACTION 70042 ${extra} 0`,
    `805 EXPLAINED UNIQUE COUNTED_TWICE 80053 ${-twice} 0`,
  ])
})

test('a refund that was left out, and one that was added, are both REFUND_SIGN', async () => {
  const rows = world()
  const refund = (id: number) => -amountOf(rows, id)
  const lines = await explained(rows, { 703: refund(70_034), 806: 2 * refund(80_064) })
  // The last of its day could as well have been left out of the next settlement.
  expect(lines).toEqual([
    `703 EXPLAINED AMBIGUOUS REFUND_SIGN 70034 ${-refund(70_034)} 0`,
    `806 EXPLAINED UNIQUE REFUND_SIGN 80064 ${-2 * refund(80_064)} 0`,
  ])
})

test('a void or declined transaction that the net counts is a MISSING_TRANSACTION', async () => {
  const rows = [
    ...world(),
    { id: 1, terminal: 7, at: `${date(6)} 13:00:00`, cents: 4321, flags: 'unsettled declined' },
    { id: 2, terminal: 8, at: `${date(3)} 13:00:00`, cents: 1234, flags: 'unsettled void' },
  ]
  expect(await explained(rows, { 706: 4321, 803: 1234 })).toEqual([
    '706 EXPLAINED UNIQUE MISSING_TRANSACTION 1 -4321 0',
    '803 EXPLAINED UNIQUE MISSING_TRANSACTION 2 -1234 0',
  ])
})

test('a transaction paid to another terminal is WRONG_TERMINAL, on both sides', async () => {
  const rows = world()
  const cents = amountOf(rows, 70_053)
  expect(await explained(rows, { 705: -cents, 805: cents })).toEqual([
    `705 EXPLAINED UNIQUE WRONG_TERMINAL 70053 ${cents} 0`,
    `805 EXPLAINED UNIQUE WRONG_TERMINAL 70053 ${-cents} 0`,
  ])
})

test('a transaction counted by the next settlement moves there, and both tie by a CUTOFF_SHIFT', async () => {
  const rows = world()
  const cents = amountOf(rows, 70_052)
  expect(await explained(rows, { 705: -cents, 706: cents })).toEqual([
    '705 TIED UNIQUE CUTOFF_SHIFT 70052 0 0',
    '706 TIED UNIQUE CUTOFF_SHIFT 70052 0 0',
  ])
})

test('two members left out are a COMBINATION, if hardly any two would match by chance', async () => {
  const rows = world()
  const cents = amountOf(rows, 80_041) + amountOf(rows, 80_043)
  expect(await explained(rows, { 804: -cents })).toEqual([
    `804 EXPLAINED UNIQUE COMBINATION 80041;80043 ${cents} 0`,
  ])
})

test('two equal amounts are candidates and no explanation', async () => {
  const rows = world().map((row) => (row.id === 70_041 ? { ...row, cents: 9999 } : row))
  const twins = rows.map((row) => (row.id === 70_042 ? { ...row, cents: 9999 } : row))
  expect(await explained(twins, { 704: -9999 })).toEqual([
    '704 BREAK UNSOLVED UNEXPLAINED 0 9999 2 sets: EXTRA_TRANSACTION 70041, EXTRA_TRANSACTION 70042',
  ])
})

test('many equal amounts are counted, and ten of them are named', async () => {
  const twelve = Array.from({ length: 12 }, (_, i) => ({
    id: 11 + i,
    terminal: 7,
    at: `${date(4)} 10:00:00`,
    cents: 777,
  }))
  const named = twelve.slice(0, 10).map(({ id }) => `EXTRA_TRANSACTION ${id}`)
  expect(await explained([...world(), ...twelve], { 704: -777 })).toEqual([
    `704 BREAK UNSOLVED UNEXPLAINED 0 777 12 sets: ${named.join(', ')} and 2 more`,
  ])
})

test('a single transaction goes before components of all transactions with the same sum', async () => {
  const tip = (id: number, cents: string) => (row: Row) =>
    row.id === id ? { ...row, flags: `tip=${cents}` } : row
  const rows = world().map(tip(70_041, '1.00')).map(tip(70_042, '4.32'))
  const charge = { id: 1, terminal: 7, at: `${date(4)} 13:00:00`, cents: 532 }
  expect(await explained([...rows, charge], { 704: -532 })).toEqual([
    '704 EXPLAINED UNIQUE EXTRA_TRANSACTION 1 532 0',
  ])
  expect(await explained(rows, { 704: -532 })).toEqual([
    '704 EXPLAINED UNIQUE COMPONENT_EXCLUDED 70041;70042 532 0',
  ])
})

test('no explanation picks one of two equal members, or one of two terminals, for WRONG_TERMINAL', async () => {
  const twins = [1, 2].map((id) => ({ id, terminal: 7, at: `${date(5)} 13:00:00`, cents: 4321 }))
  expect(await explained([...world(), ...twins], { 705: -4321, 805: 4321 })).toEqual([
    '705 BREAK UNSOLVED UNEXPLAINED 0 4321 2 sets: WRONG_TERMINAL 1 with 805, WRONG_TERMINAL 2 with 805',
    '805 BREAK UNSOLVED UNEXPLAINED 0 -4321 2 sets: WRONG_TERMINAL 1 with 705, WRONG_TERMINAL 2 with 705',
  ])
  const rows = world()
  const cents = amountOf(rows, 70_053)
  expect(await explained(rows, { 705: -cents, 803: cents, 805: cents, 809: cents })).toEqual([
    `705 BREAK UNSOLVED UNEXPLAINED 0 ${cents} 2 sets: WRONG_TERMINAL 70053 with 803, WRONG_TERMINAL 70053 with 805`,
    `803 BREAK UNSOLVED UNEXPLAINED 0 ${-cents} WRONG_TERMINAL 70053 with 705`,
    `805 BREAK UNSOLVED UNEXPLAINED 0 ${-cents} WRONG_TERMINAL 70053 with 705`,
    `809 BREAK UNSOLVED UNEXPLAINED 0 ${-cents}`,
  ])
})

test('no explanation picks between a charge of one terminal and a refund of the other that fit the same two differences', async () => {
  const rows = [
    ...world(),
    { id: 1, terminal: 7, at: `${date(5)} 13:00:00`, cents: 4321 },
    { id: 2, terminal: 8, at: `${date(6)} 13:00:00`, cents: -4321 },
  ]
  expect(await explained(rows, { 705: -4321, 806: 4321 })).toEqual([
    '705 BREAK UNSOLVED UNEXPLAINED 0 4321 2 sets: WRONG_TERMINAL 1 with 806, WRONG_TERMINAL 2 with 806',
    '806 BREAK UNSOLVED UNEXPLAINED 0 -4321 2 sets: WRONG_TERMINAL 1 with 705, WRONG_TERMINAL 2 with 705',
  ])
})

test('a difference without any cause is a BREAK of its whole amount', async () => {
  expect(await explained(world(), { 704: -31, 808: 17 })).toEqual([
    '704 BREAK UNSOLVED UNEXPLAINED 0 31',
    '808 BREAK UNSOLVED UNEXPLAINED 0 -17',
  ])
})

test('an unsettled transaction in a net is found by lastModified on a terminal with that clock', async () => {
  const two = (n: number) => String(n).padStart(2, '0')
  const kept = (day: number) => 30_000 + day * 137
  const isTouched = (day: number) => day % 3 === 0
  // Every third day a charge is touched two days later, and is settled then.
  const days = Array.from({ length: 14 }, (_, i) => i + 1)
  const transactions = days.flatMap((day) => [
    `${100 + day} | 7 | 2026-11-${two(day)} 12:50 | ${money(10_000 + day * 711)}`,
    `${200 + day} | 7 | 2026-11-${two(day)} 16:00 | ${money(2000 + day * 91)}`,
    `${300 + day} | 7 | 2026-11-${two(day)} 13:00 | ${money(kept(day))} ${isTouched(day) ? `| modified=2026-11-${two(day + 2)}T13:00:00` : ''}`,
  ])
  const settlements = days.map((day) => {
    const own = 12_000 + day * 802 + (isTouched(day) ? 0 : kept(day))
    const touched = day > 2 && isTouched(day - 2) ? kept(day - 2) : 0
    return `${day} | 7 | 2026-11-${two(day)} 23:30 | ${money(own + touched + (day === 7 ? 7777 : 0))}`
  })
  const connection = await reconcileWorld({
    settlements: settlements.join('\n'),
    transactions: [
      ...transactions,
      '999 | 7 | 2026-11-05 14:00 | 77.77 | hold unsettled modified=2026-11-07T14:00:00',
    ].join('\n'),
  })
  expect(await rowsOf(connection, 'select clock::varchar as clock from chosen_clock')).toEqual([
    { clock: 'modified' },
  ])
  const found = await rowsOf(
    connection,
    `select concat_ws(' ', settlement_id, verdict, explanation, explained_by) as line from tieout where verdict <> 'TIED'`,
  )
  expect(found).toEqual([{ line: '7 EXPLAINED MISSING_TRANSACTION 999' }])
})
