import { expect, test } from 'vitest'
import { type SweepRules, SWEEP_RULES } from '../../../domain/settings.ts'
import type { PartialOptions } from '../../../simulator/world/options.ts'
import { startPipeline } from '../../support/pipeline.ts'
import { refusingService, type Rules } from '../../support/refusing-service.ts'
import { rowsOf } from '../../support/temp-lake.ts'

const WORLD: PartialOptions = {
  seed: 5,
  terminals: 3,
  transactions: 4_500,
  days: 150,
  limitCap: 50,
}
const FIRST = '2026-02-15T04:15:00Z'
const SECOND = '2026-02-16T04:15:00Z'
const WINDOW = { from: '2026-01-12', to: '2026-02-16' }

/** The verdicts of a run, and how many records its sweeps of transactions read. */
async function judged({ shared }: Awaited<ReturnType<typeof startPipeline>>, runId: string) {
  return shared.connected(async (_lake, connection) => ({
    settlements: await rowsOf(
      connection,
      `select "settlementId", status, "reportedNet", "computedNet", difference, verdict, explanation, "explainedBy", "transactionCount"
       from lake.result.settlements where run_id = '${runId}' order by "settlementId"`,
    ),
    sweeps: await rowsOf(
      connection,
      `select records::integer as records, requests::integer as requests, certificate, covers_from is null as is_whole from lake.ops.sweep
       where run_id = '${runId}' and list = 'transactions'`,
    ),
  }))
}

async function twoNights(world: PartialOptions, rules: SweepRules) {
  const pipeline = await startPipeline(world, FIRST, { rules })
  await pipeline.sweep('n1')
  pipeline.simulator.advanceTo(SECOND)
  await pipeline.night('n2', WINDOW)
  return judged(pipeline, 'n2')
}

test.each(['created-asc', 'created-desc'] as const)(
  'a night reads possible changes only, and judges as if it had read everything: %s',
  async (order) => {
    const world = { ...WORLD, order: { transactions: order } }
    const some = await twoNights(world, SWEEP_RULES)
    const all = await twoNights(world, { ...SWEEP_RULES, wholeEveryDays: 0 })
    expect(some.sweeps).toMatchObject([{ certificate: 'CONTIGUOUS', is_whole: false }])
    expect(all.sweeps).toMatchObject([{ certificate: 'CONTIGUOUS', is_whole: true }])
    const [read, listed] = [some.sweeps[0]?.['records'], all.sweeps[0]?.['records']]
    expect(Number(read)).toBeLessThan(Number(listed) / 3)
    expect(some.settlements).toEqual(all.settlements)
  },
  1_800_000,
)

test.each([40, 300])(
  'a night whose clock ran %d days ahead is followed by a reading of the whole list, and then by short ones',
  async (daysAhead) => {
    const rules: Rules = { daysAhead }
    const world = { ...WORLD, order: { transactions: 'created-desc' } } as const
    const pipeline = await startPipeline(world, FIRST, {
      through: (url) => refusingService(url, rules),
    })
    await pipeline.sweep('n1')
    rules.daysAhead = 0
    const isWhole: unknown[] = []
    for (const [night, now] of [
      ['n2', SECOND],
      ['n3', '2026-02-17T04:15:00Z'],
    ] as const) {
      pipeline.simulator.advanceTo(now)
      await pipeline.sweep(night)
      isWhole.push((await judged(pipeline, night)).sweeps[0]?.['is_whole'])
    }
    expect(isWhole).toEqual([true, false])
  },
)
