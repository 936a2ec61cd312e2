import { expect, test } from 'vitest'
import { settledFlag } from '../../../queries/settled-flag.ts'
import { startPipeline } from '../../support/pipeline.ts'

const WORLD = { terminals: 2, transactions: 600, from: '2026-09-20', days: 40 }

test.each(['created', 'complete'] as const)(
  'settled flags that turn when the settlement is %s are recognised after some nights',
  async (settledFlips) => {
    const pipeline = await startPipeline({ ...WORLD, settledFlips }, '2026-10-20T04:15:00Z')
    await pipeline.sweep('one')
    const first = await settledFlag(pipeline.settings)
    expect(first.seenTurning).toBe(0)
    expect(['unknown', settledFlips]).toContain(first.turnsWhen)
    for (const night of ['2026-10-20T16:15:00Z', '2026-10-21T04:15:00Z', '2026-10-22T04:15:00Z']) {
      pipeline.simulator.advanceTo(night)
      await pipeline.sweep(night.replaceAll(':', '-'))
    }
    const found = await settledFlag(pipeline.settings)
    expect(found, JSON.stringify(found)).toMatchObject({ turnsWhen: settledFlips })
    expect(found.seenTurning).toBeGreaterThan(5)
  },
  600_000,
)
