import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from './project-files.ts'

let folder = ''
beforeAll(() => {
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  folder = mkdtempSync(join(ROOT, '.cache', 'house-'))
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {}')
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** Runs vitest on one file and gives the last lines of what it prints, and its exit code. */
function closing(text: string): { lines: string[]; status: number | null } {
  writeFileSync(join(folder, 'sample.test.ts'), `import { expect, test } from 'vitest'\n${text}`)
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const reporters = ['default', join(ROOT, 'test', 'support', 'closing-line.ts')]
  const { stdout, status } = spawnSync(
    process.execPath,
    [vitest, 'run', '--root', folder, ...reporters.map((name) => `--reporter=${name}`)],
    { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
  )
  return { lines: stdout.trimEnd().split('\n').slice(-2), status }
}

const PASSES = "test('a', () => {})\n"

test('the last line of a test run is the count of passed and failed tests, alone', () => {
  const { lines, status } = closing(`${PASSES}test('b', () => { expect(1).toBe(2) })`)
  expect(lines.at(-1)).toBe('1 passed, 1 failed')
  expect(status).toBe(1)
})

test('a skip is counted and its reason is listed', () => {
  const { lines, status } = closing(`${PASSES}test('c', ({ skip }) => { skip('no abacus') })`)
  expect(lines).toEqual(['skipped: c (no abacus)', '1 passed, 0 failed, 1 skipped'])
  expect(status).toBe(0)
})

test('a file that can’t be loaded is a failure', () => {
  expect(closing(`${PASSES}throw new Error('early')`).lines.at(-1)).toBe('0 passed, 1 failed')
})
