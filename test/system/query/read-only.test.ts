import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { answerTo } from '../../../lake/query/answer.ts'
import { openReadOnly } from '../../../lake/query/open.ts'
import { checkStatement } from '../../../lake/query/statement.ts'
import { newPlace } from '../../support/built.ts'
import { tieoutHere } from '../../support/command-here.ts'
import { lakeSettingsIn } from '../../support/lake-template.ts'
import { tempFolder } from '../../support/temp-lake.ts'
import { openLake } from '../../../lake/connection/open.ts'
import { readIfExists } from '../../../lake/connection/read-lake.ts'
import { textOf, viewsInMemory } from './query-world.ts'

/** Statements that are not one select over the views, with a word of the reason. */
const REFUSED: [string, string][] = [
  ['insert into lake.seen.presence values (1)', 'only a select'],
  ['update lake.ops.fence set n = 0', 'only a select'],
  ['delete from lake.ops.run', 'only a select'],
  ['create table t (a integer)', 'only a select'],
  ['create or replace view tieout.runs as select 1', 'only a select'],
  ['drop view tieout.runs', 'only a select'],
  ["copy (select 1) to 'x.csv'", 'only a select'],
  ["export database 'x'", 'only a select'],
  ["attach ':memory:' as other", 'only a select'],
  ['detach lake', 'only a select'],
  ['use lake', 'only a select'],
  ['pragma database_list', 'only a select'],
  ['set threads = 1', 'only a select'],
  ['set variable account = 1', 'only a select'],
  ['reset threads', 'only a select'],
  ['load httpfs', 'only a select'],
  ['install httpfs', 'only a select'],
  ['call ducklake_merge_adjacent_files(1)', 'only a select'],
  ['explain select 1', 'only a select'],
  ['begin', 'only a select'],
  ['checkpoint', 'only a select'],
  ['prepare p as select 1', 'only a select'],
  ['select 1; select 2', '2 statements'],
  ['select 1; drop view tieout.runs', 'only a select'],
  ['', '0 statements'],
  ['-- nothing', '0 statements'],
  ['selec 1', 'syntax error'],
  ['select ?', 'no parameters'],
  ['select $1 as a, 1 as b', 'no parameters'],
  ['select 1 from runs where runId = $name limit 3', 'no parameters'],
  ['select 1 limit ?', 'no parameters'],
  ["select * from read_text('/etc/hostname')", 'read_text'],
  ["select (select content from read_text('/etc/hostname'))", 'read_text'],
  ["with x as (select * from read_csv('x.csv')) select * from x", 'read_csv'],
  ["select 1 where exists (from glob('*'))", 'glob'],
  ["select * from sqlite_scan('x', 'y')", 'sqlite_scan'],
  ["select * from postgres_scan('host=127.0.0.1', 'a', 'b')", 'postgres_scan'],
  ["select * from query('select 1')", 'query'],
  ["select * from query_table('runs')", 'query_table'],
  ["select * from ducklake_cleanup_old_files('lake', cleanup_all => true)", 'ducklake_cleanup'],
  ['select * from duckdb_secrets()', 'duckdb_secrets'],
  ['select * from duckdb_settings()', 'duckdb_settings'],
  ['select * from pragma_database_list()', 'pragma_database_list'],
  ['select * from lake.seen.transaction_version', 'none of the views'],
  ['select * from seen.transaction_version', 'none of the views'],
  ['select * from __ducklake_metadata_lake.ducklake_table', 'none of the views'],
  ['describe lake.ops.run', 'none of the views'],
  ["select current_setting('temp_directory')", 'current_setting'],
  ["select system.main.current_setting('temp_directory')", 'current_setting'],
  ["select ('temp_directory').current_setting()", 'current_setting'],
  ["select runId from runs order by getvariable('account')", 'getvariable'],
  ["select getenv('HOME')", 'getenv'],
  ["select pg_get_viewdef('runs'::regclass::bigint)", 'pg_get_viewdef'],
  ["select write_log('x')", 'write_log'],
  // Lists of tables, columns and texts of views, whatever their name.
  ['select * from information_schema.tables', 'none of the views'],
  ['select * from system.information_schema.columns', 'none of the views'],
  ['select * from INFORMATION_SCHEMA.Tables', 'none of the views'],
  ['select * from duckdb_tables', 'none of the views'],
  ['select * from duckdb_views', 'none of the views'],
  ['select * from sqlite_master', 'none of the views'],
  ['select * from pg_catalog.pg_class', 'none of the views'],
  ['select * from pragma_database_list', 'none of the views'],
  ['select * from chosen_run', 'none of the views'],
  ['select * from tieout.publication_rank', 'none of the views'],
  ['select * from every_run.chosen_run', 'none of the views'],
  ['select * from every_run.runs', 'none of the views'],
  ['show all tables', 'show tables'],
  ['show databases', 'show tables'],
  ['show variables', 'show tables'],
  ['show tables from lake', 'show tables'],
  ['from (show schemas)', 'show tables'],
  ['summarize lake.ops.run', 'none of the views'],
  // Files that are named like a table.
  ["select * from '/etc/passwd'", 'none of the views'],
  ["from 'parquet/main/x.parquet'", 'none of the views'],
  ['select * from "x.csv"', 'none of the views'],
  ["describe 'parquet/**/*.parquet'", 'none of the views'],
  ["from runs, lateral (from '/etc/passwd')", 'none of the views'],
  ["select * from (pivot 'x.csv' on a in (1) using count(*))", 'none of the views'],
  ["select * from json_execute_serialized_sql('{}')", 'json_execute_serialized_sql'],
  ["select * from parquet_metadata('x')", 'parquet_metadata'],
  ["select * from sniff_csv('x')", 'sniff_csv'],
  ['from lake.snapshots()', 'snapshots'],
  // The name of a CTE, where that CTE can't be read.
  ['with duckdb_tables as (from duckdb_tables) from duckdb_tables', 'none of the views'],
  ['with a as (from duckdb_views), duckdb_views as (select 1) from a', 'none of the views'],
  [
    'from duckdb_tables, (with duckdb_tables as (select 1) from duckdb_tables)',
    'none of the views',
  ],
  [
    'with recursive sqlite_master as (from sqlite_master union all select 1) from sqlite_master',
    'none of the views',
  ],
  ['with runs as (select 1) from lake.ops.runs', 'none of the views'],
  ['with "lake.ops.audit" as (select 1) from lake.ops.audit', 'none of the views'],
  ['with "duckdb.tables" as (select 1) from duckdb.tables', 'none of the views'],
  ['from "tieout.settlements"', 'none of the views'],
  // The Kelvin sign becomes a k only in JavaScript.
  ['with "duc\u212adb_databases" as (select 1) from duckdb_databases', 'none of the views'],
  ['with "duc\u212a.parquet" as (select 1) from "duck.parquet"', 'none of the views'],
]

