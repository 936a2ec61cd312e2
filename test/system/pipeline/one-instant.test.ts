import { expect, test } from 'vitest'
import { startPipeline } from '../../support/pipeline.ts'

test('a first night in which every list is read in one instant is judged like any other', async () => {
  // DuckDB knows then, from its statistics alone, that no settlement was seen before it completed.
  const world = { seed: 4, terminals: 3, transactions: 600, from: '2026-09-20', days: 45 }
  const pipeline = await startPipeline(world, '2026-10-30T04:15:00Z')
  const { headline } = await pipeline.night('n1', { from: '2026-10-10', to: '2026-10-30' })
  expect(headline.settlements).toBeGreaterThan(20)
  expect(headline.noData).toBe(0)
})
