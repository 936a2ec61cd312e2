import type { DuckDBConnection } from '@duckdb/node-api'

/** Lists every table of the lake. */
export async function tablesOf(
  connection: DuckDBConnection,
): Promise<{ schema: string; table: string }[]> {
  const reader = await connection.runAndReadAll(
    `select table_schema, table_name from information_schema.tables where table_catalog = 'lake'`,
  )
  return reader
    .getRows()
    .map(([schema, table]) => ({ schema: String(schema), table: String(table) }))
}
