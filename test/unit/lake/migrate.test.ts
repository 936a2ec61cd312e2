import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  checkSchema,
  makeTables,
  migrate,
  readMigrations,
  schemaOf,
  type Migration,
} from '../../../lake/connection/migrate.ts'
import { openLake } from '../../../lake/connection/open.ts'
import { transact } from '../../../lake/connection/transact.ts'
import { lakeSettingsIn, rowsOf, tempFolder, tempLake } from '../../support/temp-lake.ts'

const VERSIONS = 'select version as v from lake.main.migration order by 1'
const KNOWN = readMigrations().map(({ version }) => ({ v: version }))
const LAST = KNOWN.length

test('a lake that a newer version wrote is refused and unchanged', async () => {
  const { lake, connection } = await tempLake()
  await connection.run(
    `insert into lake.main.migration values (9999, '9999_future.sql', 'x', now())`,
  )
  const refused = {
    code: 'lake_unreachable',
    message: expect.stringContaining('schema version 9999'),
    remedy: expect.stringContaining('newer one'),
  }
  await expect(openLake(lake.settings)).rejects.toMatchObject(refused)
  const reading = openLake(lake.settings, { create: false, readOnly: true })
  await expect(reading).rejects.toMatchObject(refused)
  expect(await rowsOf(connection, VERSIONS)).toEqual([...KNOWN, { v: 9999 }])
})

test('no new lake begins where the records of another one lie', async () => {
  const { lake, connection } = await tempLake()
  const { data } = lake.settings
  const other = { ...lakeSettingsIn(tempFolder()), data }
  // Only the files of its tables are there, as while another process makes the same lake.
  await expect(openLake(other).then((made) => made.close())).resolves.toBeUndefined()
  await transact(lake, connection, () =>
    connection.run(`insert into lake.seen.quarantine (account) values ('acme')`),
  )
  const late = { ...lakeSettingsIn(tempFolder()), data }
  await expect(openLake(late)).rejects.toMatchObject({
    code: 'lake_unreachable',
    message: expect.stringContaining('holds the records of one'),
    remedy: expect.stringContaining('TIEOUT_LAKE_DATA'),
  })
  ;(await openLake(lake.settings)).close()
})

test('a catalog without tables takes the place that it is given', async () => {
  const settings = lakeSettingsIn(tempFolder())
  const first = await openLake({ ...settings, data: join(tempFolder(), 'wrong') }, { asItIs: true })
  first.close()
  for (let round = 0; round < 2; round += 1) {
    const lake = await openLake(settings)
    const connection = await lake.connect()
    await transact(lake, connection, () =>
      connection.run(`insert into lake.seen.quarantine (account) values ('acme')`),
    )
    connection.closeSync()
    lake.close()
  }
  expect(readdirSync(join(settings.data, 'seen', 'quarantine'))).toHaveLength(2)
})

test('a lake from before the first release is refused with the way to begin anew, and no byte of its folder changes', async () => {
  const { lake, connection } = await tempLake()
  await connection.run(
    `update lake.main.migration set name = '0001_seen.sql', checksum = 'of another file'`,
  )
  await connection.run(
    `insert into lake.main.migration values (${LAST + 1}, '0009_result.sql', 'x', now())`,
  )
  connection.closeSync()
  lake.close()
  const before = contentsOf(lake.settings.folder)
  const refused = {
    code: 'lake_unreachable',
    message: expect.stringContaining('before its first release'),
    remedy: expect.stringContaining('start with a new lake: name another folder with --lake'),
  }
  await expect(openLake(lake.settings)).rejects.toMatchObject(refused)
  expect(contentsOf(lake.settings.folder)).toEqual(before)
  const reading = openLake(lake.settings, { create: false, readOnly: true })
  await expect(reading).rejects.toMatchObject(refused)
  // A reader of a SQLite catalog leaves an empty log beside it.
  expect(contentsOf(lake.settings.folder)).toEqual(expect.arrayContaining(before))
})

/** Path, mode and hash of everything in a folder. */
const contentsOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name)
      const stat = statSync(path)
      const content = stat.isFile() ? readFileSync(path) : ''
      return `${name} ${stat.mode} ${createHash('sha256').update(content).digest('hex')}`
    })

const next = (version: number, text: string): Migration => ({
  ...{ version, text, name: `${String(version).padStart(4, '0')}_next.sql` },
  checksum: createHash('sha256').update(text).digest('hex'),
})

test('a lake of an earlier release is opened for an upgrade alone, and each file is applied once', async () => {
  const { lake, connection } = await tempLake()
  await connection.run(`insert into lake.ops.run (run_id, account) values ('run-1', 'acme')`)
  const migrations = [
    ...readMigrations(),
    next(LAST + 1, 'alter table lake.ops.run add column note varchar'),
    next(LAST + 2, `update lake.ops.run set note = 'third'`),
  ]
  const refused = { code: 'lake_outdated', remedy: expect.stringContaining('tieout upgrade') }
  await expect(makeTables(connection, migrations)).rejects.toMatchObject(refused)
  await expect(checkSchema(connection, migrations)).rejects.toMatchObject(refused)
  expect(await rowsOf(connection, VERSIONS)).toEqual(KNOWN)
  const { version, pending } = await schemaOf(connection, migrations)
  expect([version, pending.map(({ version }) => version)]).toEqual([LAST, [LAST + 1, LAST + 2]])
  for (const file of pending) await migrate(lake, connection, file)
  await makeTables(connection, migrations)
  expect(await rowsOf(connection, VERSIONS)).toEqual([...KNOWN, { v: LAST + 1 }, { v: LAST + 2 }])
  expect(await rowsOf(connection, 'select run_id, note from lake.ops.run')).toEqual([
    { run_id: 'run-1', note: 'third' },
  ])
})

test('a file that fails leaves nothing of itself', async () => {
  const { lake, connection } = await tempLake()
  const failing = next(
    LAST + 1,
    `alter table lake.ops.run add column note varchar;
     alter table lake.ops.run drop column missing_column`,
  )
  await expect(migrate(lake, connection, failing)).rejects.toThrow('missing_column')
  expect(await rowsOf(connection, VERSIONS)).toEqual(KNOWN)
  await expect(connection.run('select note from lake.ops.run')).rejects.toThrow('note')
})
