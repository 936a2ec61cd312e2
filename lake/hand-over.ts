/** Rows of the program as rows of DuckDB. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { PackedRows } from '../domain/packed-rows.ts'

/**
 * Makes a temporary view of the rows: their place, from 1 on, as `ordinal`, and the named columns as text, null where a row
 * has nothing. A column is handed over as one text for a thousand rows, which costs a third of a text for each value. Using
 * the view throws where a value holds a character that separates values.
 */
export async function handOver(
  connection: DuckDBConnection,
  view: string,
  from: { names: readonly string[]; rows: PackedRows | readonly object[] },
): Promise<void> {
  const { names } = from
  const rows = from.rows instanceof PackedRows ? from.rows : PackedRows.of(from.rows, names)
  const texts = names.map((name) => `${name} varchar`)
  await connection.run(
    `create or replace temp table ${view}_text (before bigint, amount bigint, ${texts.join(', ')})`,
  )
  const places = names.map((name) => rows.names.indexOf(name))
  const appender = await connection.createAppender(`${view}_text`, 'main', 'temp')
  let before = 0n
  for (const { count, columns } of rows.pieces()) {
    appender.appendBigInt(before)
    appender.appendBigInt(BigInt(count))
    for (const place of places) {
      const text = columns[place]
      if (text === undefined) appender.appendNull()
      else appender.appendVarchar(text)
    }
    appender.endRow()
    before += BigInt(count)
  }
  appender.closeSync()
  await connection.run(
    `create or replace temp view ${view} as
     select unnest(range(before + 1, before + amount + 1)) as ordinal,
       ${names.map((name) => `nullif(unnest(${listOf(name)}), chr(30)) as ${name}`).join(', ')}
     from ${view}_text`,
  )
}

/** The values of a column; nobody sends a list of another length and has its values stand beside other rows. */
function listOf(name: string): string {
  const values = `string_split(${name}, chr(31))`
  return `case when ${name} is null or len(${values}) = amount then ${values} else error('${name} holds a separator') end`
}
