import { expect, test } from 'vitest'
import { run } from '../support/models.ts'

test('an untied settlement reaches from the previous end to its cut-off, and not less far than its last member by id or observation', async () => {
  const rows = await run('unexplained_settlement', {
    computed_net: `settlement_id bigint | terminal_id bigint | created timestamp | difference_cents bigint | verdict varchar | method varchar | cutoff_at timestamp
      1 | 7 | 2026-11-03 00:30 | 10 | BREAK | OBSERVED    | 2026-11-02 22:00
      2 | 7 | 2026-11-04 00:30 | 10 | BREAK | EXPLICIT_ID | 2026-11-03 22:10
      3 | 7 | 2026-11-05 00:30 | 10 | BREAK | WINDOW      | 2026-11-04 22:20
      4 | 7 | 2026-11-06 00:30 |  0 | TIED  | WINDOW      | 2026-11-05 22:30
      5 | 7 | 2026-11-07 00:30 | 10 | BREAK | MANUAL      | 2026-11-20 08:00
      6 | 8 | 2026-11-03 00:30 | 10 | BREAK | NONE        |
      7 | 9 | 2026-11-03 00:30 | 10 | BREAK | OBSERVED    | 2026-11-02 18:00`,
    boundary: `settlement_id bigint | cut_instant timestamp
      1 | 2026-11-02 16:45
      2 | 2026-11-03 16:45
      3 | 2026-11-04 22:40
      4 | 2026-11-05 22:40
      5 | 2026-11-06 22:40
      7 | 2026-11-02 22:30`,
  })
  expect(
    rows.map((row) => [row['settlement_id'], row['begins_at'], row['ends_at']].join(' | ')).sort(),
  ).toEqual([
    '1 | 2026-11-02 00:30:00 | 2026-11-02 22:00:00',
    '2 | 2026-11-02 22:00:00 | 2026-11-03 22:10:00',
    '3 | 2026-11-03 22:10:00 | 2026-11-04 22:40:00',
    '5 | 2026-11-05 22:40:00 | 2026-11-06 22:40:00',
    '6 | 2026-11-02 00:30:00 | 2026-11-03 00:30:00',
    '7 | 2026-11-02 00:30:00 | 2026-11-02 22:30:00',
  ])
})
