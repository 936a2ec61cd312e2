/**
 * The tables of the lake that hold rows. Reading an empty one costs as much as reading some
 * thousand rows.
 */
import type { DuckDBConnection } from '@duckdb/node-api'

/** Returns true if a table, such as `lake.seen.quarantine`, holds rows. */
export type IsFilled = (table: string) => boolean

/** Lists them as the connection's transaction sees them, without its own writes. */
export async function filledTables(connection: DuckDBConnection): Promise<IsFilled> {
  const reader = await connection.runAndReadAll(
    `select table_name from ducklake_table_info('lake') where file_size_bytes > 0`,
  )
  const filled = new Set(reader.getRows().map(([table]) => String(table)))
  return (table) => filled.has(table.slice(table.lastIndexOf('.') + 1))
}

/**
 * Replaces the empty tables in a select by an empty row set, where they follow `from` without an
 * alias.
 */
export const withoutEmpty = (select: string, isFilled: IsFilled): string =>
  select.replaceAll(/\bfrom (lake\.\w+\.(\w+))\b(?! as\b)/g, (from, table: string, name: string) =>
    isFilled(table) ? from : `from (from ${table} where false) as ${name}`,
  )
