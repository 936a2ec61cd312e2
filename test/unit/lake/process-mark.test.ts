/** Goal: a process counts as ended only if that is known. Method: processes in each state, and marks that can't be read. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  deleteLeftovers,
  markOf,
  mayBeAlive,
  UNKNOWN_MARK,
} from '../../../lake/connection/process-mark.ts'
import { scratchFolder } from '../../../lake/connection/open.ts'
import { tempLake } from '../../support/temp-lake.ts'

/** The number of a process that runs, and of one that ended and that it does not wait for: its mark can't be read. */
async function processes(): Promise<{ running: number; unreadable: number }> {
  const parent = spawn('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 60'])
  onTestFinished(() => void parent.kill())
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const unreadable = Number(line.toString())
  while (markOf(unreadable) !== undefined) await new Promise((resolve) => setTimeout(resolve, 10))
  return { running: parent.pid ?? 0, unreadable }
}

async function ended(): Promise<number> {
  const child = spawn('true')
  await once(child, 'exit')
  return child.pid ?? 0
}

test('a process may be alive unless its number is free or another process has it', async () => {
  const { running, unreadable } = await processes()
  expect(mayBeAlive(await ended(), 'a')).toBe(false)
  expect(mayBeAlive(running, 'a')).toBe(false)
  expect(mayBeAlive(running, markOf(running))).toBe(true)
  expect(mayBeAlive(running, UNKNOWN_MARK)).toBe(true)
  expect(mayBeAlive(unreadable, 'a')).toBe(true)
})

test('a scratch file stays while the state of its process is unknown, and that of an import for a day', async () => {
  const { running, unreadable } = await processes()
  const { lake } = await tempLake()
  const folder = scratchFolder(lake.settings)
  mkdirSync(folder, { recursive: true })
  const file = (pid: number, mark: string, kind = 'scratch_') =>
    join(folder, `${kind}${pid}_${mark}_0a1b2c3d.duckdb`)
  const gone = await ended()
  const left = [
    file(gone, 'a'),
    file(running, 'a'),
    file(gone, 'a', 'import-'),
    file(gone, 'a', 'import-pipe-'),
  ]
  const aDayAgo = new Date(Date.now() - 25 * 3_600_000)
  const kept = [file(gone, 'b', 'import-'), file(unreadable, 'a'), file(running, UNKNOWN_MARK)]
  for (const name of [...left, ...kept]) writeFileSync(name, '')
  for (const name of left.filter((one) => one.includes('import-')))
    utimesSync(name, aDayAgo, aDayAgo)
  deleteLeftovers(folder)
  expect(left.filter(existsSync)).toEqual([])
  expect(kept.filter(existsSync)).toEqual(kept)
})
