import { expect, test } from 'vitest'
import { run } from '../support/models.ts'

test('an alternative range begins after the previous settlement, even if that one ends at another offset', async () => {
  // The second settlement is off by 1.00; between the third and the fourth 0.50 was moved.
  const rows = await run('shift_alternative_range', {
    shift: `transaction_id bigint | from_settlement_id bigint | to_settlement_id bigint
      6 | 3 | 4`,
    boundary: `settlement_id bigint | terminal_id bigint | ordinal bigint | clock varchar | previous_position bigint | position bigint | previous_cents bigint | running_cents bigint
      1 | 7 | 1 | created | 0 | 2 |   0 | 200
      2 | 7 | 2 | created | 2 | 4 | 200 | 400
      3 | 7 | 3 | created | 4 | 6 | 400 | 650
      4 | 7 | 4 | created | 6 | 8 | 650 | 900`,
    settlement_running_net: `settlement_id bigint | terminal_id bigint | ordinal bigint | running_cents bigint | created timestamp
      1 | 7 | 1 |  200 | 2026-11-02 03:00
      2 | 7 | 2 |  500 | 2026-11-03 03:00
      3 | 7 | 3 |  700 | 2026-11-04 03:00
      4 | 7 | 4 | 1000 | 2026-11-05 03:00`,
    cutoff_candidate: `terminal_id bigint | clock varchar | ordinal bigint | position bigint | offset_cents bigint
      7 | created | 1 | 2 |    0
      7 | created | 2 | 4 | -100
      7 | created | 2 | 3 |  -50
      7 | created | 3 | 6 |  -50
      7 | created | 4 | 8 | -100`,
    ordered_transaction: `transaction_id bigint | clock varchar | position bigint
      6 | created | 6`,
  })
  const ranges = rows.map(
    (row) => `${row['from_ordinal']} to ${row['to_ordinal']}: ${row['begins_after']}`,
  )
  expect(ranges.sort()).toEqual(['2 to 4: 2', '3 to 4: 4'])
})
