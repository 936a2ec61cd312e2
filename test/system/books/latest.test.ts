/** Goal: `latest`, the lake and `status` name the same pack, and a failed attempt leaves no pack without a record. */
import { existsSync, mkdirSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createPublish } from '../../../activities/publish.ts'
import { createReconcile } from '../../../activities/reconcile/reconcile.ts'
import type { Run } from '../../../domain/run.ts'
import type { Settings } from '../../../domain/settings.ts'
import { latestPublication } from '../../../lake/results/publications.ts'
import { storeTarget } from '../../../reports/store/store-target.ts'
import { objectStore } from '../../../workers/config/object-store.ts'
import { relayTo } from '../../support/object-store-relay.ts'
import { requireProgram } from '../../support/outside-program.ts'
import { startBucket } from '../../support/services.ts'
import { rowsOf } from '../../support/temp-lake.ts'
import { openedToQuery } from '../query/query-world.ts'
import { newBooksWorld, NOVEMBER, preparedBooks, type BooksWorld } from './books-world.ts'

const SEPTEMBER = { from: '2026-09-01', to: '2026-10-01' }
const OCTOBER = { from: '2026-10-01', to: '2026-11-01' }

const RECORDS = {
  settlements: '900 | 7 | 2026-11-03 03:00:00 | 150.00',
  transactions: '1 | 7 | 2026-11-02 10:00:00 | 150.00 | -',
}

async function worldWithRecords(more: Partial<Settings> = {}): Promise<BooksWorld> {
  const world = newBooksWorld(more)
  await world.land(RECORDS)
  return world
}

/** The same with a pack of November. */
const withNovember = preparedBooks(async (world) => {
  await world.land(RECORDS)
  return { pack: await world.publish('november') }
})

const accountIn = ({ settings }: BooksWorld) => join(settings.out, 'acme')

/** The run that `latest` names, and the one that the lake's record names. */
async function latestOf(world: BooksWorld): Promise<[string, string | undefined]> {
  const inLake = await world.shared.connected((_lake, connection) =>
    latestPublication(connection, 'acme'),
  )
  return [basename(readlinkSync(join(accountIn(world), 'latest'))), inLake?.runId]
}

const both = (runId: string) => [runId, runId]

/** Publishes a run that has been reconciled, as an attempt of its activity does. */
async function attempt(world: BooksWorld, runId: string, more: Partial<Run> = {}) {
  const run = { runId, account: 'acme', window: NOVEMBER, asOf: '2026-11-30T12:00:00Z', ...more }
  await createReconcile(world.settings, world.shared)(run)
  return createPublish(world.settings, world.shared)(run)
}

const packsIn = (world: BooksWorld) =>
  readdirSync(accountIn(world), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^\d[^/]+\/[^/]+$/.test(name),
  )

test('latest follows every run whatever its range, and a backfill only to a range that ends no earlier', async () => {
  const { books: world } = await withNovember()
  expect(await latestOf(world)).toEqual(both('november'))
  await world.publish('september', { window: SEPTEMBER })
  expect(await latestOf(world)).toEqual(both('september'))
  await world.publish('filled-october', { window: OCTOBER, isBackfill: true })
  expect(await latestOf(world)).toEqual(both('filled-october'))
  const left = await attempt(world, 'filled-september', { window: SEPTEMBER, isBackfill: true })
  expect(left.latest).toBe('2026-10-01_2026-11-01/filled-october')
  expect(await latestOf(world)).toEqual(both('filled-october'))
  expect((await attempt(world, 'again', { window: SEPTEMBER })).latest).toBeUndefined()
  expect(await latestOf(world)).toEqual(both('again'))

  const connection = await openedToQuery(world)
  expect(await rowsOf(connection, 'select runId from runs where isLatest')).toEqual([
    { runId: 'again' },
  ])
})

test('a run whose pack is withheld is not the latest, nor does a query take its rows', async () => {
  const { books: world } = await withNovember()
  const withheld = attempt(world, 'withheld', { minCertificate: 'SNAPSHOT' })
  await expect(withheld).rejects.toMatchObject({ code: 'certificate_too_low' })
  expect(await latestOf(world)).toEqual(both('november'))
  const connection = await openedToQuery(world)
  expect(await rowsOf(connection, 'select distinct runId from settlements')).toEqual([
    { runId: 'november' },
  ])
})

test('a run says that latest named a pack of another lake, and says so once', async () => {
  const [first, second] = [await worldWithRecords(), await worldWithRecords()]
  await first.publish('first')
  const there = { settings: { ...second.settings, out: first.settings.out } }
  const world = { ...second, ...there }
  const { foreignLatest } = await attempt(world, 'second')
  expect(foreignLatest).toBe('2026-11-01_2026-12-01/first')
  expect((await attempt(world, 'third')).foreignLatest).toBeUndefined()
})

