import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createMaintainLake } from '../../../activities/maintain-lake.ts'
import { provePack } from '../../../queries/prove-pack.ts'
import { checkLake } from '../../../lake/connection/check-lake.ts'
import { announceMaintenance, maintenanceMarks } from '../../../lake/connection/commit-record.ts'
import { recordKeys } from '../../../lake/landing/hash-key.ts'
import { tablesOf } from '../../../lake/connection/tables.ts'
import { transact } from '../../../lake/connection/transact.ts'
import type { SharedLake } from '../../../activities/runtime/shared-lake.ts'
import { backUp } from '../../../lake/maintenance/back-up.ts'
import { copyFiles } from '../../../lake/maintenance/copy-files.ts'
import { openLake } from '../../../lake/connection/open.ts'
import { compact } from '../../../lake/maintenance/compact.ts'
import { verifyPack } from '../../../reports/verify-pack.ts'
import { preparedBooks, type BooksWorld } from '../../system/books/books-world.ts'
import { ringOf } from '../../support/key-ring.ts'
import { lakeSettingsIn, tempFolder, tempLake } from '../../support/temp-lake.ts'

const NIGHTS = [
  {
    settlements: '900 | 7 | 2026-11-03 03:00 | 130.00',
    transactions: `
      1 | 7 | 2026-11-02 10:00 | 150.00 | - | 900
      2 | 7 | 2026-11-02 11:00 | -20.00 | - | 900`,
  },
  {
    settlements: '901 | 7 | 2026-11-04 03:00 | 99.00',
    transactions: '3 | 7 | 2026-11-03 10:00 | 99.00 | - | 901',
  },
]
/** A test can't wait for days. */
const AT_ONCE = { snapshots_days: 0, files_days: 0 }

const parquetIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.parquet'),
  )

const twoNights = preparedBooks(async (books) => {
  const packs: string[] = []
  for (const [index, night] of NIGHTS.entries()) {
    await books.land(night)
    packs.push(await books.publish(`night-${index}`))
  }
  return { packs }
})

const differences = async (books: BooksWorld, pack: string) =>
  (await provePack(books.settings, await verifyPack(pack))).differing

const allRows = (books: BooksWorld) =>
  books.shared.connected(async (_lake, connection) => {
    const sql = 'select * from lake.seen.transaction_version order by all'
    return (await connection.runAndReadAll(sql)).getRowsJson()
  })

test('fewer files have the same rows, nothing is left beside them, and every old pack is still proved', async () => {
  const { books, packs } = await twoNights()
  const before = parquetIn(books.settings.lake.data).length
  const rows = await allRows(books)
  const done = await books.shared.connected((lake, connection) =>
    compact(lake, connection, AT_ONCE),
  )
  const after = parquetIn(books.settings.lake.data).length
  // A new lake has one file of migrations, so that there is less to merge than the nights themselves leave.
  expect(done.files.after).toBeLessThan((done.files.before * 2) / 3)
  expect(done.files.after).toBe(after)
  expect(after).toBeLessThan(before)
  expect(done.snapshotsExpired).toBeGreaterThan(10)
  expect(await allRows(books)).toEqual(rows)
  for (const pack of packs) expect(await differences(books, pack)).toEqual([])
})

test('a large table becomes several files, each in a step of its own, for which other runs wait', async () => {
  const { lake, connection } = await tempLake()
  await connection.run(`call lake.set_option('target_file_size', '70KB')`)
  for (let from = 0; from < 6; from += 1) {
    await connection.run(
      `insert into lake.ops.landed_page (sweep_id, body_sha256)
       select 's', sha256(range::varchar) from range(${from * 400}, ${from * 400 + 400})`,
    )
  }
  const filesOf = async () =>
    (
      await connection.runAndReadAll(
        `select file_count from ducklake_table_info('lake') where table_name = 'landed_page'`,
      )
    ).getRows()
  expect(await filesOf()).toEqual([[6n]])
  const run = vi.spyOn(connection, 'run')
  await compact(lake, connection)
  const isMark = ([sql]: [string, ...unknown[]]) => sql.includes('values (-2')
  const marks = run.mock.calls.filter(isMark)
  expect(await filesOf()).toEqual([[2n]])
  // Each table and the snapshots have one mark, and each new file has one more.
  expect(marks.length).toBeGreaterThan((await tablesOf(connection)).length + 2)
})

