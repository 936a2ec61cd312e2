import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ROOT } from '../house/project-files.ts'
import { EVENTS, replay, type Tally } from './many-seeds.ts'

const SEEDS = Number(process.env['TIEOUT_TEST_SWEEP_SEEDS'] ?? 20_000)
/** Other seeds in each run. A failure names the command that repeats its seed. */
const FIRST = Number(process.env['TIEOUT_TEST_FIRST_SWEEP_SEED'] ?? randomInt(1_000_000_000))
/** A fault or a recovery that happened less often proves little. */
const OFTEN = 20
/** Few seeds draw a list that misleads the search for its beginning. */
const RARE = 'path-sought-misled'

test(
  'I5, I8: a sweep never loses, doubles or reverts a record, whatever changes and whatever fails',
  { timeout: 1_800_000 },
  async () => {
    console.log(`sweep seeds from ${FIRST}`)
    const tally = await talliedApart()
    expect(tally.seeds).toBe(SEEDS)
    expect(tally.failures.map(({ seed, wrong }) => `${wrong}: ${replay(seed)}`)).toEqual([])
    expect(tally.quiet.proven).toBe(tally.quiet.seeds)
    expect(tally.calm.proven).toBeGreaterThanOrEqual(0.95 * tally.calm.seeds)
    if (SEEDS < 2000) return
    for (const { proven, seeds } of Object.values(tally.calmBy)) {
      expect(proven).toBeGreaterThanOrEqual(0.95 * seeds)
    }
    expect(
      EVENTS.filter((event) => (tally.events[event] ?? 0) < (event === RARE ? 1 : OFTEN)),
    ).toEqual([])
  },
)

/**
 * The simulation runs in another process, like `npm run simulate:sweeps`, because inside vitest each call between
 * modules is slower.
 */
async function talliedApart(): Promise<Tally> {
  const seeds = ['--first', String(FIRST), '--seeds', String(SEEDS)]
  const program = ['bench/run.mjs', 'test/simulation/main.ts', ...seeds, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: ROOT }).catch(
    // The process ends with 1 when a seed fails, and names the seed and the fault.
    (ended: { stdout: string }) => ended,
  )
  const tally: Tally = JSON.parse(stdout)
  return tally
}
