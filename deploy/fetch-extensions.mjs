/** Puts DuckDB's extensions where the project looks first, so that a read-only container fetches nothing. */
import { DuckDBInstance } from '@duckdb/node-api'
import { filledFolder, loadExtensions } from '../dist/lake/connection/extensions.js'

const instance = await DuckDBInstance.create(':memory:', {
  extension_directory: await filledFolder(),
})
const connection = await instance.connect()
// Those of a local lake, and of one in PostgreSQL and an object store.
const extensions = ['ducklake', 'sqlite_scanner', 'postgres_scanner', 'httpfs']
await loadExtensions(connection, extensions, (line) => {
  process.stdout.write(`${line}\n`)
})
instance.closeSync()
