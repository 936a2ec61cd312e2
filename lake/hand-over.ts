/** Rows of the program as rows of DuckDB. */
import type { DuckDBConnection } from '@duckdb/node-api'

/** As many rows as a processor keeps at hand while it goes through their fields. */
const ROWS_AT_HAND = 256

/**
 * Makes a temporary view of the rows, whose values are text, booleans or null. They are handed over as one column per
 * field: a third of the size of one object per row. The text lies in a table, because a parameter would be parsed once
 * more while the statement is planned. Throws for a value that is not of its column's type.
 */
export async function handOver(
  connection: DuckDBConnection,
  view: string,
  from: { names: readonly string[]; types: readonly string[]; rows: readonly object[] },
): Promise<void> {
  const { names, types, rows } = from
  const columns = columnsOf(names, rows)
  const shape = JSON.stringify(Object.fromEntries(names.map((name, n) => [name, [types[n]]])))
  await connection.run(`create or replace temp table ${view}_text (t varchar)`)
  const appender = await connection.createAppender(`${view}_text`, 'main', 'temp')
  appender.appendVarchar(JSON.stringify(columns))
  appender.endRow()
  appender.closeSync()
  await connection.run(
    `create or replace temp view ${view} as
     select ${names.map((name) => `unnest(j.${name}) as ${name}`).join(', ')}
     from (select from_json_strict(t, '${shape}') as j from ${view}_text)`,
  )
}

/** The values of each field, some hundred rows at a time: as many as a processor keeps at hand through all their fields. */
function columnsOf(names: readonly string[], rows: readonly object[]): Record<string, unknown[]> {
  const columns = names.map((name) => ({ name, values: Array<unknown>(rows.length).fill(null) }))
  for (let from = 0; from < rows.length; from += ROWS_AT_HAND) {
    const to = Math.min(rows.length, from + ROWS_AT_HAND)
    for (const { name, values } of columns) {
      for (let n = from; n < to; n += 1) {
        values[n] = (rows[n] as Record<string, unknown>)[name] ?? null
      }
    }
  }
  return Object.fromEntries(columns.map(({ name, values }) => [name, values]))
}
