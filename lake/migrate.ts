/** The lake's schema: numbered SQL files, each applied once, in one transaction with the record of it. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../domain/failure.ts'
import { packageRoot } from './package-root.ts'
import { atOneInstant, withRetries } from './transact.ts'

const FOLDER = join(packageRoot, 'sql', '00_seen')

/**
 * Each night reads three columns of all quiet charges: to take them out of their compression would be a quarter of that. A table
 * has to be there before it can be told, so that no migration does it; without it a night is slower.
 */
const READ_NIGHTLY = `call lake.set_option('parquet_compression', 'uncompressed', schema => 'carried', table_name => 'quiet_card')`

interface Migration {
  version: number
  name: string
  text: string
  checksum: string
}

/** Applies what is missing. A lake made by a newer version, or by changed files, is refused. */
export async function migrate(connection: DuckDBConnection): Promise<void> {
  const migrations = readMigrations()
  await withRetries(async () => {
    const applied = await knownMigrations(connection, migrations)
    const missing = migrations.filter(({ version }) => !applied.has(version))
    if (missing.length === 0) return
    await apply(connection, missing)
    await connection.run(READ_NIGHTLY)
  })
}

/** Who only reads takes an older lake as it is, and of a newer one can't tell what its tables mean. Throws lake_unreachable. */
export async function refuseNewer(connection: DuckDBConnection): Promise<void> {
  await knownMigrations(connection, readMigrations())
}

/** Checksums of what was applied, by version. */
async function knownMigrations(
  connection: DuckDBConnection,
  migrations: readonly Migration[],
): Promise<Map<number, string>> {
  const applied = await appliedMigrations(connection)
  for (const [version, checksum] of applied) {
    const known = migrations.find((migration) => migration.version === version)
    if (known?.checksum === checksum) continue
    throw new Failure(
      'lake_unreachable',
      `the lake has schema version ${version}, which this version of tieout doesn't know`,
      { remedy: 'use the version of tieout that wrote this lake, or a newer one' },
    )
  }
  return applied
}

function readMigrations(): Migration[] {
  return readdirSync(FOLDER)
    .filter((file) => /^\d{4}_.*\.sql$/.test(file))
    .sort()
    .map((name) => {
      const text = readFileSync(join(FOLDER, name), 'utf8')
      const checksum = createHash('sha256').update(text).digest('hex')
      return { version: Number(name.slice(0, 4)), name, text, checksum }
    })
}

async function appliedMigrations(connection: DuckDBConnection): Promise<Map<number, string>> {
  // duckdb_tables() would open every table of the lake to say the same.
  const tables = await connection.runAndReadAll(
    `select 1 from ducklake_table_info('lake') where table_name = 'migration'`,
  )
  if (tables.currentRowCount === 0) return new Map()
  const rows = await connection.runAndReadAll('select version, checksum from lake.main.migration')
  return new Map(rows.getRows().map(([version, checksum]) => [Number(version), String(checksum)]))
}

/** Together: each commit to the catalog costs as much as many tables. */
async function apply(
  connection: DuckDBConnection,
  migrations: readonly Migration[],
): Promise<void> {
  await atOneInstant(connection, async () => {
    await connection.run(
      `create table if not exists lake.main.migration(version integer, name varchar, checksum varchar, applied_at timestamp)`,
    )
    for (const { text } of migrations) await connection.run(text)
    const applied = migrations.map(({ version, name, checksum }) => ({ version, name, checksum }))
    await connection.run(
      `insert into lake.main.migration
       select m.version, m.name, m.checksum, now()::timestamp
       from (select unnest(from_json($1, '[{"version":"INTEGER","name":"VARCHAR","checksum":"VARCHAR"}]')) as m)`,
      [JSON.stringify(applied)],
    )
  })
}
