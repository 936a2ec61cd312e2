/**
 * Stores the results of a run in the lake: the rows of the pack, the record of the run, and the history of
 * exceptions.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { ATTRIBUTIONS, storeAttributions } from './attribution-rows.ts'
import { storeExport } from '../decisions/periods-and-exports.ts'
import { recordExceptions } from './exception-history.ts'
import type { Lake } from '../connection/lake.ts'
import type { IsFilled } from '../connection/non-empty-tables.ts'
import { raiseFenceOf, transact } from '../connection/transact.ts'
import { utc } from '../connection/sql-instant.ts'
import { type RunRecord } from './run-record.ts'

/**
 * The tables of a pack: those of its files, and the rows that only its summaries show. Each is filled from the model
 * `pack_<name>`.
 */
export const PACK_TABLES = [
  'settlements',
  'attributions',
  'exceptions',
  'worklist',
  'pending',
  'refund_ceiling',
  'unsettled',
  'rollforward',
  'control_totals',
  'evidence',
  'sweeps',
  'journal',
  'gathered',
  'summary',
] as const

/** The sort order of tables that have no row number. */
const ORDER: Readonly<Record<string, string>> = {
  attributions: '"settlementId", "created", "transactionId"',
}

const isNumbered = (table: string): boolean => !(table in ORDER)

/** Returns SQL for the rows of all runs, for a `from`. */
const storedIn = (table: string): string =>
  table === 'attributions' ? ATTRIBUTIONS : `lake.result.${table}`

/**
 * Returns SQL for the rows of a stored run, in the order of their file and without the lake's own columns. The
 * variable `run_id` must be set. DuckDB does not read a table that is empty according to `isFilled`.
 */
export const storedRows = (table: string, isFilled: IsFilled = () => true): string =>
  `select * exclude (run_id${isNumbered(table) ? ', row_no' : ''}) from ${storedIn(table)}
   where run_id = getvariable('run_id') and ${isFilled(`lake.result.${table}`)}
   order by ${ORDER[table] ?? 'row_no'}`

/** Returns the record of a run that ended before, or undefined. */
export async function findRun(
  connection: DuckDBConnection,
  runId: string,
): Promise<Record<string, unknown> | undefined> {
  const reader = await connection.runAndReadAll(
    `select run_id, account, window_from::varchar as "from", window_to::varchar as "to", as_of::varchar as as_of,
       known_at::varchar as known_at, config_hash, parameters, code_version, headline
     from lake.ops.run where run_id = $1`,
    [runId],
  )
  return reader.getRowObjectsJson()[0]
}

/** Stores the models' pack tables under the run's id, in one transaction. A second call does nothing. */
export async function storeResults(
  lake: Lake,
  connection: DuckDBConnection,
  run: RunRecord,
): Promise<void> {
  await transact(lake, connection, async () => {
    if ((await findRun(connection, run.runId)) !== undefined) return
    // Two attempts at the same run conflict here, so that only one of them is stored.
    await raiseFenceOf(connection, 'run_fence')
    for (const table of PACK_TABLES.filter(isNumbered)) {
      await connection.run(
        // The tables were made in the order of their files. A window function would number rows in a single thread.
        `insert into lake.result.${table} select $1, rowid + 1, * from pack_${table}`,
        [run.runId],
      )
    }
    await storeAttributions(connection, run)
    await storeExport(connection, run.runId)
    await recordRun(connection, run)
    if (run.recordsExceptions) await recordExceptions(connection, run)
  })
}

async function recordRun(connection: DuckDBConnection, run: RunRecord): Promise<void> {
  await connection.run(
    `insert into lake.ops.run
     select $1, $2, $3::date, $4::date, $5::timestamp, $6, $7, $8, $9, $10, now()::timestamp,
       (select case count(*) when 0 then 'none' when 1 then any_value(event) else 'either' end
        from settling_event where is_learned)`,
    [
      run.runId,
      run.account,
      run.from,
      run.to,
      utc(run.asOf),
      run.knownAt,
      run.configHash,
      run.parameters,
      run.codeVersion,
      run.headline,
    ],
  )
}
