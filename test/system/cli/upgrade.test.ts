/**
 * Goal: a person upgrades a lake, goes back and restores a backup without losing a record or changing a number. Method:
 * two programs, of which one has a file of the schema more. The lake is in a folder, or in PostgreSQL and an object store.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readMigrations } from '../../../lake/connection/migrate.ts'
import type { RunResult } from '../../../domain/run.ts'
import { newPlace, simulate, startTieout, tieout, type Place } from '../../support/built.ts'
import { nextVersion } from '../../support/next-version.ts'
import { needs } from '../../support/outside-program.ts'
import { startServices, type Services } from '../../support/services.ts'

const NOW = '2026-10-30T04:15:00Z'
const WORLD = ['--terminals', '2', '--transactions', '300', '--from', '2026-09-20', '--days', '45']
const RANGE = ['--from', '2026-10-01', '--to', '2026-10-30', '--as-of', NOW]
const FILES = ['settlements.csv', 'attributions.csv', 'exceptions.csv', 'accounting/journal.csv']
const OWN = readMigrations().length

const isShared = needs('postgresql') && needs('moto')
let services: Services | undefined
let service: Record<string, string>
let program: string

beforeAll(async () => {
  service = await simulate([...WORLD, '--now', NOW], newPlace())
  program = nextVersion()
  if (isShared) services = await startServices()
})

afterAll(() => services?.stop())

async function json<T>(place: Place, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await tieout([...args, '--json'], place)
  expect(code, `${args.join(' ')}: ${stderr}`).toBe(0)
  return JSON.parse(stdout) as T
}

const night = (place: Place) => json<RunResult>(place, 'run', ...RANGE)
const reconciled = (place: Place) => json<RunResult>(place, 'reconcile', ...RANGE)

const numbersIn = ({ pack, headline }: RunResult) => [
  headline,
  ...FILES.map((name) => readFileSync(join(pack, name), 'utf8')),
]

async function refused(place: Place, exit: number, code: string, ...args: string[]) {
  const { code: exited, stderr } = await tieout(args, place)
  expect([exited, stderr]).toEqual([exit, expect.stringContaining(`error ${code}: `)])
  return stderr
}

/** An upgrade and the way back; the place's own program is the older one. */
async function upgradedAndBack(place: Place): Promise<RunResult> {
  const next = { ...place, program }
  const first = await night(place)
  const { manifestSha256 } = await json<{ manifestSha256: string }>(place, 'verify', first.pack)
  for (const command of [
    ['reconcile', ...RANGE],
    ['query', 'select 1'],
    ['periods', 'list'],
  ]) {
    expect(await refused(next, 6, 'lake_outdated', ...command)).toContain('tieout upgrade')
  }
  await refused(next, 6, 'lake_outdated', 'worker')
  expect(await json(next, 'upgrade')).toMatchObject({ from: OWN, to: OWN + 1 })
  expect((await tieout(['upgrade'], next)).stdout).toMatch(/; nothing to do$/m)
  expect(await refused(place, 6, 'lake_unreachable', 'reconcile', ...RANGE)).toContain(
    `schema version ${OWN + 1}`,
  )
  const upgraded = await reconciled(next)
  expect(numbersIn(upgraded)).toEqual(numbersIn(first))
  expect(await json(next, 'verify', first.pack)).toMatchObject({ manifestSha256 })
  expect(await refused(next, 5, 'rollback_refused', 'rollback')).toContain('1 run, 1 pack')
  expect(await json(next, 'rollback', '--discard-newer')).toMatchObject({
    ...{ from: OWN + 1, to: OWN },
    discarded: {
      landings: 0,
      sweeps: 0,
      runs: 1,
      packs: 1,
      acts: 0,
      approvals: 0,
      erasures: 0,
      backfillEvents: 0,
    },
  })
  await refused(next, 6, 'lake_outdated', 'reconcile', ...RANGE)
  await json(place, 'prove', first.pack)
  expect(numbersIn(await reconciled(place))).toEqual(numbersIn(first))
  return first
}

/** The lake of another place has what the backup has: the pack can be proved, and is made again. */
async function expectSame(place: Place, first: RunResult): Promise<void> {
  await json(place, 'verify', first.pack)
  await json(place, 'prove', first.pack)
  expect(numbersIn(await reconciled(place))).toEqual(numbersIn(first))
}

test('a lake in a folder', async () => {
  const place = newPlace({ ...service, TIEOUT_METRICS: 'off' })
  const first = await upgradedAndBack(place)
  const backup = join(place.cwd, 'backup')
  await json(place, 'maintain', '--backup', backup)
  const elsewhere = newPlace(place.env)
  await json(elsewhere, 'maintain', '--restore', backup)
  await expectSame(elsewhere, first)
})

test('a lake that a worker uses is neither upgraded nor put back', async () => {
  const place = newPlace({ ...service, TIEOUT_METRICS: 'off' })
  await night(place)
  const worker = startTieout(['worker'], place)
  const said = await worker.says('worker ready')
  const [, TEMPORAL_ADDRESS = ''] = /worker ready: Temporal (\S+),/.exec(said) ?? []
  for (const command of ['upgrade', 'rollback'])
    await refused({ ...place, program }, 6, 'lake_locked', command)
  // On another machine only the Temporal service shows the worker.
  const elsewhere = newPlace({ ...place.env, TEMPORAL_ADDRESS })
  const waiting = startTieout(['upgrade'], elsewhere)
  await waiting.says('waiting for workers to leave Temporal')
  waiting.kill('SIGINT')
  expect(await waiting.ended).toMatchObject({ code: 130 })
  worker.kill('SIGTERM')
  await worker.ended
  expect(await json({ ...place, program }, 'upgrade')).toMatchObject({ to: OWN + 1 })
})

describe('a lake in PostgreSQL and an object store', () => {
  let shared: Place
  let first: RunResult
  let backup: string

  test('is upgraded and put back', async (context) => {
    if (services === undefined) context.skip('PostgreSQL or moto is not installed')
    const lake = await services?.lake('upgraded')
    shared = newPlace({ ...service, ...lake, TIEOUT_METRICS: 'off' })
    first = await upgradedAndBack(shared)
  })

  test('has a copy that is a complete lake in a folder', async (context) => {
    if (services === undefined) context.skip('PostgreSQL or moto is not installed')
    backup = join(shared.cwd, 'backup')
    await json(shared, 'maintain', '--backup', backup)
    await refused(shared, 5, 'would_overwrite', 'maintain', '--restore', backup)
    const { TIEOUT_LAKE: _lake, TIEOUT_LAKE_DATA: _data, ...rest } = shared.env
    const local = newPlace(rest)
    expect(await json(local, 'maintain', '--restore', backup)).toMatchObject({ backup })
    await expectSame(local, first)
  })

  test('is restored into an empty database and an empty bucket', async (context) => {
    if (services === undefined) context.skip('PostgreSQL or moto is not installed')
    const empty = newPlace({ ...shared.env, ...(await services?.lake('restored')) })
    expect(await json(empty, 'maintain', '--restore', backup)).toMatchObject({ backup })
    await expectSame(empty, first)
  })
})