describe('a statement that is not one select over the views is refused, and no part of it runs', () => {
  test('each way to write, to read beyond the views, or to read the environment', async () => {
    const connection = await viewsInMemory()
    for (const [sql, reason] of REFUSED) {
      await expect(checkStatement(connection, sql), sql).rejects.toMatchObject({
        code: 'query_refused',
        message: expect.stringContaining(reason),
      })
    }
  })

  test('a select may have CTEs, windows, subqueries, ranges, a comment and a final semicolon', async () => {
    const connection = await viewsInMemory()
    await connection.run(
      `insert into lake.ops.run (run_id, account, window_to) values ('r', 'acme', '2026-12-01');
       insert into lake.ops.publication (run_id, account, publication_seq, is_backfill) values ('r', 'acme', 1, false);
       insert into lake.result.settlements (run_id, "terminalId", "reportedNet")
       values ('r', '7', '130.00'), ('r', '7', '99.00'), ('r', '8', '15.05')`,
    )
    const sql = `-- the nets; by "terminal"
      with net as (select terminalId, sum(reportedNet) as net from tieout.settlements group by all)
      select terminalId, net, row_number() over (order by net) as n, (select count(*) from every_run.settlements) as all_of_them
      from net, (select unnest([1])) as one, range(1) as r, generate_series(1, 1) as g
      where terminalId in (from settlements select terminalId union all select 8) order by terminalId; -- it's all;`
    expect(await textOf(connection, sql, 'csv')).toBe(
      'terminalId,net,n,all_of_them\r\n7,229.00,2,3\r\n8,15.05,1,3\r\n',
    )
    const recursive =
      'with recursive n as (select 1 as i union all select i + 1 from N where i < 3), m as (from n) select max(i) as most from m'
    expect(await textOf(connection, recursive, 'csv')).toBe('most\r\n3\r\n')
    const inner =
      'with "A" as (select 1 as x) select (select max(x) from a) as x from every_run.settlements, a limit 1'
    expect(await textOf(connection, inner, 'csv')).toBe('x\r\n1\r\n')
    expect(await textOf(connection, 'show tables', 'csv')).toContain('settlements')
    expect(await textOf(connection, 'describe settlements', 'csv')).toContain('reportedNet,')
    expect(await textOf(connection, 'values (1), (2)', 'csv')).toBe('col0\r\n1\r\n2\r\n')
  })

  test('unknown names and unfit values are reported in one line', async () => {
    const connection = await viewsInMemory()
    await expect(answerTo(connection, 'select\n nothing\nfrom runs')).rejects.toMatchObject({
      code: 'query_refused',
      message: expect.stringMatching(/^Binder Error: [^\n]*"nothing"[^\n]*$/),
    })
    await expect(textOf(connection, "select 'x'::integer", 'csv')).rejects.toMatchObject({
      code: 'query_refused',
      message: expect.stringMatching(/^Conversion Error: [^\n]+$/),
    })
  })
})

