/** TIEOUT_TEST_MUTATIONS is the number of damaged bodies. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ROOT } from '../../house/project-files.ts'
import type { Counts } from './judge-mutations.ts'

const COUNT = Number(process.env['TIEOUT_TEST_MUTATIONS'] ?? 100_000)

test('I19: no damaged body crashes the reader, loses a record, or changes a figure unnoticed', async () => {
  // The bodies are judged in another process, because inside vitest each call between modules is slower.
  const program = ['bench/run.mjs', 'test/unit/api/judge-mutations.ts', '--count', String(COUNT)]
  const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: ROOT }).catch(
    // The process ends with 1 when a body is wrongly read, and names it.
    (ended: { stdout: string }) => ended,
  )
  expect(stdout.trimEnd()).toMatch(/^\{.*\}$/)
  const counts: Counts = JSON.parse(stdout)
  // A run in which one of these never happened proved nothing about it.
  if (COUNT >= 1000) expect(Object.values(counts).every((times) => times > COUNT / 100)).toBe(true)
})
