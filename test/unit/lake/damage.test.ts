/**
 * Goal: a damaged lake is named and never becomes a number. Method: records land. Then one byte, one length or one row
 * of the catalog changes, and the check of a run must refuse it.
 */
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { checkLake } from '../../../lake/connection/check-lake.ts'
import { Failure } from '../../../domain/failure.ts'
import { damageIn, readLake } from '../../../lake/connection/read-lake.ts'
import { isUnreadable } from '../../../lake/connection/lake-errors.ts'
import type { LakeSettings } from '../../../domain/settings.ts'
import { openLake } from '../../../lake/connection/open.ts'
import type { Lake } from '../../../lake/connection/lake.ts'
import { raiseFence, transact } from '../../../lake/connection/transact.ts'
import { compact } from '../../../lake/maintenance/compact.ts'
import { lakeSettingsIn, newFolder } from '../../support/lake-template.ts'
import { rowsOf } from '../../support/temp-lake.ts'

const folder = newFolder()
const settings = lakeSettingsIn(folder)
/** The same lake after maintenance, which expires its snapshots. */
const maintained = lakeSettingsIn(newFolder())
let files: string[] = []

/** A test can't wait for days. */
const AT_ONCE = { snapshots_days: 0, files_days: 0 }

/** Parquet files below a folder. */
const parquetIn = (data: string) =>
  readdirSync(data, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.parquet'))
    .map((name) => join(data, name))

beforeAll(async () => {
  const lake = await lakeWithRecords(settings)
  lake.close()
  files = parquetIn(settings.data)
  const other = await lakeWithRecords(maintained)
  const { snapshotsExpired } = await compact(other, await other.connect(), AT_ONCE)
  expect(snapshotsExpired).toBeGreaterThan(4)
  other.close()
})

async function lakeWithRecords(place: LakeSettings): Promise<Lake> {
  const lake = await openLake(place)
  const connection = await lake.connect()
  await transact(lake, connection, () =>
    connection.run(
      `insert into lake.ops.landing
       select range, 'acme', 'settlements', 0, 1, 1, 0, timestamp '2026-10-30', '{}' from range(1, 500)`,
    ),
  )
  // A table with partitions, and a file that takes rows from another one.
  await transact(lake, connection, () =>
    connection.run(
      `insert into lake.seen.settlement_version
       select 'acme', 1, 7, timestamp '2026-10-30', 'COMPLETE', 100, false, 1, 's', 1, timestamp '2026-10-30', 1`,
    ),
  )
  await transact(lake, connection, () =>
    connection.run('delete from lake.ops.landing where rowid < 5'),
  )
  await transact(lake, connection, () => connection.run('update lake.ops.fence set n = n + 1'))
  expect(await checkLake(lake, connection)).toMatchObject({ files: expect.any(Number) })
  return lake
}

/** Checks the lake as a run does. */
async function checked(place = settings): Promise<unknown> {
  const lake = await openLake(place)
  onTestFinished(() => lake.close())
  return checkLake(lake, await lake.connect())
}

/** Restores a file after the test. */
function restored(file: string): void {
  const kept = `${file}.intact`
  copyFileSync(file, kept)
  onTestFinished(() => {
    copyFileSync(kept, file)
    rmSync(kept)
  })
}

test('an intact lake passes, again and again', async () => {
  await checked()
  await checked()
})

describe('a damaged file is named', () => {
  test('a wrong bit in any part of the file', async () => {
    const largest =
      files.toSorted((a, b) => readFileSync(b).length - readFileSync(a).length)[0] ?? ''
    restored(largest)
    const intact = readFileSync(largest)
    for (let part = 0; part < 12; part += 1) {
      const bytes = Buffer.from(intact)
      const at = Math.floor(((part + 0.5) * bytes.length) / 12)
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (part % 8)), at)
      writeFileSync(largest, bytes)
      await expect(checked()).rejects.toMatchObject({
        code: 'lake_damaged',
        message: expect.stringMatching(`${basename(largest)} was changed after it was written`),
      })
    }
  })

  test('a file that is shorter', async () => {
    const [file = ''] = files.filter((name) => name.includes('landing'))
    restored(file)
    truncateSync(file, readFileSync(file).length - 1)
    await expect(checked()).rejects.toThrow(/ has \d+ bytes instead of \d+/)
  })

  test('a file that is missing', async () => {
    const [file = ''] = files.filter((name) => name.includes('landing'))
    restored(file)
    rmSync(file)
    await expect(checked()).rejects.toMatchObject({
      code: 'lake_damaged',
      message: expect.stringMatching(`${basename(file)} is missing`),
    })
  })
})

