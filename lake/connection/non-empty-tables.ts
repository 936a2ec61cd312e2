/** Which tables of the lake hold rows: to look into one that is empty costs as much as to read some thousand rows. */
import type { DuckDBConnection } from '@duckdb/node-api'

/** Whether a table, such as `lake.seen.quarantine`, holds rows. */
export type IsFilled = (table: string) => boolean

/** As the connection's transaction sees the tables, what it wrote itself left out. */
export async function filledTables(connection: DuckDBConnection): Promise<IsFilled> {
  const reader = await connection.runAndReadAll(
    `select table_name from ducklake_table_info('lake') where file_size_bytes > 0`,
  )
  const filled = new Set(reader.getRows().map(([table]) => String(table)))
  return (table) => filled.has(table.slice(table.lastIndexOf('.') + 1))
}
