/**
 * Goal: a first run over a range reads little and judges rightly. Method: the same range after the whole of a longer
 * history is read.
 */
import { expect, test } from 'vitest'
import type { PartialOptions } from '../../../simulator/world/options.ts'
import { startPipeline, type Pipeline } from '../../support/pipeline.ts'
import { rowsOf } from '../../support/temp-lake.ts'

const WORLD: PartialOptions = {
  seed: 5,
  from: '2024-03-01',
  order: { transactions: 'created-asc' },
  terminals: 2,
  transactions: 3_000,
  days: 718,
  limitCap: 50,
}
const NOW = '2026-02-15T04:15:00Z'
const WINDOW = { from: '2026-01-12', to: '2026-02-15' }

async function said({ shared }: Pipeline, runId: string) {
  return shared.connected(async (_lake, connection) => ({
    settlements: await rowsOf(
      connection,
      `select "settlementId", status, "reportedNet", "computedNet", difference, verdict, explanation, "explainedBy", "transactionCount"
       from lake.result.settlements where run_id = '${runId}' order by "settlementId"`,
    ),
    refunds: await rowsOf(
      connection,
      `select "transactionId", certainty, "chargedCoarse", "chargedFine"
       from lake.result.refund_ceiling where run_id = '${runId}' order by "transactionId"`,
    ),
    sweeps: await rowsOf(
      connection,
      `select records::integer as records, certificate, covers_from::varchar as covers_from
       from lake.ops.sweep where run_id = '${runId}' and list = 'transactions' order by landing_seq`,
    ),
  }))
}

test('a first run over a range reads only a year before it, and judges the range like a run that reads everything', async () => {
  const pipeline = await startPipeline(WORLD, NOW)
  await pipeline.night('asked', WINDOW, { isAskedFor: true })
  // This run has no requested range, and the list was never read whole.
  await pipeline.night('whole', WINDOW)
  const [asked, whole] = [await said(pipeline, 'asked'), await said(pipeline, 'whole')]

  expect(asked.sweeps).toMatchObject([{ certificate: 'CONTIGUOUS' }])
  expect(whole.sweeps).toMatchObject([{ certificate: 'CONTIGUOUS', covers_from: null }])
  const from = String(asked.sweeps[0]?.['covers_from'])
  expect(from < '2025-01-12 00:00:00').toBe(true)
  expect(from > '2024-12-20 00:00:00').toBe(true)
  const [few, all] = [asked, whole].map(({ sweeps }) => Number(sweeps[0]?.['records']))
  expect(few).toBeLessThan(0.7 * Number(all))
  expect(asked.settlements).toEqual(whole.settlements)
  expect(asked.settlements.length).toBeGreaterThan(20)
  expect(asked.refunds).toEqual(whole.refunds)
}, 300_000)
