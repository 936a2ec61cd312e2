import { bundleWorkflowCode } from '@temporalio/worker'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from './project-files.ts'

/** Messages of the bundler go here instead of to the terminal. */
let said: string[] = []
const note = (...words: unknown[]): void => {
  said.push(words.map(String).join(' '))
}
const logger = { trace: note, debug: note, info: note, warn: note, error: note, log: note }
let folder = ''
beforeAll(() => {
  // Inside the project, so that a planted workflow finds the same packages.
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  folder = mkdtempSync(join(ROOT, '.cache', 'house-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

function bundle(workflowsPath: string): ReturnType<typeof bundleWorkflowCode> {
  said = []
  return bundleWorkflowCode({ workflowsPath, logger })
}

function planted(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

test('the workflows bundle without any module of Node', async () => {
  const { code } = await bundle(join(ROOT, 'workflows', 'index.ts'))
  expect(code.length).toBeGreaterThan(1000)
})

test('the bundler refuses a workflow that reads a file, and one that imports the lake', async () => {
  const pure = planted('pure.ts', 'export async function nothing(): Promise<void> {}\n')
  await expect(bundle(pure)).resolves.toBeDefined()
  const reading = planted(
    'reading.ts',
    "import { readFileSync } from 'node:fs'\nexport const x = () => readFileSync('x')\n",
  )
  await expect(bundle(reading)).rejects.toThrow('Webpack')
  expect(said.join('\n')).toContain('node:fs')
  const lake = planted(
    'lake.ts',
    "import { openLake } from '../../lake/connection/open.ts'\nexport const x = () => openLake\n",
  )
  await expect(bundle(lake)).rejects.toThrow('Webpack')
  expect(said.join('\n')).toContain('@duckdb/node-api')
})
