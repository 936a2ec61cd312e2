import { expect, test } from 'vitest'
import { EVENTS, replay, runSeeds } from './many-seeds.ts'

const SEEDS = Number(process.env['TIEOUT_TEST_SWEEP_SEEDS'] ?? 20_000)

test(
  'no record is lost, doubled or set back, whatever moves and whatever fails',
  { timeout: 1_800_000 },
  async () => {
    const tally = await runSeeds({ first: 1, count: SEEDS, lakeEvery: 1000 })
    expect(tally.failures.map(({ seed, wrong }) => `${wrong}: ${replay(seed)}`)).toEqual([])
    expect(tally.quiet.proven).toBe(tally.quiet.seeds)
    expect(tally.calm.proven).toBeGreaterThanOrEqual(0.95 * tally.calm.seeds)
    if (SEEDS < 2000) return
    for (const { proven, seeds } of Object.values(tally.calmBy)) {
      expect(proven).toBeGreaterThanOrEqual(0.95 * seeds)
    }
    expect(EVENTS.filter((event) => (tally.events[event] ?? 0) === 0)).toEqual([])
  },
)
