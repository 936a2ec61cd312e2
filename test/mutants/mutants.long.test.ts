/**
 * Goal: a test fails if its module is wrong. Method: each broken module of the bank must fail the test that is named
 * for it, in a process of its own.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { readProject, ROOT } from '../house/project-files.ts'
import { MUTANTS } from './bank.ts'
import { broken, MUTANT_VARIABLE, type Mutant } from './mutant.ts'
import { OUTCOMES_VARIABLE, type Outcome } from './outcomes.ts'

const REPORTER = join(ROOT, 'test/mutants/outcomes.ts')

/** The outcomes of the tests with these titles, with one module broken or with none. */
async function outcomesOf(
  files: readonly string[],
  titles: readonly string[],
  place?: number,
): Promise<Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-mutant-'))
  const report = join(folder, 'outcomes.json')
  const args = ['vitest', 'run', '--project', 'together', '--project', 'apart']
  args.push('--reporter', REPORTER, '-t', `(^| )(${titles.map(escaped).join('|')})$`)
  args.push(...files.map((file) => `test/${file}.test.ts`))
  const env = { ...environment(place), [OUTCOMES_VARIABLE]: report }
  try {
    await new Promise<void>((resolve) => {
      // The process ends with 1 if a test fails, and the report says which.
      execFile('npx', args, { cwd: ROOT, env }, () => resolve())
    })
    const outcomes: Outcome[] = JSON.parse(readFileSync(report, 'utf8'))
    return outcomes
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The variables of a process that is no part of this run of vitest. */
function environment(place?: number): NodeJS.ProcessEnv {
  const mine = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|TEST)/.test(name))
  const rest = Object.fromEntries(mine)
  return place === undefined ? rest : { ...rest, [MUTANT_VARIABLE]: String(place) }
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

const isOf =
  ({ title }: Mutant) =>
  ({ name }: Outcome) =>
    name === title || name.endsWith(` ${title}`)

/** The replaced text and its replacement, on one line. */
const changeOf = ({ from, to }: Mutant) =>
  [from, to].map((text) => text.trim().replaceAll(/\s+/g, ' ') || 'nothing').join(' -> ')

let intact: Outcome[] = []
beforeAll(async () => {
  const files = new Set(MUTANTS.map(({ file }) => file))
  const titles = new Set(MUTANTS.map(({ title }) => title))
  intact = await outcomesOf([...files], [...titles])
})

test('the bank has at least forty variants, and each changes a text that stands in its module once', () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(40)
  for (const mutant of MUTANTS) broken(readProject(mutant.module), mutant)
})

test.each(MUTANTS.map((mutant, place) => ({ mutant, place, change: changeOf(mutant) })))(
  '$mutant.module: $change',
  async ({ mutant, place }) => {
    expect(intact.filter(isOf(mutant)).map(({ state }) => state)).toEqual(['passed'])
    const outcomes = await outcomesOf([mutant.file], [mutant.title], place)
    // The test must fail on an expectation, and not because the changed module can't be loaded.
    expect(outcomes).toEqual([
      { name: expect.any(String), state: 'failed', errors: ['AssertionError'] },
    ])
  },
)
