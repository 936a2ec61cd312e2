/** The tables of a lake in memory, without a catalog or files: enough for models, which only read them. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { readdirSync, readFileSync } from 'node:fs'

const FOLDER = new URL('../../sql/schema/', import.meta.url)

/** Makes the tables of the migrations without their partitions, which only DuckLake supports. */
const SCHEMA = readdirSync(FOLDER)
  .sort()
  .map((file) => readFileSync(new URL(file, FOLDER), 'utf8'))
  .join('\n')
  .replaceAll(/^alter table [^;]*set partitioned by [^;]*;/gm, '')

/** A connection to an empty lake in memory; the caller closes it. */
export async function memoryLake(): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run(`set global TimeZone = 'UTC'; attach ':memory:' as lake; ${SCHEMA}`)
  return connection
}
