/**
 * Compares the models with the reference on drawn terminals: `npm run simulate:cases -- --cases 1000000`, or with
 * `--first N` for the cases that begin at seed N. Half of the cases are terminals whose cuts are ambiguous. On the other
 * half a settlement is off. Each part runs as the tests that every change runs. Ends with 1 if one failed.
 */
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

/** The terminals of both kinds that fit into one lake in memory. */
const AT_ONCE = 10_000
/** Ids are up to a thousand times the seeds, and must fit into 31 bits. */
const LARGEST_FIRST = 1_500_000
const FILES = ['certificates', 'explained'].map((name) => `test/truth/oracle/${name}.test.ts`)

export function main(): Promise<number> {
  const { values } = parseArgs({
    options: { cases: { type: 'string', default: '1000000' }, first: { type: 'string' } },
  })
  const first = Number(values.first ?? randomInt(1, LARGEST_FIRST))
  const ofEach = Math.ceil(Number(values.cases) / FILES.length)
  let wrong = 0
  for (let done = 0; done < ofEach; done += AT_ONCE) {
    const env = {
      ...process.env,
      TIEOUT_TEST_ORACLE_FIRST: String(first + done),
      TIEOUT_TEST_ORACLE_CASES: String(Math.min(AT_ONCE, ofEach - done)),
    }
    const { status, stdout, stderr } = spawnSync('npx', ['vitest', 'run', ...FILES], {
      env,
      encoding: 'utf8',
    })
    if (status === 0) continue
    wrong += 1
    console.log(stdout + stderr)
    console.log(`failed: npm run simulate:cases -- --cases ${2 * AT_ONCE} --first ${first + done}`)
  }
  console.log(`${ofEach * FILES.length} cases from seed ${first}, parts that differ: ${wrong}`)
  return Promise.resolve(wrong === 0 ? 0 : 1)
}