test('a file that was replaced less than two days ago stays', async () => {
  const { lake, connection } = await tempLake()
  await connection.run('update lake.ops.fence set n = 5')
  const before = parquetIn(lake.settings.data)
  expect(await compact(lake, connection)).toMatchObject({ snapshotsExpired: 0, filesRemoved: 0 })
  expect(parquetIn(lake.settings.data)).toEqual(expect.arrayContaining(before))
})

test('a file of a killed process is removed after two days; nothing is removed from a folder with foreign files', async () => {
  const { lake, connection } = await tempLake()
  const { data } = lake.settings
  const old = new Date(Date.now() - 3 * 86_400_000)
  const put = (name: string) => {
    mkdirSync(dirname(join(data, name)), { recursive: true })
    writeFileSync(join(data, name), 'x')
    utimesSync(join(data, name), old, old)
  }
  const ours = 'ducklake-01a1fed0-b141-7d14-b4a6-5cf54436f7e9.parquet'
  const left = [`ops/landing/${ours}`, `seen/settlement_version/year=2026/month=11/${ours}`]
  for (const name of left) put(name)
  // A file of another name, and files of another lake below this one.
  for (const foreign of ['ours-too.parquet', ours, `other/parquet/ops/landing/${ours}`]) {
    put(foreign)
    expect(await compact(lake, connection)).toMatchObject({ filesRemoved: 0 })
    for (const name of [...left, foreign]) expect(existsSync(join(data, name))).toBe(true)
    rmSync(join(data, foreign))
  }
  expect(await compact(lake, connection)).toMatchObject({ filesRemoved: 2 })
  for (const name of left) expect(existsSync(join(data, name))).toBe(false)
})

test('a file that another writer removes while maintenance searches for unknown files is no damage', async () => {
  const { lake, connection } = await tempLake()
  const read = connection.runAndReadAll.bind(connection)
  let searches = 0
  vi.spyOn(connection, 'runAndReadAll').mockImplementation(async (sql, ...more) => {
    if (!sql.includes('ducklake_delete_orphaned_files')) return read(sql, ...more)
    searches += 1
    if (searches > 1) return read(sql, ...more)
    throw new Error('IO Error: Cannot open file "a.parquet": No such file or directory')
  })
  expect(await compact(lake, connection)).toMatchObject({ filesRemoved: 0 })
  expect(searches).toBe(3)
})

test('a copy taken during a nightly run is a complete lake, in which the packs are proved', async () => {
  const { books, packs } = await twoNights()
  writeFileSync(join(books.settings.lake.folder, 'hash.key'), 'k', { mode: 0o600 })
  const folder = join(tempFolder(), 'copy')
  const order = { backUpTo: folder }
  const copying = createMaintainLake(books.shared, () => ringOf('key'))(
    order,
    new AbortController().signal,
    () => {},
  )
  await books.land({ transactions: '6 | 7 | 2026-11-05 10:00 | 5.00 | unsettled' })
  const copied = await copying
  expect(copied).toEqual({ folder, files: expect.any(Number), bytes: expect.any(Number) })
  await books.shared.close()
  for (const name of ['parquet', 'catalog.sqlite']) {
    rmSync(join(books.settings.lake.folder, name), { recursive: true })
  }
  const restored = { ...books.settings, lake: lakeSettingsIn(folder) }
  for (const pack of packs) {
    expect((await provePack(restored, await verifyPack(pack))).differing).toEqual([])
  }
  expect(readFileSync(join(folder, 'hash.key'), 'utf8')).toBe('k')
  expect(statSync(join(folder, 'hash.key')).mode & 0o777).toBe(0o600)
})

