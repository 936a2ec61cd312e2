/** Reads the rows of a stored run. DuckDB writes them as CSV files, or the summaries take them as records. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { assert } from '../../domain/failure.ts'
import type { IsFilled } from '../connection/non-empty-tables.ts'
import { macros } from '../run/models.ts'
import { PACK_TABLES, storedRows } from './store-run.ts'
import { streamed } from '../connection/stream.ts'

/** A row of a pack's table. Every cell has the text that the pack shows. */
export type PackRow = Record<string, string | null>

const known = (table: string): boolean => PACK_TABLES.some((name) => name === table)

/** A table of a stored run. With `isFilled`, DuckDB does not read a table that is known to be empty. */
export interface StoredTable {
  runId: string
  table: string
  isFilled?: IsFilled
}

/** Columns with instants that are stored as timestamps. All other values are written as they are. */
const INSTANTS: Readonly<Record<string, string>> = { attributions: 'created' }

/**
 * Returns a select whose instants have the text that the pack shows. The connection must have the macros of the
 * models.
 */
export const inPackText = (table: string, rows: string): string => {
  const column = INSTANTS[table]
  return column === undefined
    ? rows
    : `select * replace (instant("${column}") as "${column}") from (${rows})`
}

const selection = ({ table, isFilled }: StoredTable): string =>
  inPackText(table, storedRows(table, isFilled))

/** The same rows from a model that has just run on this connection and is not stored. */
const modelled = (table: string): string => {
  assert(known(table), `${table} is a table of the pack`)
  return `select columns(*)::varchar from (${inPackText(table, `from pack_${table}`)})`
}

/** Writes a table like `writeCsv`, from the rows of the model. */
export const writeModelCsv = (
  connection: DuckDBConnection,
  table: string,
  file: string,
): Promise<{ rows: number }> => copyCsv(connection, modelled(table), file)

/** Reads a table like `readBatches`, from the rows of the model. */
export const readModelBatches = (
  connection: DuckDBConnection,
  table: string,
  mostRows?: number,
): AsyncGenerator<PackRow[]> => readSelected(connection, first(modelled(table), mostRows))

/** Writes one table of a run as RFC 4180, with a header line, CRLF, and the rows in their stated order. */
export async function writeCsv(
  connection: DuckDBConnection,
  source: StoredTable,
  file: string,
): Promise<{ rows: number }> {
  assert(known(source.table), `${source.table} is a table of the pack`)
  await askFor(connection, source)
  return copyCsv(connection, selection(source), file)
}

async function copyCsv(
  connection: DuckDBConnection,
  selected: string,
  file: string,
): Promise<{ rows: number }> {
  await connection.run('set variable csv_file = $1::varchar', [file])
  const result = await connection.run(
    `copy (${selected}) to (getvariable('csv_file')) (format csv, header, new_line '\\r\\n')`,
  )
  return { rows: result.rowsChanged }
}

/**
 * Yields one table of a run, or its first rows, as records of text. A batch holds some thousands, so that the table's
 * size does not matter.
 */
export async function* readBatches(
  connection: DuckDBConnection,
  source: StoredTable,
  mostRows?: number,
): AsyncGenerator<PackRow[]> {
  assert(known(source.table), `${source.table} is a table of the pack`)
  await askFor(connection, source)
  yield* readSelected(connection, first(selection(source), mostRows))
}

/** Limits ordered rows to the first ones. */
export const first = (rows: string, mostRows?: number): string =>
  mostRows === undefined ? rows : `from (${rows}) limit ${mostRows}`

async function askFor(connection: DuckDBConnection, { runId, table }: StoredTable): Promise<void> {
  // Defining the macros takes longer than reading most tables, so that only a table with instants gets them.
  if (table in INSTANTS) await connection.run(macros())
  await connection.run('set variable run_id = $1::varchar', [runId])
}

/** Yields the rows of a select as records of text. */
export async function* readSelected(
  connection: DuckDBConnection,
  select: string,
): AsyncGenerator<PackRow[]> {
  for await (const rows of streamed(connection, select, (result) => result.yieldRowObjectJson())) {
    yield rows.map(asText)
  }
}

/** Returns a small table of a run as records of text, all at once. */
export const readRows = (connection: DuckDBConnection, source: StoredTable): Promise<PackRow[]> =>
  allOf(readBatches(connection, source))

/** Returns a table like `readRows`, from the rows of the model. */
export const readModelRows = (connection: DuckDBConnection, table: string): Promise<PackRow[]> =>
  allOf(readModelBatches(connection, table))

async function allOf(batches: AsyncIterable<PackRow[]>): Promise<PackRow[]> {
  const rows: PackRow[] = []
  for await (const batch of batches) rows.push(...batch)
  return rows
}

function asText(row: Record<string, unknown>): PackRow {
  const text: PackRow = {}
  for (const name of Object.keys(row)) {
    const value = row[name]
    text[name] = value === null ? null : String(value)
  }
  return text
}
