import { expect, test } from 'vitest'
import { run } from '../support/models.ts'

test('each bucket has its last position and the time of the next transaction, and the last bucket has no next one', async () => {
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