describe('DuckDB itself refuses, whatever statement gets through', () => {
  test('no statement can write to the lake, read or make a file outside of it, or change a setting', async () => {
    const folder = tempFolder()
    const settings = lakeSettingsIn(folder)
    const made = await openLake(settings)
    made.close()
    const secret = join(folder, 'secret.txt')
    writeFileSync(secret, 'secret')
    const { connection, close } = await openReadOnly(settings)
    onTestFinished(close)
    const before = readdirSync(folder, { recursive: true }).length
    for (const [sql, reason] of [
      ['delete from lake.ops.run', /read-only/],
      ['insert into lake.ops.fence values (1)', /read-only/],
      ['create table lake.seen.other (a integer)', /read-only/],
      ["select * from ducklake_delete_orphaned_files('lake', cleanup_all => true)", /readonly/],
      [`select * from read_text('${secret}')`, /disabled/],
      [`copy (select 1) to '${join(folder, 'other.csv')}'`, /disabled/],
      [`attach '${join(folder, 'other.db')}' as other`, /disabled/],
      ["select * from read_csv('https://127.0.0.1:1/x.csv')", /disabled|httpfs/],
      ['install httpfs', /disabled|downloaded/i],
      ['set enable_external_access = true', /locked|Cannot/],
      ['set threads = 1', /locked/],
    ] as const) {
      await expect(connection.run(sql), sql).rejects.toThrow(reason)
    }
    expect(readdirSync(folder, { recursive: true })).toHaveLength(before)
  })

  test('a query does not create a missing lake', async () => {
    const folder = join(tempFolder(), 'none')
    await expect(openReadOnly(lakeSettingsIn(folder))).rejects.toMatchObject({
      code: 'lake_unreachable',
    })
    expect(existsSync(folder)).toBe(false)
    const told = { code: 'lake_unreachable', message: `there is no lake in ${folder}` }
    await expect(openLake(lakeSettingsIn(folder), { create: false })).rejects.toMatchObject(told)
    expect(existsSync(folder)).toBe(false)
  })

  test.each([
    ['a file instead of a folder', 'ENOTDIR', (place: string) => writeFileSync(place, '')],
    [
      'a catalog that the system does not read',
      'ELOOP',
      (place: string) => {
        mkdirSync(place)
        symlinkSync('catalog.sqlite', join(place, 'catalog.sqlite'))
      },
    ],
  ])('%s is no missing lake', async (_name, reason, make) => {
    const folder = join(tempFolder(), 'lake')
    make(folder)
    const told = {
      code: 'lake_unreachable',
      message: expect.stringMatching(`^the lake in ${folder} can't be read: .*\\(${reason}\\)$`),
    }
    const settings = lakeSettingsIn(folder)
    await expect(openReadOnly(settings)).rejects.toMatchObject(told)
    await expect(openLake(settings)).rejects.toMatchObject(told)
    await expect(readIfExists(settings, () => Promise.resolve())).rejects.toMatchObject(told)
    const { code, stdout } = await tieoutHere(['status'], newPlace({ TIEOUT_LAKE: folder }))
    expect([code, stdout]).toEqual([6, expect.stringContaining(reason)])
  })
})
