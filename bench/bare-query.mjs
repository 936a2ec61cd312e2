/** Opens a lake read-only, runs one query and prints its rows: `node bench/bare-query.mjs LAKE EXTENSIONS SQL`. */
import { DuckDBInstance } from '@duckdb/node-api'

const [lake, extensions, sql] = process.argv.slice(2)
const instance = await DuckDBInstance.create(':memory:', {
  threads: '2',
  ...(extensions === '' ? {} : { extension_directory: extensions }),
})
const connection = await instance.connect()
await connection.run('LOAD ducklake')
await connection.run('LOAD sqlite_scanner')
await connection.run(`ATTACH 'ducklake:sqlite:${lake}/catalog.sqlite' AS lake (READ_ONLY)`)
const reader = await connection.runAndReadAll(sql)
process.stdout.write(`${JSON.stringify(reader.getRowsJson())}\n`)
process.exit()