describe('a change of the catalog is named', () => {
  const landing = `(select data_file_id from data_file where path like '%' and table_id =
    (select table_id from data_table where table_name = 'landing') limit 1)`
  const changes: Record<string, string> = {
    'a maximum that leaves a file out': `update file_column_stats set max_value = '0' where data_file_id = ${landing}`,
    'a minimum of a table': `update table_column_stats set min_value = '9'`,
    'a number of rows': `update data_file set record_count = record_count + 1 where data_file_id = ${landing}`,
    'a file that is left out': `update data_file set end_snapshot = begin_snapshot + 1 where data_file_id = ${landing}`,
    'a file without a row': `delete from data_file where data_file_id = ${landing}`,
    'a column of another type': `update data_column set column_type = 'int8' where column_name = 'account'`,
    'a snapshot that is gone': `delete from snapshot where snapshot_id = 1`,
    'a partition value that leaves a file out': `update file_partition_value set partition_value = 'x'`,
    'a partition value that is gone': `delete from file_partition_value where true`,
    'a partition by another column': `update partition_column set column_id = column_id + 1`,
    'a partition of another kind': `update partition_column set transform = 'year'`,
    'a partition that is gone': `delete from partition_info where true`,
    'a partition that ended': `update partition_info set end_snapshot = begin_snapshot + 1`,
    'a schema that ended': `update schema set end_snapshot = begin_snapshot + 1 where schema_name = 'ops'`,
    'a schema of another name': `update schema set schema_name = 'other' where schema_name = 'ops'`,
    'a table of another name': `update data_table set table_name = 'other' where table_name = 'landing'`,
    'a table that ended': `update data_table set end_snapshot = begin_snapshot + 1 where table_name = 'landing'`,
    'a file that loses rows': `update delete_file set path = 'x.parquet'`,
    'a version of the tables': `update schema_versions set schema_version = schema_version + 1`,
    'a mapping of columns': `insert into column_mapping values (1, 1, 'map_by_name')`,
    'a mapping of names': `insert into name_mapping values (1, 1, 'account', 1, null, 0)`,
    'a table of inlined rows': `insert into inlined_data_tables values (1, 'inlined', 1)`,
  }
  const tables =
    'file_column_stats table_column_stats data_file data_table data_column snapshot schema_versions schema delete_file file_partition_value partition_column partition_info column_mapping name_mapping inlined_data_tables'
  /** The statement with the names of DuckLake's tables. */
  const named = (statement: string) =>
    tables
      .split(' ')
      .reduce(
        (text, table) =>
          text.replaceAll(
            new RegExp(String.raw`\b(from|into|update) ${table}\b`, 'g'),
            `$1 __ducklake_metadata_lake.ducklake_${table.replace(/^data_(?=table|column)/, '')}`,
          ),
        statement,
      )

  test.each(Object.keys(changes))('%s', async (name) => {
    const catalog = settings.catalog.replace('sqlite:', '')
    restored(catalog)
    const lake = await openLake(settings)
    await (await lake.connect()).run(named(changes[name] ?? ''))
    lake.close()
    await expect(checked()).rejects.toMatchObject({
      code: 'lake_damaged',
      message: expect.stringMatching('in the catalog'),
    })
  })
})

test.each([
  ['ended in a snapshot that is no longer in the catalog', 'min(missing)'],
  ['ends in a snapshot that is not yet in the catalog', 'max(missing)'],
])('a file that %s is named', async (_title, which) => {
  restored(maintained.catalog.replace('sqlite:', ''))
  const lake = await openLake(maintained)
  const catalog = '__ducklake_metadata_lake'
  await (
    await lake.connect()
  ).run(
    `update ${catalog}.ducklake_data_file set end_snapshot =
       (select ${which} from range(1, (select max(snapshot) + 2 from ${catalog}.tieout_digest)) as numbers (missing)
        where missing not in (select snapshot from ${catalog}.tieout_digest))
     where end_snapshot is null`,
  )
  lake.close()
  await expect(checked(maintained)).rejects.toMatchObject({
    code: 'lake_damaged',
    message: expect.stringMatching('in the catalog'),
  })
})

test('a commit does not take a row that ends in its snapshot for its own', async () => {
  restored(settings.catalog.replace('sqlite:', ''))
  const lake = await openLake(settings)
  onTestFinished(() => lake.close())
  const connection = await lake.connect()
  const catalog = '__ducklake_metadata_lake'
  await connection.run(
    `update ${catalog}.ducklake_data_file
     set end_snapshot = (select max(snapshot_id) + 1 from ${catalog}.ducklake_snapshot)
     where table_id =
       (select table_id from ${catalog}.ducklake_table where table_name = 'settlement_version')`,
  )
  await expect(transact(lake, connection, () => raiseFence(connection))).rejects.toMatchObject({
    code: 'lake_damaged',
    message: expect.stringContaining('end in a snapshot that does not exist'),
  })
  await expect(checkLake(lake, connection)).rejects.toMatchObject({ code: 'lake_damaged' })
})

