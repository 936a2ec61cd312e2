/** The rows of the catalog as a whole: to copy them, and to put a copy in their place. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { assert, Failure } from '../../domain/failure.ts'
import { CATALOG } from '../connection/commit-record.ts'
import { quoted, quotedName } from '../connection/sql-literal.ts'

/** Tables with this prefix lie in the catalog's database and hold its rows from before the newest upgrade. */
const BEFORE = 'before_upgrade_'

/** Names DuckLake's tables and those of the record, which together are the lake without its files. */
async function catalogTables(
  connection: DuckDBConnection,
  database: string = CATALOG,
): Promise<string[]> {
  const all = await tablesOf(connection, database)
  const names = all.filter((name) => /^ducklake_|^tieout_(?:file|digest)$/.test(name))
  assert(names.includes('ducklake_snapshot'), `${database} shows the tables of a catalog`)
  return names
}

/** Asks the database itself, because DuckDB hides the tables of DuckLake's own one. */
async function tablesOf(connection: DuckDBConnection, database: string): Promise<string[]> {
  const lake = await connection.runAndReadAll(
    `select path from duckdb_databases() where database_name = 'lake'`,
  )
  const isPostgres = database === CATALOG && String(lake.getRows()[0]?.[0]).startsWith('postgres:')
  const [ask, question] = isPostgres
    ? [
        'postgres_query',
        'select table_name from information_schema.tables where table_schema = current_schema()',
      ]
    : ['sqlite_query', `select name from sqlite_master where type = 'table'`]
  const reader = await connection.runAndReadAll(
    `from ${ask}(${quoted(database)}, ${quoted(question)})`,
  )
  return reader.getRows().map(([name]) => String(name))
}

/** Copies the rows of the catalog beside it. The caller's transaction holds the write lock. */
export async function copyAside(connection: DuckDBConnection): Promise<void> {
  await dropAside(connection)
  for (const name of await catalogTables(connection)) {
    await connection.run(
      `create table ${CATALOG}.${quotedName(BEFORE + name)} as from ${CATALOG}.${quotedName(name)}`,
    )
  }
}

/** Puts those rows back and drops the copy, in the caller's transaction. */
export async function putBack(connection: DuckDBConnection): Promise<void> {
  const names = await copiedTables(connection)
  assert(names.length > 0, 'an upgrade has left a copy of the catalog')
  for (const name of names) {
    const to = `${CATALOG}.${quotedName(name.slice(BEFORE.length))}`
    await replaceRows(connection, { from: `${CATALOG}.${quotedName(name)}`, to })
  }
  await dropAside(connection)
}

async function dropAside(connection: DuckDBConnection): Promise<void> {
  for (const name of await copiedTables(connection)) {
    await connection.run(`drop table ${CATALOG}.${quotedName(name)}`)
  }
}

const copiedTables = async (connection: DuckDBConnection): Promise<string[]> =>
  (await tablesOf(connection, CATALOG)).filter((name) => name.startsWith(BEFORE))

/** Gives a table the rows of another one with the same columns. */
async function replaceRows(
  connection: DuckDBConnection,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await connection.run(`delete from ${to}`)
  await connection.run(`insert into ${to} by name from ${from}`)
}

/**
 * Gives a catalog all rows of another one, of the same or another kind of database, and compares them. The caller's
 * transaction writes to `to` alone, and records the catalog anew: the two kinds write a yes or no differently.
 */
export async function copyRows(
  connection: DuckDBConnection,
  { from, to }: { from: string; to: string },
): Promise<void> {
  for (const name of await catalogTables(connection, from)) {
    const pair = { from: `${from}.${quotedName(name)}`, to: `${to}.${quotedName(name)}` }
    await replaceRows(connection, pair)
    if (await isUnequal(connection, pair)) {
      throw new Failure('bug', `the table ${name} of the catalog was not copied as it is`)
    }
  }
  await connection.run(`delete from ${to}.tieout_digest`)
}

/** Compares by values, so that true equals 1. */
async function isUnequal(
  connection: DuckDBConnection,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const columns = await connection.runAndReadAll(`select name from pragma_table_info('${from}')`)
  const names = columns.getRows().map(([name]) => quotedName(String(name)))
  const reader = await connection.runAndReadAll(
    `select (select count(*) from ${from}) <> (select count(*) from ${to})
       or exists (select ${names.join(', ')} from ${from} except all select ${names.join(', ')} from ${to})`,
  )
  return reader.getRows()[0]?.[0] === true
}
