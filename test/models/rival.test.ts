import { expect, test } from 'vitest'
import { run, type Tables } from '../support/models.ts'

/** Six charges half an hour apart, in five settlements; the fourth has none. */
const WORLD = {
  boundary: `settlement_id bigint | terminal_id bigint | ordinal bigint | clock varchar | previous_position bigint | position bigint | previous_cents bigint | running_cents bigint | cut_at timestamp
    1 | 7 | 1 | created | 0 | 2 |    0 |  800 | 2026-11-02 10:30
    2 | 7 | 2 | created | 2 | 3 |  800 | 1300 | 2026-11-02 11:00
    3 | 7 | 3 | created | 3 | 5 | 1300 | 2100 | 2026-11-02 12:00
    4 | 7 | 4 | created | 5 | 5 | 2100 | 2100 | 2026-11-02 12:00
    5 | 7 | 5 | created | 5 | 6 | 2100 | 2600 | 2026-11-02 12:30`,
  ordered_transaction: `clock varchar | terminal_id bigint | position bigint | clock_at timestamp | signed_cents bigint
    created | 7 | 1 | 2026-11-02 10:00 | 500
    created | 7 | 2 | 2026-11-02 10:30 | 300
    created | 7 | 3 | 2026-11-02 11:00 | 500
    created | 7 | 4 | 2026-11-02 11:30 | 300
    created | 7 | 5 | 2026-11-02 12:00 | 500
    created | 7 | 6 | 2026-11-02 12:30 | 500`,
  cutoff_candidate:
    'settlement_id bigint | terminal_id bigint | clock varchar | position bigint | ordinal bigint | offset_cents bigint',
  offset_run:
    'settlement_id bigint | terminal_id bigint | clock varchar | position bigint | ordinal bigint | offset_cents bigint | run_length bigint',
  settlement_running_net: 'settlement_id bigint | running_cents bigint | remaining_cents bigint',
  shift: 'from_settlement_id bigint | to_settlement_id bigint',
  shift_rival: 'settlement_id bigint | rival_count bigint',
  contradicted_by_observation:
    'settlement_id bigint | member_count bigint | transaction_ids varchar',
}

/** The swaps of each settlement that has any. */
async function swaps(world: Tables): Promise<string[]> {
  const rows = await run('rival', world)
  return rows
    .filter(({ reason }) => reason === 'SWAP')
    .map((row) => `${row['settlement_id']}: ${row['rival_count']}`)
    .sort()
}

test('a possible swap within two hours of a cut-off counts once, even if both cut-offs are that close', async () => {
  // The second settlement can swap 5.00 with 10:00, 12:00 and 12:30. For the last one, 10:00 is within two hours of
  // its first cut-off alone.
  expect(await swaps(WORLD)).toEqual(['1: 4', '2: 3', '3: 4', '5: 3'])
})

test('each of two cut-offs a day apart has its own swaps', async () => {
  const rows = await swaps({
    ...WORLD,
    boundary: `settlement_id bigint | terminal_id bigint | ordinal bigint | clock varchar | previous_position bigint | position bigint | previous_cents bigint | running_cents bigint | cut_at timestamp
      1 | 7 | 1 | created | 0 | 2 |    0 | 1000 | 2026-11-02 10:30
      2 | 7 | 2 | created | 2 | 5 | 1000 | 2300 | 2026-11-03 10:30
      3 | 7 | 3 | created | 5 | 7 | 2300 | 3700 | 2026-11-04 10:30`,
    ordered_transaction: `clock varchar | terminal_id bigint | position bigint | clock_at timestamp | signed_cents bigint
      created | 7 | 1 | 2026-11-02 10:00 | 500
      created | 7 | 2 | 2026-11-02 10:30 | 500
      created | 7 | 3 | 2026-11-02 12:30 | 500
      created | 7 | 4 | 2026-11-03 10:15 | 300
      created | 7 | 5 | 2026-11-03 10:30 | 500
      created | 7 | 6 | 2026-11-03 12:31 | 500
      created | 7 | 7 | 2026-11-04 10:30 | 900`,
  })
  // At the first cut-off either of two may be swapped for the one after it; the one after the second is a minute too late.
  expect(rows).toEqual(['1: 2', '2: 2'])
})

test('a member is interchangeable with an equal amount across a cut-off, or with one that cancels its own', async () => {
  const rows = await run('interchangeable_member', {
    boundary: `settlement_id bigint | terminal_id bigint | ordinal bigint | clock varchar | previous_position bigint | position bigint | previous_cents bigint | running_cents bigint | cut_at timestamp
      1 | 7 | 1 | created | 0 | 3 |    0 | 2100 | 2026-11-02 21:00
      2 | 7 | 2 | created | 3 | 8 | 2100 | 4201 | 2026-11-03 21:00
      3 | 7 | 3 | created | 8 | 9 | 4201 | 4902 | 2026-11-04 21:00`,
    // The second ties but for a shift.
    settlement_running_net: `settlement_id bigint | running_cents bigint | remaining_cents bigint
      1 | 2000 | 2000
      2 | 4101 | 2101
      3 | 4802 |  701`,
    shift: 'from_settlement_id bigint | to_settlement_id bigint\n2 | 2',
    ordered_transaction: `clock varchar | terminal_id bigint | transaction_id bigint | position bigint | clock_at timestamp | signed_cents bigint
      created | 7 | 11 | 1 | 2026-11-02 18:59 | 900
      created | 7 | 12 | 2 | 2026-11-02 19:00 | 500
      created | 7 | 13 | 3 | 2026-11-02 21:00 | 700
      created | 7 | 14 | 4 | 2026-11-02 23:00 | 500
      created | 7 | 15 | 5 | 2026-11-02 23:00 | 900
      created | 7 | 16 | 6 | 2026-11-03 20:00 | 400
      created | 7 | 17 | 7 | 2026-11-03 20:10 | -400
      created | 7 | 18 | 8 | 2026-11-03 21:00 | 701
      created | 7 | 19 | 9 | 2026-11-03 22:00 | 701`,
  })
  // The like of 11 is in reach, but it is not itself; 19 is of a settlement that ties.
  expect(rows.map((row) => `${row['transaction_id']} of ${row['settlement_id']}`).sort()).toEqual([
    '12 of 1',
    '14 of 2',
    '16 of 2',
    '17 of 2',
    '18 of 2',
  ])
})