test('a commit after a change of a table’s minimum is refused, and does not make it part of the record', async () => {
  restored(settings.catalog.replace('sqlite:', ''))
  const lake = await openLake(settings)
  onTestFinished(() => lake.close())
  const connection = await lake.connect()
  const fence = async () =>
    (await rowsOf(connection, 'select n::integer as n from lake.ops.fence'))[0]
  const before = await fence()
  await connection.run(
    `update __ducklake_metadata_lake.ducklake_table_column_stats set min_value = '9' where min_value is not null`,
  )
  const damaged = {
    code: 'lake_damaged',
    message: expect.stringContaining('the statistics of its tables in the catalog were changed'),
  }
  await expect(transact(lake, connection, () => raiseFence(connection))).rejects.toMatchObject(
    damaged,
  )
  expect(await fence()).toEqual(before)
  await expect(checkLake(lake, connection)).rejects.toMatchObject(damaged)
})

test('a damaged file that the opening of the lake reads is named, too', async () => {
  const [file = ''] = files.filter((name) => name.includes('migration'))
  restored(file)
  truncateSync(file, 40)
  await expect(checked()).rejects.toMatchObject({
    code: 'lake_damaged',
    message: expect.stringMatching(basename(file)),
  })
})

test('a type in the catalog that no engine knows is named as damage when the lake is opened', async () => {
  const file = join(folder, 'catalog.sqlite')
  restored(file)
  const bytes = readFileSync(file)
  // The pages of SQLite may hold older copies of a row, so that every place is changed.
  for (let at = bytes.indexOf('int64'); at >= 0; at = bytes.indexOf('int64', at + 1)) {
    bytes.write('int>4', at)
  }
  writeFileSync(file, bytes)
  await expect(checked()).rejects.toMatchObject({ code: 'lake_damaged' })
})

test('the file behind an unforeseen error is named, and one that a commit has not recorded yet is no damage', async () => {
  expect(await damageIn(settings)).toBeUndefined()
  const [file = ''] = files.filter((name) => name.includes('landing'))
  restored(file)
  const bytes = readFileSync(file)
  bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20)
  writeFileSync(file, bytes)
  expect(await damageIn(settings)).toMatchObject({
    code: 'lake_damaged',
    message: expect.stringMatching(basename(file)),
  })
})

test('an error of the engine that no pattern knows leads to the check, a bug of ours does not', () => {
  expect(isUnreadable(new Error('Invalid Input Error: a message that no pattern knows'))).toBe(true)
  expect(isUnreadable(new Error('Permission Error: a kind that no other row has'))).toBe(true)
  expect(isUnreadable(new Error('INTERRUPT Error: Interrupted!'))).toBe(false)
  expect(isUnreadable(new Error('a bug'))).toBe(false)
  expect(isUnreadable(new Failure('usage', 'Binder Error: of a person'))).toBe(false)
  const cause = new Error('Invalid Error: Out of buffer')
  expect(isUnreadable(new Failure('bug', 'a model failed', { cause }))).toBe(true)
})

test('a reader names the changed file in place of an error of a model', async () => {
  const [file = ''] = files.filter((name) => name.includes('landing'))
  restored(file)
  const bytes = readFileSync(file)
  bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20)
  writeFileSync(file, bytes)
  const cause = new Error('Serialization Error: bytes that no pattern knows')
  const causes = [
    new Failure('bug', 'a model failed', { cause }),
    new Error("Invalid Error: don't know what type: "),
  ]
  for (const error of causes) {
    await expect(readLake(settings, () => Promise.reject(error))).rejects.toMatchObject({
      code: 'lake_damaged',
      message: expect.stringMatching(basename(file)),
    })
  }
})

test('a commit whose process was killed before it recorded it is no damage', async () => {
  const lake = await openLake(settings)
  const connection = await lake.connect()
  await connection.run('update lake.ops.fence set n = n + 1')
  lake.close()
  await checked()
})

test('files that maintenance replaces and removes during a check are no damage, and their successors are checked', async () => {
  const lake = await lakeWithRecords(lakeSettingsIn(newFolder()))
  onTestFinished(() => lake.close())
  const checking = await lake.connect()
  // Two files of one table, which maintenance makes into one.
  for (const sweep of ['a', 'b']) {
    await transact(lake, checking, () =>
      checking.run(
        `insert into lake.ops.sighting select 'acme', 'settlements', '${sweep}', range::varchar from range(2000)`,
      ),
    )
  }
  const lists: string[] = []
  const read = checking.runAndReadAll.bind(checking)
  checking.runAndReadAll = async (sql, ...values) => {
    const answer = await read(sql, ...values)
    if (!sql.startsWith('with other_run')) return answer
    lists.push(sql)
    if (lists.length === 1) await compact(lake, await lake.connect(), AT_ONCE)
    return answer
  }
  const { files: checked } = await checkLake(lake, checking)
  expect(checked).toBe(parquetIn(lake.settings.data).length)
  // Both lists of the first attempt, and the one of the second.
  expect(lists).toHaveLength(3)
})
