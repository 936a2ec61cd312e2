import { expect, test } from 'vitest'
import { run, type Tables } from '../support/models.ts'

/** Terminal 7 under the clock `created`: three settlements, of which the first two end among transactions of one instant. */
const world = (more: Tables = {}): Tables => ({
  boundary: `terminal_id bigint | clock varchar | ordinal bigint | settlement_id bigint | position bigint | is_plain_window boolean | cut_at timestamp | cut_id bigint | is_within_instant boolean
    7 | created | 1 | 900 | 2 | true  | 2026-11-01 10:00 | 5 | true
    7 | created | 2 | 901 | 3 | false | 2026-11-01 10:00 | 6 | true
    7 | created | 3 | 902 | 6 | false | 2026-11-03 11:00 | 9 | false
    7 | created | 4 | 903 | 6 | true  | 2026-11-03 11:00 | 9 | false`,
  bucket_end: `clock varchar | terminal_id bigint | begins_at timestamp
    created | 7 | 2026-11-01
    created | 7 | 2026-11-03`,
  chosen_clock: 'terminal_id bigint | clock varchar\n 7 | created',
  earliest_settled_time: 'transaction_id bigint | after_at timestamp',
  shift: 'transaction_id bigint | to_settlement_id bigint',
  observed_member: 'transaction_id bigint | settlement_id bigint | terminal_id bigint',
  known_settlement: `settlement_id bigint | terminal_id bigint | status varchar
    900 | 7 | COMPLETE
    901 | 7 | COMPLETE
    902 | 7 | COMPLETE
    903 | 7 | PENDING`,
  current_transaction: `transaction_id bigint | terminal_id bigint | created timestamp | last_modified timestamp | business_date date | action varchar | status varchar | approved boolean | settled boolean | explicit_settlement_id bigint | total_cents bigint | signed_cents bigint | observed_at timestamp
    0  | 7 | 2026-11-01 09:00        | | | CHARGE | CAPTURE | true  | true  |     | 100 | 100 |
    5  | 7 | 2026-11-01 10:00        | | | CHARGE | CAPTURE | true  | true  |     | 100 | 100 |
    6  | 7 | 2026-11-01 10:00        | | | CHARGE | CAPTURE | true  | true  |     | 100 | 100 |
    7  | 7 | 2026-11-01 10:00        | | | CHARGE | CAPTURE | true  | true  |     | 100 | 100 |
    8  | 7 | 2026-11-01 10:00:00.001 | | | CHARGE | CAPTURE | true  | true  |     | 100 | 100 |
    9  | 7 | 2026-11-03 11:00        | | | CHARGE | CAPTURE | true  | true  |     | 100 | 100 |
    10 | 7 | 2026-11-03 11:00:01     | | | CHARGE | CAPTURE | true  | true  |     | 100 | 100 |
    11 | 7 | 2026-11-02 10:00        | | | CHARGE | CAPTURE | true  | false |     | 100 | 100 |
    12 | 8 | 2026-11-01 09:00        | | | CHARGE | CAPTURE | true  | true  |     | 100 | 100 |
    13 | 7 | 2026-11-02 10:00        | | | CHARGE | CAPTURE | true  | true  | 901 | 100 | 100 |
    14 | 7 | 2026-11-02 10:00        | | | CHARGE | HOLD    | true  | true  | 903 | 100 | 100 |
    15 | 7 | 2026-11-02 10:00        | | | CHARGE | CAPTURE | true  | true  | 903 | 100 | 100 |`,
  ...more,
})

async function members(more: Tables = {}): Promise<string[]> {
  const rows = await run(['settlement_interval', 'settled_member'], world(more))
  return rows
    .toSorted((a, b) => Number(a['transaction_id']) - Number(b['transaction_id']))
    .map((row) => `${row['transaction_id']} ${row['settlement_id'] ?? '-'} ${row['method'] ?? '-'}`)
}

test('a cut-off within one instant divides its transactions by id, and a transaction after the last settlement is in none', async () => {
  const found = await members()
  expect(found.filter((line) => Number(line.split(' ')[0]) <= 12)).toEqual([
    '0 900 WINDOW',
    '5 900 WINDOW',
    '6 901 ALIGNED',
    '7 902 ALIGNED',
    '8 902 ALIGNED',
    '9 902 ALIGNED',
    '10 - ALIGNED',
    '12 - ALIGNED',
  ])
})

test('a settlement id goes before a time, and a transaction on HOLD is in no PENDING settlement', async () => {
  const found = await members()
  expect(found.slice(-3)).toEqual(['13 901 EXPLICIT_ID', '14 - EXPLICIT_ID', '15 903 EXPLICIT_ID'])
})

test('a transaction of an unreadable settlement is in none, by its time or by its id', async () => {
  const found = await members({
    known_settlement: `settlement_id bigint | terminal_id bigint | status varchar
      900 | 7 | COMPLETE
      901 | 7 | UNREADABLE
      902 | 7 | COMPLETE
      903 | 7 | PENDING`,
  })
  expect(found.filter((line) => / (900|901|-) /.test(line))).toEqual([
    '0 900 WINDOW',
    '5 900 WINDOW',
    '6 - ALIGNED',
    '10 - ALIGNED',
    '12 - ALIGNED',
    '13 - EXPLICIT_ID',
    '14 - EXPLICIT_ID',
  ])
})

test('a person’s decision goes before an id, an id before an observation, and an observation before a shift', async () => {
  const found = await members({
    manual_member: `transaction_id bigint | settlement_id bigint | terminal_id bigint | signed_cents bigint
      13 | 900 | 7 | 100
      15 |     |   | 100`,
    observed_member: `transaction_id bigint | settlement_id bigint | terminal_id bigint
      14 | 900 | 7
      9  | 900 | 7`,
    shift: `transaction_id bigint | to_settlement_id bigint
      9 | 901
      8 | 901`,
  })
  expect(found).toContain('13 900 MANUAL')
  expect(found).toContain('15 - MANUAL')
  expect(found).toContain('14 - EXPLICIT_ID')
  expect(found).toContain('9 900 OBSERVED')
  expect(found).toContain('8 901 ALIGNED')
})

test('a transaction seen to settle late is in the settlement of that observation, under either clock', async () => {
  const earliest_settled_time = 'transaction_id bigint | after_at timestamp\n 0 | 2026-11-02 00:00'
  expect((await members({ earliest_settled_time }))[0]).toBe('0 902 ALIGNED')
  const modified = Object.fromEntries(
    Object.entries(world()).map(([name, text]) => [
      name,
      text.replaceAll('created |', 'modified |'),
    ]),
  )
  const chosen_clock = 'terminal_id bigint | clock varchar\n 7 | modified'
  expect((await members({ ...modified, chosen_clock, earliest_settled_time }))[0]).toBe(
    '0 902 ALIGNED',
  )
})
