/** The conversion of program rows to typed DuckDB rows. */
import { BIGINT, DuckDBDataChunk, type DuckDBConnection, type DuckDBType } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import { handOver, type PlacedPiece } from './append-text.ts'
import type { TypedColumn } from './typed-columns.ts'
import type { TypedRows } from './typed-rows.ts'

/**
 * Makes a temporary table of the rows: typed columns, and their position from 1 as `ordinal`. If a
 * value has an unusual form, DuckDB's casts convert it and the rows around it: `casts` has the
 * expression for each column. Throws if a cast fails or a value holds a separator character.
 */
export async function handOverTyped(
  connection: DuckDBConnection,
  table: string,
  { rows, casts }: { rows: TypedRows; casts: Readonly<Record<string, string>> },
): Promise<void> {
  const names = Object.keys(rows.types)
  const types = [...Object.values(rows.types), BIGINT]
  const columns = [...names, 'ordinal'].map((name, n) => `${name} ${String(types[n])}`)
  await connection.run(`create or replace temp table ${table} (${columns.join(', ')})`)
  const unusual = await append(connection, table, { rows, types })
  if (unusual.length === 0) return
  await handOver(connection, `${table}_rows`, { names, rows: unusual })
  const cast = names.map((name) => `${casts[name] ?? name} as ${name}`)
  await connection.run(`insert into ${table} select ${cast.join(', ')}, ordinal from ${table}_rows`)
}

/** Appends the typed rows; returns the others. */
async function append(
  connection: DuckDBConnection,
  table: string,
  { rows, types }: { rows: TypedRows; types: readonly DuckDBType[] },
): Promise<PlacedPiece[]> {
  const appender = await connection.createAppender(table, 'main', 'temp')
  const chunk = new DuckDBDataChunk(
    duckdb.create_data_chunk(types.map((type) => type.toLogicalType().logical_type)),
  )
  const unusual: PlacedPiece[] = []
  let before = 0
  try {
    for (const piece of rows.pieces()) {
      if ('texts' in piece) unusual.push({ before, ...piece.texts })
      else {
        put(chunk, piece, before)
        appender.appendDataChunk(chunk)
      }
      before += 'texts' in piece ? piece.texts.count : piece.count
    }
    return unusual
  } finally {
    appender.closeSync()
  }
}

function put(
  { chunk }: DuckDBDataChunk,
  { count, columns }: { count: number; columns: readonly TypedColumn[] },
  before: number,
): void {
  duckdb.data_chunk_reset(chunk)
  for (const [n, column] of columns.entries()) column.put(duckdb.data_chunk_get_vector(chunk, n))
  const ordinals = BigInt64Array.from({ length: count }, (_, row) => BigInt(before + row + 1))
  const ordinal = duckdb.data_chunk_get_vector(chunk, columns.length)
  duckdb.copy_data_to_vector(ordinal, 0, ordinals.buffer, 0, ordinals.byteLength)
  duckdb.data_chunk_set_size(chunk, count)
}
