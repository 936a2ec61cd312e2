/**
 * Goal: a backup takes the place of a lake whole or not at all, and the earlier lake is never lost. Method: the
 * commands of a person who goes back to the night before, with a backup, a damaged one, and beside a worker.
 */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { RunResult } from '../../../domain/run.ts'
import {
  newPlace,
  newPlaceWithLake,
  type Place,
  simulate,
  startTieout,
  tieout,
} from '../../support/built.ts'
import { tieoutHere } from '../../support/command-here.ts'

const WORLD = ['--terminals', '2', '--transactions', '300', '--from', '2026-09-20', '--days', '45']

let place: Place
let lake: string
let first: RunResult
const backup = () => join(place.cwd, 'backup')

const json = async (...args: string[]): Promise<unknown> => {
  const run = args.includes('--backup') ? tieout : tieoutHere
  const { code, stdout, stderr } = await run([...args, '--json'], place)
  expect(code, `${args.join(' ')}: ${stderr}`).toBe(0)
  return JSON.parse(stdout)
}

async function night(now: string): Promise<RunResult> {
  const service = await simulate([...WORLD, '--now', now], newPlace())
  const range = ['--from', '2026-10-01', '--to', '2026-10-30', '--as-of', now]
  place.env = { ...place.env, ...service }
  const { code, stdout, stderr } = await tieout(['run', ...range, '--json'], place)
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as RunResult
}

const versions = async () =>
  (
    await tieoutHere(
      ['query', 'select count(*) as n from settlement_versions', '--format', 'csv'],
      place,
    )
  ).stdout

beforeAll(async () => {
  place = newPlaceWithLake({ TIEOUT_TIMEZONE: 'UTC', TIEOUT_METRICS: 'off' })
  lake = place.env['TIEOUT_LAKE'] ?? join(place.cwd, 'data')
  first = await night('2026-10-29T04:15:00Z')
  writeFileSync(join(lake, 'notes.txt'), 'no part of a lake')
  await json('maintain', '--backup', backup())
})

test('the lake is that of the backup again, and the earlier one can be restored in its turn', async () => {
  const before = await versions()
  await night('2026-10-30T04:15:00Z')
  const after = await versions()
  expect(after).not.toBe(before)
  const restored = (await json('maintain', '--restore', backup())) as { before: string }
  expect(await versions()).toBe(before)
  expect(readFileSync(join(lake, 'notes.txt'), 'utf8')).toBe('no part of a lake')
  await json('prove', first.pack)
  expect(await json('maintain', '--restore', restored.before)).toMatchObject({
    backup: restored.before,
  })
  expect(await versions()).toBe(after)
})

test('a damaged backup and a folder without a lake change nothing', async () => {
  const damaged = join(place.cwd, 'damaged')
  cpSync(backup(), damaged, { recursive: true })
  const files = readdirSync(join(damaged, 'parquet'), { recursive: true, encoding: 'utf8' })
  const file = join(damaged, 'parquet', files.find((name) => name.endsWith('.parquet')) ?? '')
  const bytes = readFileSync(file)
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 4
  writeFileSync(file, bytes)
  const [before, names] = [await versions(), readdirSync(join(lake, '..'))]
  const refused = await tieoutHere(['maintain', '--restore', damaged], place)
  expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining('lake_damaged')])
  const foreign = await tieoutHere(['maintain', '--restore', place.cwd], place)
  expect([foreign.code, foreign.stderr]).toEqual([
    2,
    expect.stringContaining('is not a backup of a lake'),
  ])
  expect(await versions()).toBe(before)
  expect(readdirSync(join(lake, '..'))).toEqual(names)
})

test('a lake that a worker uses is not replaced', async () => {
  const worker = startTieout(['worker'], place)
  await worker.says('worker ready')
  const { code, stderr } = await tieoutHere(['maintain', '--restore', backup()], place)
  expect([code, stderr]).toEqual([6, expect.stringContaining('lake_locked')])
  worker.kill('SIGTERM')
  await worker.ended
})

test('a machine that has no lake takes one from a backup', async () => {
  const elsewhere = { ...place, env: { ...place.env, TIEOUT_LAKE: join(place.cwd, 'new', 'lake') } }
  const { code, stdout, stderr } = await tieoutHere(['maintain', '--restore', backup()], elsewhere)
  expect([code, stdout], stderr).toEqual([0, expect.not.stringContaining('earlier lake')])
  expect(existsSync(join(place.cwd, 'new', 'lake', 'catalog.sqlite'))).toBe(true)
  expect(readdirSync(join(place.cwd, 'new'))).toEqual(['lake'])
})
