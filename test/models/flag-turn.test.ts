import { expect, test } from 'vitest'
import { modelOn, TRANSACTIONS } from './seen-lake.ts'

const at = (day: number) => `2026-11-${String(day).padStart(2, '0')} 05:00:00`

test('a transaction that changed terminal after it was seen to settle has no observation', async () => {
  const version = (id: number, terminal: number, settled: boolean, day: number) =>
    `${id} | ${terminal} | CHARGE | CAPTURE | ${settled} | 2026-11-01 12:00:00 | 500 | 0 | t${day} | ${id} | ${at(day)} | ${day}`
  const rows = await modelOn('flag_turn', {
    'seen.transaction_version': [
      TRANSACTIONS,
      ...[version(1, 7, false, 2), version(1, 7, true, 3)],
      ...[version(2, 7, false, 2), version(2, 7, true, 3), version(2, 8, true, 4)],
      ...[version(3, 7, false, 2), version(3, 8, false, 3), version(3, 8, true, 4)],
    ].join('\n'),
  })
  const turned = rows.map(
    (row) => `${String(row['transaction_id'])} on ${String(row['terminal_id'])}`,
  )
  expect(turned.toSorted()).toEqual(['1 on 7', '3 on 8'])
})
