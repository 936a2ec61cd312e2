/** Tables that a run leaves as Parquet, for its other tasks or for itself. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { assert } from '../domain/failure.ts'
import { quoted } from './quoted.ts'

/** Where a file notes the types that Parquet doesn't know. */
const TYPES_KEY = 'types'

/** Writes the rows of a select, in no order, as they are made: they needn't fit into memory. Fails for 128-bit integers. */
export async function writeTable(
  connection: DuckDBConnection,
  select: string,
  file: string,
): Promise<void> {
  const described = await connection.runAndReadAll(`describe select * from (${select}\n)`)
  const columns = described.getRows().map(([column, type]) => [String(column), String(type)])
  const wide = columns.find(([, type]) => type?.includes('HUGEINT'))
  // Parquet has no integer of 128 bits: it would come back as a float.
  assert(wide === undefined, `${wide?.[0] ?? ''} of ${file} fits into 64 bits`)
  const words = Object.fromEntries(columns.filter(([, type]) => type?.startsWith('ENUM(')))
  // It is read within the hour: to compress it costs more than to read more bytes.
  await connection.run(
    `copy (${select}\n) to ${quoted(file)}
     (format parquet, compression uncompressed, preserve_order false, kv_metadata {${TYPES_KEY}: ${quoted(JSON.stringify(words))}})`,
  )
}

/** Selects what files of one table hold, each column of the type that it had; a word of a type is plain text in Parquet. */
export async function readingTable(
  connection: DuckDBConnection,
  files: readonly string[],
): Promise<string> {
  const of = `read_parquet([${files.map(quoted).join(', ')}])`
  const [first = ''] = files
  const noted = await connection.runAndReadAll(
    `select decode(value) from parquet_kv_metadata(${quoted(first)}) where decode(key) = ${quoted(TYPES_KEY)}`,
  )
  const types: Record<string, string> = JSON.parse(String(noted.getRows()[0]?.[0] ?? '{}'))
  const casts = Object.entries(types).map(([name, type]) => `${name}::${type} as ${name}`)
  return casts.length === 0 ? `from ${of}` : `select * replace (${casts.join(', ')}) from ${of}`
}
