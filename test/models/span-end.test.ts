import { expect, test } from 'vitest'
import { run } from '../support/models.ts'

test('of each span the last place is told, with what follows it, and of the last place of all that nothing does', async () => {
  const rows = await run('bucket_end', {
    ordered_transaction: `clock varchar | terminal_id bigint | transaction_id bigint | clock_at timestamp | position bigint | next_at timestamp | running_cents bigint | signed_cents bigint
      created  | 7 | 1 | 2026-11-01 10:00 | 1 | 2026-11-01 10:05 |  100 |  100
      created  | 7 | 2 | 2026-11-01 10:05 | 2 | 2026-11-09 08:00 |   60 |  -40
      created  | 7 | 3 | 2026-11-09 08:00 | 3 | 2026-11-09 08:00 |   70 |   10
      created  | 7 | 4 | 2026-11-09 08:00 | 4 |                  |   75 |    5
      modified | 7 | 1 | 2026-11-01 10:00 | 1 |                  |  100 |  100`,
  })
  expect(
    rows
      .map((row) =>
        [
          row['clock'],
          row['begins_at'],
          row['position'],
          row['next_at'],
          row['running_cents'],
        ].join(' | '),
      )
      .sort(),
  ).toEqual([
    'created | 2026-11-01 10:00:00 | 2 | 2026-11-09 08:00:00 | 60',
    'created | 2026-11-09 08:00:00 | 4 |  | 75',
    'modified | 2026-11-01 10:00:00 | 1 |  | 100',
  ])
})

test('what does not tie reaches to its own last transaction where ids or what was seen place all of it, else to its cut-off, and from the end of the one before', async () => {
  const rows = await run('unexplained_settlement', {
    computed_net: `settlement_id bigint | terminal_id bigint | created timestamp | difference_cents bigint | verdict varchar | method varchar | cutoff_at timestamp
      1 | 7 | 2026-11-03 00:30 | 10 | BREAK | OBSERVED    | 2026-11-02 22:00
      2 | 7 | 2026-11-04 00:30 | 10 | BREAK | EXPLICIT_ID | 2026-11-03 22:10
      3 | 7 | 2026-11-05 00:30 | 10 | BREAK | WINDOW      | 2026-11-04 22:20
      4 | 7 | 2026-11-06 00:30 |  0 | TIED  | WINDOW      | 2026-11-05 22:30
      5 | 7 | 2026-11-07 00:30 | 10 | BREAK | MANUAL      | 2026-11-20 08:00
      6 | 8 | 2026-11-03 00:30 | 10 | BREAK | NONE        |`,
    boundary: `settlement_id bigint | cut_instant timestamp
      1 | 2026-11-02 16:45
      2 | 2026-11-03 16:45
      3 | 2026-11-04 22:40
      4 | 2026-11-05 22:40
      5 | 2026-11-06 22:40`,
  })
  expect(
    rows.map((row) => [row['settlement_id'], row['begins_at'], row['ends_at']].join(' | ')).sort(),
  ).toEqual([
    '1 | 2026-11-02 00:30:00 | 2026-11-02 22:00:00',
    '2 | 2026-11-02 22:00:00 | 2026-11-03 22:10:00',
    '3 | 2026-11-03 22:10:00 | 2026-11-04 22:40:00',
    '5 | 2026-11-05 22:40:00 | 2026-11-06 22:40:00',
    '6 | 2026-11-02 00:30:00 | 2026-11-03 00:30:00',
  ])
})
