import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ROOT } from '../../house/project-files.ts'
import { requireProgram } from '../../support/outside-program.ts'
import { ROUND } from './scenario.ts'
import { mergeTallies, MUST_HAPPEN, replay, type Tally } from './tally.ts'

const SEEDS = Number(process.env['TIEOUT_TEST_SYSTEM_SEEDS'] ?? 8)
const PROCESSES = 2

/** Seeds that once failed. They run each time. */
const regressionSeeds: number[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'regression-seeds.json'), 'utf8'),
)

test(
  'whatever fails, the lake, the packs and the decisions agree with the truth of the service',
  { timeout: 6 * 3_600_000 },
  async (context) => {
    const first = randomInt(1, 1_000_000_000)
    console.log(`seeds from ${first}: npm run simulate:system -- --first ${first} --seeds ${SEEDS}`)
    const share = Math.ceil(SEEDS / PROCESSES)
    const tallies = await Promise.all([
      ...Array.from({ length: PROCESSES }, (_, place) =>
        talliedApart(['--first', String(first + place * share), '--seeds', String(share)]),
      ),
      ...(regressionSeeds.length > 0 ? [talliedApart(['--list', regressionSeeds.join(',')])] : []),
    ])
    const { events, failures, shares } = mergeTallies(tallies)
    expect(failures.map(({ seed, wrong }) => [replay(seed), ...wrong])).toEqual([])
    if (SEEDS < ROUND) return
    expect(shares.tied).toBeGreaterThanOrEqual(0.97 * shares.tying)
    const missing = MUST_HAPPEN.filter((event) => (events[event] ?? 0) === 0)
    expect(missing.filter((event) => event !== 'disk-full')).toEqual([])
    requireProgram(context, 'mount')
    expect(missing).toEqual([])
  },
)

/** Runs seeds in another process, like the command, because inside vitest each call between modules is slower. */
async function talliedApart(flags: readonly string[]): Promise<Tally> {
  const program = ['bench/run.mjs', 'test/simulation/whole-system/main.ts', '--json', ...flags]
  const { stdout } = await promisify(execFile)(process.execPath, program, {
    cwd: ROOT,
    maxBuffer: 2 ** 28,
  }).catch(
    // The process ends with 1 when a seed fails, and names the seed and what is wrong.
    (ended: { stdout: string }) => ended,
  )
  const tally: Tally = JSON.parse(stdout)
  return tally
}
