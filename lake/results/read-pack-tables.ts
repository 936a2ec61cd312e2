/** Rows of a stored run as CSV files, written by DuckDB itself, or as records for the summaries. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { assert } from '../../domain/failure.ts'
import type { IsFilled } from '../connection/non-empty-tables.ts'
import { macros } from '../run/models.ts'
import { PACK_TABLES, storedRows } from './store-run.ts'
import { streamed } from '../connection/stream.ts'

/** A row of a pack's table, every cell as the pack has it. */
export type PackRow = Record<string, string | null>

const known = (table: string): boolean => PACK_TABLES.some((name) => name === table)

/** A table of a stored run; who has asked which tables hold rows need not look into an empty one. */
export interface StoredTable {
  runId: string
  table: string
  isFilled?: IsFilled
}

/** The instants of a table that are not kept as texts; other values are written as they are. */
const INSTANTS: Readonly<Record<string, string>> = { attributions: 'created' }

/** A select's rows with their instants as the pack writes them; the connection has the macros of the models. */
export const inPackText = (table: string, rows: string): string => {
  const column = INSTANTS[table]
  return column === undefined
    ? rows
    : `select * replace (instant("${column}") as "${column}") from (${rows})`
}

const selection = ({ table, isFilled }: StoredTable): string =>
  inPackText(table, storedRows(table, isFilled))

/** The same of a model that has just been run on this connection, and is stored nowhere. */
const modelled = (table: string): string => {
  assert(known(table), `${table} is a table of the pack`)
  return `select columns(*)::varchar from (${inPackText(table, `from pack_${table}`)})`
}

/** As `writeCsv`, from the model. */
export const writeModelCsv = (
  connection: DuckDBConnection,
  table: string,
  file: string,
): Promise<{ rows: number }> => copyCsv(connection, modelled(table), file)

/** As `readBatches`, from the model. */
export const readModelBatches = (
  connection: DuckDBConnection,
  table: string,
): AsyncGenerator<PackRow[]> => readSelected(connection, modelled(table))

/** Writes one table of a run as RFC 4180: header line, CRLF, rows in their stated order. */
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

/** One table of a run as records of text, some thousands at a time, so that its size doesn't matter. */
export async function* readBatches(
  connection: DuckDBConnection,
  source: StoredTable,
): AsyncGenerator<PackRow[]> {
  assert(known(source.table), `${source.table} is a table of the pack`)
  await askFor(connection, source)
  yield* readSelected(connection, selection(source))
}

async function askFor(connection: DuckDBConnection, { runId, table }: StoredTable): Promise<void> {
  // To define them for each table would take longer than to read most of them.
  if (table in INSTANTS) await connection.run(macros())
  await connection.run('set variable run_id = $1::varchar', [runId])
}

/** What a select answers, as records of text. */
export async function* readSelected(
  connection: DuckDBConnection,
  select: string,
): AsyncGenerator<PackRow[]> {
  for await (const rows of streamed(connection, select, (result) => result.yieldRowObjectJson())) {
    yield rows.map(asText)
  }
}

/** One table of a run as records of text, all at once: for small ones. */
export const readRows = (connection: DuckDBConnection, source: StoredTable): Promise<PackRow[]> =>
  allOf(readBatches(connection, source))

/** As `readRows`, from the model. */
export const readModelRows = (connection: DuckDBConnection, table: string): Promise<PackRow[]> =>
  allOf(readModelBatches(connection, table))

async function allOf(batches: AsyncIterable<PackRow[]>): Promise<PackRow[]> {
  const rows: PackRow[] = []
  for await (const batch of batches) rows.push(...batch)
  return rows
}

const asText = (row: Record<string, unknown>): PackRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)]),
  )