test('a copy names an account whose hashes were made with another key', async () => {
  const { lake, connection } = await tempLake()
  await transact(lake, connection, () => recordKeys(connection, 'acme', ringOf('key')))
  const shared = { connected: (work: (...of: unknown[]) => unknown) => work(lake, connection) }
  const copy = (key: string) =>
    createMaintainLake(shared as unknown as SharedLake, () => ringOf(key))(
      { backUpTo: join(tempFolder(), key) },
      new AbortController().signal,
      () => {},
    )
  expect(await copy('key')).not.toHaveProperty('otherKeyOf')
  expect(await copy('other')).toMatchObject({ otherKeyOf: 'acme' })
})

test('a copy never overwrites, and an interrupted copy leaves nothing', async () => {
  const { lake, connection } = await tempLake()
  const folder = join(tempFolder(), 'copy')
  mkdirSync(folder)
  await expect(backUp(lake, connection, { folder })).rejects.toMatchObject({
    code: 'would_overwrite',
  })
  rmSync(folder, { recursive: true })
  const signal = AbortSignal.abort(new Error('given up'))
  await expect(backUp(lake, connection, { folder, signal })).rejects.toThrow('given up')
  expect(readdirSync(join(folder, '..'))).toEqual([])
  await backUp(lake, connection, { folder })
  // A second attempt meets this if the worker of the first one was killed before it could answer.
  await expect(backUp(lake, connection, { folder })).rejects.toMatchObject({
    code: 'would_overwrite',
    message: expect.stringContaining('holds a complete backup'),
    remedy: expect.stringContaining('keep it'),
  })
})

test('a copy leaves out a file that another process deletes meanwhile', async () => {
  const { lake, connection } = await tempLake()
  const passing = join(lake.settings.data, 'z.parquet')
  writeFileSync(passing, 'of a transaction that is undone')
  const { signal } = new AbortController()
  // The copy asks before each file whether it should end, and has its list of files by then.
  const deletes = Object.assign(signal, { throwIfAborted: () => rmSync(passing, { force: true }) })
  const copy = join(tempFolder(), 'copy')
  await copyFiles(connection, { from: lake.settings.data, to: copy, signal: deletes })
  expect(parquetIn(copy)).toEqual(parquetIn(lake.settings.data))
})

test('two attempts at the same copy make one complete copy, and one is refused', async () => {
  const { lake, connection } = await tempLake()
  const other = await lake.connect()
  const folder = join(tempFolder(), 'copy')
  const attempts = await Promise.allSettled([
    backUp(lake, connection, { folder }),
    backUp(lake, other, { folder }),
  ])
  other.closeSync()
  expect(attempts).toContainEqual({
    status: 'fulfilled',
    value: expect.objectContaining({ folder }),
  })
  expect(attempts).toContainEqual({
    status: 'rejected',
    reason: expect.objectContaining({ code: 'would_overwrite' }),
  })
  expect(readdirSync(join(folder, '..'))).toEqual(['copy'])
})

test('a copy deletes what attempts at it have left, and nothing of a copy beside it', async () => {
  const { lake, connection } = await tempLake()
  const folder = join(tempFolder(), 'acme')
  for (const name of ['01234567', 'eu.01234567']) mkdirSync(`${folder}.${name}.partial`)
  await backUp(lake, connection, { folder })
  expect(readdirSync(join(folder, '..')).toSorted()).toEqual(['acme', 'acme.eu.01234567.partial'])
})

test('a copy that lacks a file is refused', async () => {
  const { lake, connection } = await tempLake()
  const { data } = lake.settings
  const [file = ''] = parquetIn(data).filter((name) => name.includes('fence'))
  rmSync(join(data, file))
  await expect(
    backUp(lake, connection, { folder: join(tempFolder(), 'copy') }),
  ).rejects.toMatchObject({
    code: 'lake_damaged',
    message: expect.stringContaining(basename(file)),
  })
})

