/** Rows of the program as typed rows of DuckDB. */
import { BIGINT, DuckDBDataChunk, type DuckDBConnection, type DuckDBType } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import type { PackedRows } from '../domain/packed-rows.ts'
import { TypedColumn, VECTOR_ROWS } from './typed-columns.ts'

/**
 * Makes a temporary table of the rows: the columns with their types, and their place, from 1 on, as `ordinal`. False
 * where a value is not written as the program writes values of its type: DuckDB's own casts have to judge it. A third of
 * the work of those casts on texts that DuckDB splits.
 */
export async function handOverTyped(
  connection: DuckDBConnection,
  table: string,
  from: { types: Readonly<Record<string, DuckDBType>>; rows: PackedRows },
): Promise<boolean> {
  const names = Object.keys(from.types)
  const types = [...Object.values(from.types), BIGINT]
  const columns = [...names, 'ordinal'].map((name, n) => `${name} ${String(types[n])}`)
  await connection.run(`create or replace temp table ${table} (${columns.join(', ')})`)
  const appender = await connection.createAppender(table, 'main', 'temp')
  const readers = Object.values(from.types).map((type) => new TypedColumn(type))
  const chunk = new DuckDBDataChunk(
    duckdb.create_data_chunk(types.map((type) => type.toLogicalType().logical_type)),
  )
  const places = names.map((name) => from.rows.names.indexOf(name))
  let before = 0
  try {
    for (const { count, columns: texts } of from.rows.pieces()) {
      const piece = { count, columns: places.map((place) => texts[place]) }
      for (const rows of readPiece(readers, piece)) {
        if (rows < 0) return false
        put(chunk, readers, { before, rows })
        appender.appendDataChunk(chunk)
        before += rows
      }
    }
    return true
  } finally {
    appender.closeSync()
  }
}

/** Reads as many rows at once as a vector holds, and yields their number; -1 where one can't be read. */
function* readPiece(
  readers: readonly TypedColumn[],
  { count, columns }: { count: number; columns: readonly (string | undefined)[] },
): Generator<number> {
  for (const reader of readers) reader.begin()
  for (let from = 0; from < count; from += VECTOR_ROWS) {
    const rows = Math.min(VECTOR_ROWS, count - from)
    const isEnd = from + rows === count
    yield readers.every((reader, n) => reader.read(columns[n], rows, isEnd)) ? rows : -1
  }
}

function put(
  { chunk }: DuckDBDataChunk,
  readers: readonly TypedColumn[],
  { before, rows }: { before: number; rows: number },
): void {
  duckdb.data_chunk_reset(chunk)
  for (const [n, reader] of readers.entries()) {
    reader.put(duckdb.data_chunk_get_vector(chunk, n), rows)
  }
  const places = BigInt64Array.from({ length: rows }, (_, row) => BigInt(before + row + 1))
  const ordinal = duckdb.data_chunk_get_vector(chunk, readers.length)
  duckdb.copy_data_to_vector(ordinal, 0, places.buffer, 0, places.byteLength)
  duckdb.data_chunk_set_size(chunk, rows)
}
