import { expect, test } from 'vitest'
import { run } from '../support/models.ts'

/**
 * Terminal 7 has two settlements in a row that are off by opposite amounts. The first ends after position 9, usually an hour before it is made,
 * give or take a quarter; what it holds begins after position 4.
 */
const differences = (cents: number, support = 1, lag = '3600 | 900') =>
  `settlement_id bigint | terminal_id bigint | ordinal bigint | clock varchar | created timestamp | previous_position bigint | position bigint | difference_cents bigint | running_cents bigint | support bigint | lag_s double | spread_s double
  2 | 7 | 2 | created | 2026-11-02 | 4 | 9  | ${cents} | 90000 | ${support} | ${lag}
  3 | 7 | 3 | created | 2026-11-03 | 9 | 20 | ${-cents} | 190000 | 2 | ${lag}`

/** Amounts by position: 5 and 6 settled or were captured late, the others on time. */
const AMOUNTS = [4200, 1100, 310, 2500, 700, 60, 5000]
const ordered = (amounts: readonly number[] = AMOUNTS) =>
  [
    'clock varchar | terminal_id bigint | transaction_id bigint | position bigint | signed_cents bigint | clock_at timestamp',
    ...amounts.map(
      (cents, i) => `created | 7 | ${10 + i} | ${5 + i} | ${cents} | 2026-11-01 12:00`,
    ),
  ].join('\n')

const late = (ids: readonly number[], amounts: readonly number[] = AMOUNTS) =>
  [
    'clock varchar | terminal_id bigint | transaction_id bigint | position bigint | signed_cents bigint',
    ...ids.map((id) => `created | 7 | ${id} | ${id - 5} | ${amounts[id - 10] ?? 0}`),
  ].join('\n')

/** Nothing was seen to turn settled. */
const UNSEEN = {
  event_candidate:
    'event varchar | transaction_id bigint | settlement_id bigint | settlements bigint\n',
  settling_event: 'event varchar | is_learned boolean\n  created | true\n  completed | false',
}

const CANDIDATES =
  'settlement_id bigint | clock varchar | position bigint | transactions_cents bigint | lag_low_s bigint | lag_high_s bigint\n'

async function shifted(tables: {
  off: number
  settledLate?: number[]
  held?: number[]
  candidate?: string
  amounts?: number[]
  /** Rows of event_candidate. */
  seen?: string
}): Promise<string[]> {
  const rows = await run(['observed_candidate', 'pair_shift'], {
    cutoff_difference: differences(tables.off),
    cutoff_candidate: CANDIDATES + (tables.candidate ?? ''),
    ordered_transaction: ordered(tables.amounts),
    late_settled_transaction: late(tables.settledLate ?? [], tables.amounts),
    late_captured_transaction: late(tables.held ?? [], tables.amounts),
    ...UNSEEN,
    event_candidate: UNSEEN.event_candidate + (tables.seen ?? ''),
  })
  return rows
    .map((row) =>
      [
        row['transaction_id'],
        row['to_settlement_id'],
        row['new_cut_position'],
        row['options'],
      ].join(' '),
    )
    .sort()
}

test('two transactions captured late move together to the next settlement, before two others of the same sum', async () => {
  const amounts = [4200, 1100, 2800, 2500, 700, 60, 5000]
  expect(await shifted({ off: 5300, held: [10, 11], amounts })).toEqual(['10 3 9 1', '11 3 9 1'])
  expect(await shifted({ off: 5300, settledLate: [10], held: [11], amounts })).toEqual([
    '10 3 9 1',
    '11 3 9 1',
  ])
  expect(await shifted({ off: 5300, amounts })).toEqual(['12 3 9 2', '13 3 9 2'])
})

test('three move as well, and two or three may move with another cut near the usual lag, not with a distant one', async () => {
  expect(await shifted({ off: 5610, held: [10, 11, 12] })).toEqual([
    '10 3 9 1',
    '11 3 9 1',
    '12 3 9 1',
  ])
  // Position 10 counts 60 more: with it the two make 60 more.
  const cut = (lag: string) => `2 | created | 10 | 90060 | ${lag}`
  const near = { off: 5240, held: [10, 11], candidate: cut('1800 | 1900') }
  expect(await shifted(near)).toEqual(['10 3 10 1', '11 3 10 1'])
  expect(await shifted({ ...near, candidate: cut('1700 | 1799') })).toEqual([])
})

test('two transactions without proof of lateness also move with another cut near the usual lag, but never for certain', async () => {
  const cut = (lag: string) => `2 | created | 10 | 90060 | ${lag}`
  expect(await shifted({ off: 5240, candidate: cut('1800 | 1900') })).toEqual([
    '10 3 10 2',
    '11 3 10 2',
  ])
  expect(await shifted({ off: 5240, candidate: cut('1700 | 1799') })).toEqual([])
  // Two transactions that fit without another cut go first.
  const amounts = [4200, 1100, 310, 2500, 700, 2750, 5000]
  const both = { off: 5300, candidate: `2 | created | 10 | 92750 | 1800 | 1900`, amounts }
  expect(await shifted(both)).toEqual(['10 3 9 1', '11 3 9 1'])
})

test('the smallest of several matching sets moves, and the number of sets is recorded', async () => {
  const amounts = [4200, 1100, 2900, 1000, 1400, 60, 5000]
  const held = [10, 11, 12, 13, 14]
  expect(await shifted({ off: 5300, held, amounts })).toEqual(['10 3 9 2', '11 3 9 2'])
})