test('a moved lake is opened in its new folder, and a lake whose files are elsewhere is refused', async () => {
  const { lake, connection } = await tempLake()
  connection.closeSync()
  lake.close()
  const moved = join(tempFolder(), 'moved')
  cpSync(lake.settings.folder, moved, { recursive: true })
  const opened = await openLake(lakeSettingsIn(moved), { create: false })
  opened.close()
  const elsewhere = { ...lakeSettingsIn(moved), data: join(moved, 'nowhere') }
  await expect(openLake(elsewhere, { create: false })).rejects.toMatchObject({
    code: 'lake_unreachable',
    message: expect.stringContaining('nowhere'),
  })
  // The folder may be that of another lake.
  mkdirSync(join(moved, 'nowhere', 'main', 'migration'), { recursive: true })
  writeFileSync(join(moved, 'nowhere', 'main', 'migration', 'other.parquet'), '')
  await expect(openLake(elsewhere, { create: false })).rejects.toMatchObject({
    code: 'lake_unreachable',
  })
  // Only the file that the opening looks for is gone.
  rmSync(join(moved, 'parquet', 'main', 'migration'), { recursive: true })
  await expect(openLake(lakeSettingsIn(moved), { create: false })).rejects.toMatchObject({
    code: 'lake_damaged',
    message: expect.stringMatching(/its file .*migration.*\.parquet is missing/),
  })
})

test('a check that waits for maintenance says so, and what the limit is', async () => {
  const { lake, connection } = await tempLake()
  const lines: string[] = []
  await connection.run('insert into __ducklake_metadata_lake.tieout_digest values (-2, null, null)')
  const checked = checkLake({ ...lake, say: (line) => lines.push(line) }, connection)
  await vi.waitFor(() => expect(lines).toHaveLength(1))
  const other = await lake.connect()
  await other.run('delete from __ducklake_metadata_lake.tieout_digest where snapshot = -2')
  other.closeSync()
  await checked
  expect(lines).toEqual(['waiting for maintenance of the lake, or for 60 seconds if it was killed'])
})

test('interrupted maintenance ends with the next check that may write, and refuses a reader', async () => {
  const { lake, connection } = await tempLake()
  await connection.run('insert into __ducklake_metadata_lake.tieout_digest values (-2, null, null)')
  const reader = await openLake(lake.settings, { create: false, readOnly: true })
  // A minute passes between two looks at the clock.
  let now_ms = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => (now_ms += 61_000))
  onTestFinished(() => void vi.restoreAllMocks())
  await expect(checkLake(reader, await reader.connect())).rejects.toMatchObject({
    code: 'lake_locked',
    message: 'maintenance of this lake was interrupted',
  })
  reader.close()
  const found = await checkLake(lake, connection)
  expect(await checkLake(lake, connection)).toEqual(found)
})

test('a check waits for maintenance that marks now and then that it goes on, and not for one that was killed', async () => {
  const { lake, connection } = await tempLake()
  const other = await lake.connect()
  const marks = () => maintenanceMarks(other)
  const real = Date.now
  let ahead_ms = 0
  vi.spyOn(Date, 'now').mockImplementation(() => real() + ahead_ms)
  onTestFinished(() => {
    vi.restoreAllMocks()
    other.closeSync()
  })
  await announceMaintenance(other)
  const say = vi.fn<(line: string) => void>()
  const checked = checkLake({ ...lake, say }, connection)
  await vi.waitFor(() => expect(say).toHaveBeenCalled())
  for (const known of [1, 2, 3]) {
    expect(await marks()).toBe(known)
    await announceMaintenance(other)
    // Longer than the pause between two looks.
    await sleep(1_200)
    ahead_ms += 40_000
  }
  expect(await marks()).toBe(4)
  const ended = async () => {
    ahead_ms += 40_000
    expect(await marks()).toBe(0)
  }
  await vi.waitFor(ended, { timeout: 30_000, interval: 1_000 })
  await checked
})

test('a backup below the files of the lake is refused, also through a link, since maintenance would delete it', async () => {
  const { lake, connection } = await tempLake()
  const link = join(tempFolder(), 'link')
  symlinkSync(lake.settings.data, link)
  for (const folder of [join(lake.settings.data, 'a', 'backup'), join(link, 'backup')]) {
    await expect(backUp(lake, connection, { folder })).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining(`the backup ${folder} would lie below`),
    })
    expect(existsSync(folder)).toBe(false)
  }
  const beside = `${lake.settings.data}-backup`
  await expect(backUp(lake, connection, { folder: beside })).resolves.toMatchObject({
    folder: beside,
  })
})
