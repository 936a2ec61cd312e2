/** The rows of a pack's tables, as texts: those of a stored run, or of models that have just run on a connection. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { assert } from '../../domain/failure.ts'
import type { IsFilled } from '../connection/non-empty-tables.ts'
import { macros } from '../run/models.ts'
import { PACK_TABLES, storedRows } from './store-run.ts'
import { streamed } from '../connection/stream.ts'
import { first, joined, numbered, SHEETS } from './workbook-sheets.ts'

/** A row of a pack's table. Every cell has the text that the pack shows. */
export type PackRow = Record<string, string | null>

interface StoredRun {
  runId: string
  /** Needed for the sheets of the workbook. */
  account?: string
  knownAt?: string
  /** DuckDB does not read a table that is known to be empty. */
  isFilled?: IsFilled
  /** Ends the work before the next table. */
  signal?: AbortSignal | undefined
}

/** Columns with instants that are stored as timestamps. All other values are written as they are. */
const INSTANTS: Readonly<Record<string, string>> = { attributions: 'created' }

/** The tables of a stored run. Without one, the tables of the models that have just run on the connection. */
export class PackRows {
  readonly #connection: DuckDBConnection
  readonly #stored: StoredRun | undefined

  constructor(connection: DuckDBConnection, stored?: StoredRun) {
    this.#connection = connection
    this.#stored = stored
  }

  /** Writes one table as RFC 4180, with a header line, CRLF, and the rows in their stated order. */
  async writeCsv(table: string, file: string): Promise<{ rows: number }> {
    const select = await this.#ordered(table)
    await this.#connection.run('set variable csv_file = $1::varchar', [file])
    const { rowsChanged: rows } = await this.#connection.run(
      `copy (${select}) to (getvariable('csv_file')) (format csv, header, new_line '\\r\\n')`,
    )
    return { rows }
  }

  /** Returns a small table as records of text, all at once. */
  async rows(table: string): Promise<PackRow[]> {
    const rows: PackRow[] = []
    for await (const batch of this.batches(table)) rows.push(...batch)
    return rows
  }

  /**
   * Yields a table or a sheet of the workbook, or its first rows, as records of text. A batch holds some thousands, so
   * that the size does not matter.
   */
  async *batches(table: string, mostRows?: number): AsyncGenerator<PackRow[]> {
    const sheet = SHEETS[table]
    const select =
      sheet === undefined
        ? first(await this.#ordered(table), mostRows)
        : joined(
            sheet,
            await this.#ordered(sheet.table, (rows) => numbered(rows, mostRows)),
            this.#stored?.isFilled?.(sheet.seen),
          )
    for await (const rows of streamed(this.#connection, select, (all) => all.yieldRowObjectJson()))
      yield rows.map(asText)
  }

  /**
   * Returns SQL for the rows of a table in their order, with instants as the pack shows them. `changed` adds to the rows
   * or leaves some out, for a sheet of the workbook.
   */
  async #ordered(table: string, changed?: (rows: string) => string): Promise<string> {
    assert(
      PACK_TABLES.some((name) => name === table),
      `${table} is a table of the pack`,
    )
    const instant = INSTANTS[table]
    const isSheet = changed !== undefined
    if (this.#stored !== undefined) {
      await this.#askFor(this.#stored, { isSheet, needsMacros: isSheet || instant !== undefined })
    }
    const rows =
      this.#stored === undefined ? `from pack_${table}` : storedRows(table, this.#stored.isFilled)
    const all = changed?.(rows) ?? rows
    return instant === undefined
      ? all
      : `select * replace (instant("${instant}") as "${instant}") from (${all})`
  }

  /** Sets the variables of a stored run. Models have set theirs. */
  async #askFor(
    { runId, account = '', knownAt, signal }: StoredRun,
    { isSheet, needsMacros }: { isSheet: boolean; needsMacros: boolean },
  ): Promise<void> {
    signal?.throwIfAborted()
    // Defining the macros takes longer than reading most tables.
    if (needsMacros) await this.#connection.run(macros())
    await this.#connection.run('set variable run_id = $1::varchar', [runId])
    if (!isSheet) return
    await this.#connection.run('set variable account = $1::varchar', [account])
    await this.#connection.run('set variable known_at = $1::bigint', [knownAt ?? null])
  }
}

function asText(row: Record<string, unknown>): PackRow {
  const text: PackRow = {}
  for (const name of Object.keys(row)) {
    const value = row[name]
    text[name] = value === null ? null : String(value)
  }
  return text
}
