/** The lake's schema: numbered SQL files, each applied once, in one transaction with its record. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import { CATALOG } from './commit-record.ts'
import type { Lake } from './lake.ts'
import { packageRoot } from './package-root.ts'
import { asPattern, quoted } from './sql-literal.ts'
import { atOneInstant, transact } from './transact.ts'
import { withRetries } from './with-retries.ts'
import { hasRows } from './has-rows.ts'

const FOLDER = join(packageRoot, 'sql', 'schema')

export interface Migration {
  /** 1, 2, 3 … */
  version: number
  name: string
  text: string
  checksum: string
}

/**
 * Makes the tables of a lake that has none. Throws lake_outdated for a lake of an earlier version, and lake_unreachable
 * for one of a newer version, or from before the first release. A place that holds the records of another lake is also
 * lake_unreachable. Maintenance of the new lake would delete them.
 */
export async function makeTables(
  connection: DuckDBConnection,
  migrations: readonly Migration[] = readMigrations(),
  say?: (line: string) => void,
): Promise<void> {
  await withRetries(async () => {
    if ((await checkSchema(connection, migrations)).version > 0) return
    const records = await recordsBeside(connection)
    // A process that makes this lake just now lands records only after its tables.
    if ((await checkSchema(connection, migrations)).version > 0) return
    if (records !== undefined) throw occupied(records)
    await atOneInstant(connection, () => apply(connection, migrations))
  }, say)
}

/** A file with records at the place of the data, which a lake without tables has not written. */
async function recordsBeside(connection: DuckDBConnection): Promise<string | undefined> {
  const place = await connection.runAndReadAll(
    `select value from ${CATALOG}.ducklake_metadata where key = 'data_path'`,
  )
  const below = asPattern(String(place.getRows()[0]?.[0]))
  const found = await connection.runAndReadAll(
    `select file from glob(${quoted(`${below}seen/**/*.parquet`)}) order by file limit 1`,
  )
  const [file] = found.getRows()[0] ?? []
  return file === undefined ? undefined : String(file)
}

const occupied = (file: string) =>
  new Failure(
    'lake_unreachable',
    `the catalog has no lake, but the place of its data holds the records of one: ${file}`,
    {
      remedy:
        'name the catalog of that lake in TIEOUT_LAKE, or restore its backup; for a new lake, name an empty place in TIEOUT_LAKE_DATA',
    },
  )

/**
 * Throws lake_outdated for a lake of an earlier version, and lake_unreachable for one of a newer version, or from before
 * the first release. A lake without tables has version 0 and passes.
 */
export async function checkSchema(
  connection: DuckDBConnection,
  migrations: readonly Migration[] = readMigrations(),
): Promise<Schema> {
  const schema = await schemaOf(connection, migrations)
  const { version, pending } = schema
  if (version > 0 && pending.length > 0) throw olderLake(version, pending.at(-1)?.version ?? 0)
  return schema
}

export interface Schema {
  /** The number of the newest applied file; 0 for a lake without tables. */
  version: number
  /** The files that the lake does not have yet. */
  pending: readonly Migration[]
}

/** Reads the version of a lake. Throws lake_unreachable for one of a newer version, or from before the first release. */
export async function schemaOf(
  connection: DuckDBConnection,
  migrations: readonly Migration[] = readMigrations(),
): Promise<Schema> {
  const applied = await appliedMigrations(connection)
  const versions = [...applied.keys()].sort((a, b) => a - b)
  for (const version of versions) {
    const known = migrations.find((migration) => migration.version === version)
    if (known === undefined) throw newerLake(version)
    if (known.checksum !== applied.get(version)) throw unreleasedLake()
  }
  const pending = migrations.filter(({ version }) => !applied.has(version))
  return { version: versions.at(-1) ?? 0, pending }
}

/** A lake of another version of tieout. Waiting does not help. */
export class OtherVersion extends Failure {}

const olderLake = (version: number, own: number) =>
  new OtherVersion(
    'lake_outdated',
    `the lake has schema version ${version}, and this version of tieout needs version ${own}`,
  )

const newerLake = (version: number) =>
  new OtherVersion(
    'lake_unreachable',
    `the lake has schema version ${version}, which this version of tieout doesn't know`,
    { remedy: 'use the version of tieout that wrote this lake, or a newer one' },
  )

const unreleasedLake = () =>
  new OtherVersion(
    'lake_unreachable',
    'the lake was written by a version of tieout from before its first release, and this version cannot read it',
    {
      remedy:
        'start with a new lake: name another folder with --lake or TIEOUT_LAKE, or move this one away',
    },
  )

/** The files of sql/schema in the order of their numbers. */
export function readMigrations(): Migration[] {
  return readdirSync(FOLDER)
    .filter((file) => /^\d{4}_.*\.sql$/.test(file))
    .sort()
    .map((name) => {
      const text = readFileSync(join(FOLDER, name), 'utf8')
      const checksum = hash('sha256', text)
      return { version: Number(name.slice(0, 4)), name, text, checksum }
    })
}

/** False for a catalog without a lake. */
export const hasTables = (connection: DuckDBConnection): Promise<boolean> =>
  // DuckLake's own functions would open every table of the lake.
  hasRows(
    connection,
    `from ${CATALOG}.ducklake_table where table_name = 'migration' and end_snapshot is null`,
  )

async function appliedMigrations(connection: DuckDBConnection): Promise<Map<number, string>> {
  if (!(await hasTables(connection))) return new Map()
  const rows = await connection.runAndReadAll('select version, checksum from lake.main.migration')
  return new Map(rows.getRows().map(([version, checksum]) => [Number(version), String(checksum)]))
}

/**
 * Applies one file to an older lake, in one transaction with its record. An attempt whose answer was lost may have been
 * stored, and the next one then finds its record.
 */
export const migrate = (
  lake: Lake,
  connection: DuckDBConnection,
  migration: Migration,
): Promise<void> =>
  transact(lake, connection, async () => {
    const applied = await appliedMigrations(connection)
    if (!applied.has(migration.version)) await apply(connection, [migration])
  })

/** A new lake gets all files in one transaction, because a commit costs as much as many tables. */
async function apply(
  connection: DuckDBConnection,
  migrations: readonly Migration[],
): Promise<void> {
  await connection.run(
    `create table if not exists lake.main.migration(version integer, name varchar, checksum varchar, applied_at timestamp)`,
  )
  for (const { text } of migrations) await connection.run(text)
  const applied = migrations.map(({ version, name, checksum }) => ({ version, name, checksum }))
  await connection.run(
    `insert into lake.main.migration
     select unnest(from_json($1, '[{"version":"INTEGER","name":"VARCHAR","checksum":"VARCHAR"}]'), recursive := true), now()::timestamp`,
    [JSON.stringify(applied)],
  )
}
