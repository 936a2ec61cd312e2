import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'

/** Returns true if the select has a row. */
export async function hasRows(
  connection: DuckDBConnection,
  select: string,
  values?: DuckDBValue[],
): Promise<boolean> {
  const reader = await connection.runAndReadAll(`select exists (${select})`, values)
  return reader.getRows()[0]?.[0] === true
}
