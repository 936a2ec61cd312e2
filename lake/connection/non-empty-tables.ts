/**
 * Reads the sizes of the lake's tables, because reading an empty table costs as much as reading some thousand rows.
 */
import type { DuckDBConnection } from '@duckdb/node-api'

/** The bytes of each table in Parquet, by its name without the schema. Zero means that it has no rows. */
export type TableSizes = ReadonlyMap<string, number>

/** Returns true if a table, such as `lake.seen.quarantine`, has rows. */
export type IsFilled = (table: string) => boolean

/** Reads the sizes as the connection's transaction sees the tables, without its own writes. */
export async function tableSizes(connection: DuckDBConnection): Promise<TableSizes> {
  const reader = await connection.runAndReadAll(
    `select table_name, sum(file_size_bytes)::double from ducklake_table_info('lake') group by all`,
  )
  return new Map(reader.getRows().map(([table, bytes]) => [String(table), Number(bytes)]))
}

/** Reads which tables have rows, as the connection's transaction sees them, without its own writes. */
export const filledTables = async (connection: DuckDBConnection): Promise<IsFilled> =>
  isFilledBy(await tableSizes(connection))

export const isFilledBy =
  (sizes: TableSizes): IsFilled =>
  (table) =>
    (sizes.get(table.slice(table.lastIndexOf('.') + 1)) ?? 0) > 0
