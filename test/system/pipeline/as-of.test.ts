import { expect, test } from 'vitest'
import { createPrepareRun } from '../../../activities/reconcile/prepare-run.ts'
import type { RunRequest } from '../../../domain/run.ts'
import { startPipeline } from '../../support/pipeline.ts'

const [FIRST, SECOND] = ['2025-11-03T04:15:00Z', '2025-11-04T04:15:00Z'] as const
const WORLD = { seed: 11, terminals: 2, transactions: 300, days: 45 }

test('landed data is judged as of the end of the newest known sweep, unless an instant is given', async () => {
  const pipeline = await startPipeline(WORLD, FIRST)
  const prepare = createPrepareRun(pipeline.settings, pipeline.shared)
  const prepared = async (request: Partial<RunRequest>) => {
    const { asOf, isAsOfSweep, window } = await prepare({
      request: { account: 'acme', sweep: false, ...request },
      runId: 'r',
      startedAt: '2026-10-01T00:00:00Z',
    })
    return { asOf, isAsOfSweep, to: window.to }
  }
  const unswept = { asOf: '2026-10-01T00:00:00Z', isAsOfSweep: undefined, to: '2026-10-01' }
  expect(await prepared({})).toEqual(unswept)
  const { knownAt } = await pipeline.night('n1')
  pipeline.simulator.advanceTo(SECOND)
  await pipeline.sweep('n2')
  expect(await prepared({})).toEqual({ asOf: SECOND, isAsOfSweep: true, to: '2025-11-04' })
  expect(await prepared({ knownAt })).toEqual({ asOf: FIRST, isAsOfSweep: true, to: '2025-11-03' })
  const asOf = '2025-11-20T00:00:00Z'
  expect(await prepared({ asOf })).toEqual({ asOf, isAsOfSweep: undefined, to: '2025-11-20' })
  expect(await prepared({ sweep: true })).toEqual(unswept)
})
