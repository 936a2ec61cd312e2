/** The newest backup of a lake, recorded in the catalog's database, so that every worker knows it. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { asOnlyWriter, CATALOG } from '../connection/commit-record.ts'
import { withRetries } from '../connection/with-retries.ts'

export interface LastBackup {
  /** Instant at which the copy was complete. */
  at: string
  /** Absolute path of the copy. */
  folder: string
}

export const recordBackup = (
  connection: DuckDBConnection,
  { at, folder }: LastBackup,
): Promise<void> =>
  withRetries(() =>
    asOnlyWriter(connection, async () => {
      await connection.run(
        `create table if not exists ${CATALOG}.tieout_backup (done_at varchar, folder varchar)`,
      )
      await connection.run(`delete from ${CATALOG}.tieout_backup`)
      await connection.run(`insert into ${CATALOG}.tieout_backup values ($1, $2)`, [at, folder])
    }),
  )

/** Undefined for a lake that was never copied by `tieout maintain --backup`. */
export async function lastBackup(connection: DuckDBConnection): Promise<LastBackup | undefined> {
  const reader = await connection
    .runAndReadAll(`select done_at, folder from ${CATALOG}.tieout_backup`)
    .catch(ignoreMissingTable)
  const [row] = reader?.getRows() ?? []
  return row === undefined ? undefined : { at: String(row[0]), folder: String(row[1]) }
}

/** The first backup makes the table. */
function ignoreMissingTable(error: unknown): undefined {
  if (error instanceof Error && error.message.includes('tieout_backup does not exist'))
    return undefined
  throw error
}