test('a late transaction is tried with each cut-off, also if the terminal has no usual lag yet', async () => {
  const found = async (lag?: string) => {
    const rows = await run(['observed_candidate', 'pair_shift'], {
      cutoff_difference: differences(4140, 1, lag),
      cutoff_candidate: `${CANDIDATES}2 | created | 10 | 90060 | 20000 | 21000`,
      ordered_transaction: ordered(),
      late_settled_transaction: late([10]),
      late_captured_transaction: late([]),
      ...UNSEEN,
    })
    return rows.map((row) => `${row['transaction_id']} to ${row['to_settlement_id']}`)
  }
  expect(await found()).toEqual(['10 to 3'])
  expect(await found(' | ')).toEqual(['10 to 3'])
})

test('a transaction of the set does not lie after the cut', async () => {
  expect(await shifted({ off: 4260, held: [10, 15] })).toEqual([])
})

test('only transactions seen before their capture are candidates if many were seen to settle late', async () => {
  const amounts = [4200, 1100, 310, 4910, 700, 60, 5000, 8000, 9000]
  const held = [10, 11, 12]
  const settledLate = [10, 11, 12, 13, 14, 15, 16]
  const three = ['10 3 9 1', '11 3 9 1', '12 3 9 1']
  const found = (more: number[]) =>
    shifted({ off: 5610, settledLate: [...settledLate, ...more], held, amounts })
  expect(await found([17, 18])).toEqual(three)
  expect(await found([17])).toEqual(['13 3 9 2', '14 3 9 2'])
})

test('a late VERIFY moves nothing, and is no reason for a cut far from the usual lag', async () => {
  const rows = await run(['observed_candidate', 'pair_shift'], {
    cutoff_difference: differences(5240),
    cutoff_candidate: `${CANDIDATES}2 | created | 10 | 84760 | 40000 | 41000`,
    ordered_transaction: ordered([...AMOUNTS.slice(0, 4), 0, 60]),
    late_settled_transaction:
      'clock varchar | terminal_id bigint | transaction_id bigint | position bigint | signed_cents bigint\ncreated | 7 | 14 | 9 | 0',
    late_captured_transaction: late([]),
    ...UNSEEN,
  })
  expect(rows).toEqual([])
})

test('a transaction seen to turn settled moves only to a candidate of its observation, and an unobserved one moves anywhere', async () => {
  const amounts = [4200, 1100, 310, 1100, 700, 60, 5000]
  expect(await shifted({ off: 1100, amounts })).toEqual(['13 3 9 2'])
  // The nearer one of the two was seen settled before 3 was made.
  expect(await shifted({ off: 1100, amounts, seen: 'created | 13 | 2 | 1' })).toEqual(['11 3 9 1'])
  expect(
    await shifted({ off: 1100, amounts, seen: 'created | 13 | 2 | 2\ncreated | 13 | 3 | 2' }),
  ).toEqual(['13 3 9 2'])
  // Under the other event, which does not turn the flag.
  expect(await shifted({ off: 1100, amounts, seen: 'completed | 13 | 2 | 1' })).toEqual([
    '13 3 9 2',
  ])
})

test('each of several neighbouring differences that cancel is cancelled once, and never for certain', async () => {
  const rows = await run(['observed_candidate', 'pair_shift'], {
    cutoff_difference: `settlement_id bigint | terminal_id bigint | ordinal bigint | clock varchar | created timestamp | previous_position bigint | position bigint | difference_cents bigint | running_cents bigint | support bigint | lag_s double | spread_s double
      2 | 7 | 2 | created | 2026-11-02 | 0 | 2 |  999 | 90000 | 1 | 3600 | 900
      3 | 7 | 3 | created | 2026-11-03 | 2 | 4 | -999 | 90000 | 1 | 3600 | 900
      4 | 7 | 4 | created | 2026-11-04 | 4 | 6 |  999 | 90000 | 1 | 3600 | 900
      5 | 7 | 5 | created | 2026-11-05 | 6 | 8 | -999 | 90000 | 1 | 3600 | 900
      12 | 8 | 2 | created | 2026-11-02 | 0 | 2 |  999 | 90000 | 1 | 3600 | 900
      13 | 8 | 3 | created | 2026-11-03 | 2 | 4 | -999 | 90000 | 1 | 3600 | 900`,
    cutoff_candidate: CANDIDATES,
    ordered_transaction: `clock varchar | terminal_id bigint | transaction_id bigint | position bigint | signed_cents bigint | clock_at timestamp
      created | 7 | 21 | 1 | 999 | 2026-11-01 12:00
      created | 7 | 23 | 3 | -999 | 2026-11-02 12:00
      created | 7 | 25 | 5 | 999 | 2026-11-03 12:00
      created | 8 | 31 | 1 | 999 | 2026-11-01 12:00`,
    late_settled_transaction: late([]),
    late_captured_transaction: late([]),
    ...UNSEEN,
  })
  const columns = ['earlier_id', 'later_id', 'transaction_id', 'options']
  expect(rows.map((row) => columns.map((name) => row[name]).join(' ')).sort()).toEqual([
    '12 13 31 1',
    '2 3 21 2',
    '4 5 25 2',
  ])
})
