/** The conversion of program rows to typed DuckDB rows. */
import { BIGINT, DuckDBDataChunk, type DuckDBConnection } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import type { TypedPiece, TypedRows } from './typed-rows.ts'

/** Makes a temporary table of the rows: typed columns, and their position from 1 as `ordinal`. */
export async function handOverTyped(
  connection: DuckDBConnection,
  table: string,
  rows: TypedRows,
): Promise<void> {
  const types = [...Object.values(rows.types), BIGINT]
  const columns = [...Object.keys(rows.types), 'ordinal'].map(
    (name, n) => `${name} ${String(types[n])}`,
  )
  await connection.run(`create or replace temp table ${table} (${columns.join(', ')})`)
  const appender = await connection.createAppender(table, 'main', 'temp')
  const chunk = new DuckDBDataChunk(
    duckdb.create_data_chunk(types.map((type) => type.toLogicalType().logical_type)),
  )
  let before = 0
  try {
    for (const piece of rows.pieces()) {
      put(chunk, piece, before)
      appender.appendDataChunk(chunk)
      before += piece.count
    }
  } finally {
    appender.closeSync()
  }
}

function put({ chunk }: DuckDBDataChunk, { count, columns }: TypedPiece, before: number): void {
  duckdb.data_chunk_reset(chunk)
  for (const [n, column] of columns.entries()) column.put(duckdb.data_chunk_get_vector(chunk, n))
  const ordinals = BigInt64Array.from({ length: count }, (_, row) => BigInt(before + row + 1))
  const ordinal = duckdb.data_chunk_get_vector(chunk, columns.length)
  duckdb.copy_data_to_vector(ordinal, 0, ordinals.buffer, 0, ordinals.byteLength)
  duckdb.data_chunk_set_size(chunk, count)
}
