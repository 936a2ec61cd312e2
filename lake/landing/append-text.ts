/** The conversion of program rows to DuckDB rows, as text. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { PackedRows, type Piece } from '../../domain/packed-rows.ts'

/** A piece with the number of rows before it. */
export type PlacedPiece = Piece & { before: number }

/**
 * Makes a temporary view of the rows: their position from 1 as `ordinal`, and the named columns as
 * text, null if absent. A column is passed as one text for a thousand rows, a third of the cost of
 * a text for each value. Reading the view throws if a value holds a separator character.
 */
export async function handOver(
  connection: DuckDBConnection,
  view: string,
  { names, rows }: { names: readonly string[]; rows: PackedRows | readonly PlacedPiece[] },
): Promise<void> {
  const texts = names.map((name) => `${name} varchar`)
  await connection.run(
    `create or replace temp table ${view}_text (before bigint, amount bigint, ${texts.join(', ')})`,
  )
  const appender = await connection.createAppender(`${view}_text`, 'main', 'temp')
  for (const { before, count, columns } of placed(names, rows)) {
    appender.appendBigInt(BigInt(before))
    appender.appendBigInt(BigInt(count))
    for (const text of columns) {
      if (text === undefined) appender.appendNull()
      else appender.appendVarchar(text)
    }
    appender.endRow()
  }
  appender.closeSync()
  await connection.run(
    `create or replace temp view ${view} as
     select unnest(range(before + 1, before + amount + 1)) as ordinal,
       ${names.map((name) => `nullif(unnest(${listOf(name)}), chr(30)) as ${name}`).join(', ')}
     from ${view}_text`,
  )
}

/** The pieces with their columns in the order of the names. */
function placed(names: readonly string[], rows: PackedRows | readonly PlacedPiece[]) {
  if (!(rows instanceof PackedRows)) return rows
  const indexes = names.map((name) => rows.names.indexOf(name))
  let before = 0
  return rows.pieces().map(({ count, columns }) => {
    before += count
    return { before: before - count, count, columns: indexes.map((index) => columns[index]) }
  })
}

/**
 * Returns SQL for the values of a column. A list of another length fails, because its values would belong to other
 * rows.
 */
function listOf(name: string): string {
  const values = `string_split(${name}, chr(31))`
  return `case when ${name} is null or len(${values}) = amount then ${values} else error('${name} holds a separator') end`
}
