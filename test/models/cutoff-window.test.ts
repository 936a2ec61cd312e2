import { expect, test } from 'vitest'
import { run } from '../support/models.ts'

const POSITIONS = `clock varchar | terminal_id bigint | clock_at timestamp | position bigint
  created | 7 | 2026-11-01 10:00 | 1
  created | 7 | 2026-11-01 10:05 | 2
  created | 7 | 2026-11-09 08:00 | 3`

const BUCKETS = `clock varchar | terminal_id bigint | span bigint | begins_at timestamp | position bigint | clock_at timestamp | next_at timestamp | running_cents bigint
  created | 7 | BUCKET(2026-11-01 10:00) | 2026-11-01 10:00 | 2 | 2026-11-01 10:05 | 2026-11-09 08:00 | 60
  created | 7 | BUCKET(2026-11-09 08:00) | 2026-11-09 08:00 | 3 | 2026-11-09 08:00 |                  | 70`

/** The macro counts buckets in the same way. */
const bucketOf = (at: string) => (BigInt(Date.parse(`${at}Z`)) * 1000n) >> 36n

test('a settlement may end before its whole window: at the last position before it, or before the first transaction', async () => {
  const rows = await run('position_before_window', {
    ordered_transaction: POSITIONS,
    bucket_end: BUCKETS.replaceAll(/BUCKET\((.*?)\)/g, (_, at: string) => String(bucketOf(at))),
    cutoff_window: `clock varchar | settlement_id bigint | terminal_id bigint | ordinal bigint | running_cents bigint | created timestamp | earliest timestamp
      created | 1 | 7 | 1 |  0 | 2026-11-01 09:30 | 2026-10-31 21:30
      created | 2 | 7 | 2 |  5 | 2026-11-01 22:01 | 2026-11-01 10:01
      created | 3 | 7 | 3 | 60 | 2026-11-06 12:00 | 2026-11-06 00:00
      created | 4 | 7 | 4 | 70 | 2026-11-20 12:00 | 2026-11-20 00:00
      created | 5 | 8 | 1 | 10 | 2026-11-06 12:00 | 2026-11-06 00:00`,
  })
  expect(
    rows
      .map((row) =>
        [
          row['settlement_id'],
          row['position'],
          row['transactions_cents'],
          row['settlements_cents'],
          row['next_at'],
        ].join(' | '),
      )
      .sort(),
  ).toEqual([
    // Nothing lies before it.
    '1 | 0 | 0 | 0 | 2026-11-01 10:00:00',
    '3 | 2 | 60 | 60 | 2026-11-09 08:00:00',
    // Nothing follows the last one.
    '4 | 3 | 70 | 70 | ',
  ])
})

test('a settlement may end from its reach before created to two minutes after, and by lastModified to three days after', async () => {
  const rows = await run('cutoff_window', {
    settlement_running_net: `settlement_id bigint | terminal_id bigint | ordinal bigint | running_cents bigint | created timestamp
      2 | 7 | 2 | 5 | 2026-11-01 22:01`,
    terminal_reach: 'terminal_id bigint | reach_hours bigint\n7 | 36',
  })
  expect(
    rows
      .map((row) =>
        [row['clock'], row['settlement_id'], row['earliest'], row['latest']].join(' | '),
      )
      .sort(),
  ).toEqual([
    'created | 2 | 2026-10-31 10:01:00 | 2026-11-01 22:03:00',
    'modified | 2 | 2026-10-31 10:01:00 | 2026-11-04 22:01:00',
  ])
})