test('a link whose pack is gone names a pack again after any publication, also of an old backfill', async () => {
  const { books: world, pack: first } = await withNovember()
  rmSync(first, { recursive: true })
  const { pack, latest } = await attempt(world, 'old', { window: SEPTEMBER, isBackfill: true })
  expect(latest).toBeUndefined()
  expect(readlinkSync(join(accountIn(world), 'latest'))).toBe('2026-09-01_2026-10-01/old')
  expect(existsSync(pack)).toBe(true)
})

test('a backfill into another folder has its own latest there', async () => {
  const { books: world } = await withNovember()
  const out = join(dirname(world.settings.out), 'elsewhere')
  for (const [runId, window] of Object.entries({ first: SEPTEMBER, second: OCTOBER })) {
    await world.publish(runId, { window, out, isBackfill: true })
  }
  expect(basename(readlinkSync(join(out, 'acme', 'latest')))).toBe('second')
  expect(await latestOf(world)).toEqual(both('november'))
})

test('an attempt that can not record its pack leaves none, and the next attempt publishes it', async () => {
  const world = await worldWithRecords()
  await world.shared.connected((_lake, connection) =>
    connection.run('alter table lake.ops.publication drop column manifest_sha256'),
  )
  await expect(attempt(world, 'first')).rejects.toThrow()
  expect(packsIn(world)).toEqual([])
  await world.shared.connected((_lake, connection) =>
    connection.run('alter table lake.ops.publication add column manifest_sha256 varchar'),
  )
  await attempt(world, 'first')
  expect(await latestOf(world)).toEqual(both('first'))
})

test('a store that keeps a pack without a record is named in the error, and the next attempt records the pack', async (context) => {
  requireProgram(context, 'moto')
  const { env, stop } = await startBucket('packs')
  onTestFinished(stop)
  let refuses = true
  const relay = await relayTo(env.AWS_ENDPOINT_URL, ({ method }) =>
    refuses && method === 'DELETE' ? { status: 403 } : undefined,
  )
  onTestFinished(relay.stop)
  const store = () => objectStore({ ...env, AWS_ENDPOINT_URL: relay.url })
  const world = await worldWithRecords({ out: 's3://packs/out', packStore: store })
  const alter = (words: string) =>
    world.shared.connected((_lake, connection) =>
      connection.run(`alter table lake.ops.publication ${words}`),
    )
  await alter('drop column manifest_sha256')
  const pack = 's3://packs/out/acme/2026-11-01_2026-12-01/first'
  await expect(attempt(world, 'first')).rejects.toThrow(
    `the pack ${pack} has no record, and parts of it can't be deleted: ${pack}/manifest.json: the store answered with status 403`,
  )
  await alter('add column manifest_sha256 varchar')
  expect((await attempt(world, 'first')).pack).toBe(pack)

  refuses = false
  await alter('drop column manifest_sha256')
  await expect(attempt(world, 'second')).rejects.toThrow('9 values were supplied')
  expect(relay.seen.filter((line) => /^DELETE .*second\/manifest.json$/.test(line))).toHaveLength(1)
  expect(await storeTarget(store).firstPack([pack.replace('first', 'second'), pack])).toBe(pack)
})

test('if latest can not move, the error says that the pack is published, and the next attempt moves it', async () => {
  const world = await worldWithRecords()
  const { pack } = await attempt(world, 'first')
  const latest = join(accountIn(world), 'latest')
  rmSync(latest)
  mkdirSync(join(latest, 'of another program'), { recursive: true })
  await expect(attempt(world, 'first')).rejects.toMatchObject({
    code: 'would_overwrite',
    message: expect.stringContaining(`the pack ${pack} is published, but latest can't be moved`),
  })
  rmSync(latest, { recursive: true })
  await attempt(world, 'first')
  expect(await latestOf(world)).toEqual(both('first'))
})

test('something foreign in the place of latest ends the attempt before there is a pack or a record', async () => {
  const world = await worldWithRecords()
  mkdirSync(join(accountIn(world), 'latest'), { recursive: true })
  await expect(attempt(world, 'first')).rejects.toMatchObject({ code: 'would_overwrite' })
  expect(readdirSync(accountIn(world))).toEqual(['latest'])
  const recorded = await world.shared.connected((_lake, connection) =>
    rowsOf(connection, 'select * from lake.ops.publication'),
  )
  expect(recorded).toEqual([])
})

test('a publication that is repeated, as after a lost answer, gives the same pack', async () => {
  const world = await worldWithRecords()
  const run = { runId: 'once', account: 'acme', window: NOVEMBER, asOf: '2026-11-30T12:00:00Z' }
  await createReconcile(world.settings, world.shared)(run)
  const publish = createPublish(world.settings, world.shared)
  const first = await publish(run)
  expect(await publish(run)).toEqual(first)
})
