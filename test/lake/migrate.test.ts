import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CARRIED } from '../../lake/carry.ts'
import { writeCsv } from '../../lake/export.ts'
import { openLake } from '../../lake/open.ts'
import { SEALED_TABLES } from '../../lake/seal.ts'
import { rowsOf, tempFolder, tempLake } from '../support/temp-lake.ts'

const REFUSED = {
  code: 'lake_unreachable',
  message: expect.stringContaining('schema version'),
  remedy: expect.stringContaining('newer one'),
}

test('a lake that a newer version wrote is refused and left as it is', async () => {
  const { lake, connection } = await tempLake()
  await connection.run(
    `insert into lake.main.migration values (9999, '9999_future.sql', 'x', now())`,
  )
  await expect(openLake(lake.settings)).rejects.toMatchObject(REFUSED)
  const reading = openLake(lake.settings, { create: false, readOnly: true })
  await expect(reading).rejects.toMatchObject(REFUSED)
  expect(await rowsOf(connection, 'select max(version) as v from lake.main.migration')).toEqual([
    { v: 9999 },
  ])
})

test('a lake whose migration was another than ours of that number is refused', async () => {
  const { lake, connection } = await tempLake()
  await connection.run(`update lake.main.migration set checksum = 'changed' where version = 2`)
  await expect(openLake(lake.settings)).rejects.toMatchObject(REFUSED)
})

/** What a lake looked like before its last migrations. */
async function olderLake() {
  const { lake, connection } = await tempLake()
  for (const table of ['carry', 'seal', ...CARRIED, ...SEALED_TABLES]) {
    await connection.run(`drop table lake.carried.${table}`)
  }
  await connection.run('drop schema lake.carried')
  await connection.run('drop table lake.ops.publication')
  await connection.run('drop table lake.ops.limited_sweep')
  await connection.run('drop table lake.result.evidence')
  await connection.run('drop table lake.result.attribution_source')
  for (const column of ['settled_event', 'flag_comes_later', 'has_moved']) {
    await connection.run(`alter table lake.ops.run drop column ${column}`)
  }
  await connection.run('alter table lake.result.attributions add column row_no bigint')
  await connection.run('delete from lake.main.migration where version >= 12')
  await connection.run(`insert into lake.ops.run (run_id, account) values ('run-1', 'acme')`)
  return { lake, connection }
}

const VERSIONS = 'select version as v from lake.main.migration where version > 10 order by 1'

test('an older lake gets all that it lacks, with what was in it', async () => {
  const { lake, connection } = await olderLake()
  const newer = await openLake(lake.settings)
  newer.close()
  expect(await rowsOf(connection, VERSIONS)).toEqual([
    { v: 11 },
    { v: 12 },
    { v: 13 },
    { v: 14 },
    { v: 15 },
    { v: 16 },
    { v: 17 },
    { v: 18 },
    { v: 19 },
    { v: 20 },
    { v: 21 },
    { v: 22 },
    { v: 23 },
  ])
  expect(await rowsOf(connection, 'select run_id from lake.ops.publication')).toEqual([
    { run_id: 'run-1' },
  ])
  expect(await rowsOf(connection, 'select account from lake.carried.carry')).toEqual([])
})

test('attributions that an older lake kept as texts are numbers and instants afterwards, row by row', async () => {
  const { lake, connection } = await olderLake()
  await connection.run(`create or replace table lake.result.attributions as
    select run_id, row_no, columns(* exclude (run_id, row_no))::varchar from lake.result.attributions`)
  await connection.run(`insert into lake.result.attributions values
    ('run-1', 2, 'acme', '9223372036854775807', '900', '7', '2026-11-02T10:00:00.25Z', 'REFUND', 'CAPTURE', '9999999999999.99', '-9999999999999.99', 'WINDOW'),
    ('run-1', 1, 'acme', '1', '900', null, '2026-11-02T10:00:00Z', 'CHARGE', 'CAPTURE', '0.05', '-0.05', null)`)
  const newer = await openLake(lake.settings)
  newer.close()
  const file = join(tempFolder(), 'attributions.csv')
  await writeCsv(connection, { runId: 'run-1', table: 'attributions' }, file)
  expect(readFileSync(file, 'utf8').split('\r\n').slice(1)).toEqual([
    'acme,1,900,,2026-11-02T10:00:00Z,CHARGE,CAPTURE,0.05,-0.05,',
    'acme,9223372036854775807,900,7,2026-11-02T10:00:00.25Z,REFUND,CAPTURE,9999999999999.99,-9999999999999.99,WINDOW',
    '',
  ])
})

test('where one migration fails the ones before it are not applied either', async () => {
  const { lake, connection } = await olderLake()
  await connection.run('drop table lake.ops.backfill_event')
  await connection.run('delete from lake.main.migration where version = 11')
  // What the twelfth reads is not there.
  await connection.run('alter table lake.ops.run drop column recorded_at')
  await expect(openLake(lake.settings)).rejects.toThrow('recorded_at')
  expect(await rowsOf(connection, VERSIONS)).toEqual([])
  await expect(connection.run('from lake.ops.backfill_event')).rejects.toThrow('backfill_event')
})

test('what each night reads of all history lies in its files as it is', async () => {
  const { connection } = await tempLake()
  expect(
    await rowsOf(
      connection,
      `select value, scope_entry from lake.options() where option_name = 'parquet_compression'`,
    ),
  ).toEqual([{ value: 'uncompressed', scope_entry: 'carried.quiet_card' }])
})
