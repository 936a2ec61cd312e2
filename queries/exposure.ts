/** Reads the money at stake: unexplained differences as short, over and gross, and older items that are open. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { formatCents, grouped } from '../domain/cents.ts'
import type { Settings } from '../domain/settings.ts'
import { readModel } from '../lake/run/models.ts'
import { readLake } from '../lake/connection/read-lake.ts'
import { prepareListing } from './list-exceptions.ts'

/** Amounts in cents, none of them negative. */
export interface Exposure {
  /** Settlements with an open, unexplained difference. */
  settlements: number
  short_cents: bigint
  over_cents: bigint
  /** Short and over together. */
  gross_cents: bigint
  /**
   * Open exceptions of subjects that were created before the range, and the gross of the differences among them. Other
   * exceptions have amounts of whole transactions, which no sum of differences takes in.
   */
  older: number
  older_cents: bigint
}

/**
 * Reads the exposure of the run in the variable `run_id`. The table `current_exception` holds its exceptions with their
 * current states. The connection must have the macros of the models and the variables of the run.
 */
export async function exposureOf(connection: DuckDBConnection): Promise<Exposure> {
  const reader = await connection.runAndReadAll(readModel('queries', 'open_exposure').text)
  const [row = {}] = reader.getRowObjectsJson()
  const cents = (name: string) => BigInt(String(row[name]))
  return {
    settlements: Number(row['settlements']),
    short_cents: cents('short_cents'),
    over_cents: cents('over_cents'),
    gross_cents: cents('gross_cents'),
    older: Number(row['older']),
    older_cents: cents('older_cents'),
  }
}

/**
 * Returns the exposure of a stored run, with the states that its exceptions had then. The lake is the source, because
 * money must not travel through Temporal.
 */
export const storedExposure = (settings: Settings, runId: string): Promise<Exposure> =>
  readLake(settings.lake, (connection) => exposureAt(connection, settings, runId))

/** The same on an open connection. */
export async function exposureAt(
  connection: DuckDBConnection,
  settings: Settings,
  runId: string,
): Promise<Exposure> {
  await prepareListing(connection, settings)
  await connection.run('set variable run_id = $1::varchar', [runId])
  await connection.run('set variable as_of = (select as_of from lake.ops.run where run_id = $1)', [
    runId,
  ])
  await connection.run(
    `create or replace temp table current_exception as
     from lake.result.exceptions where run_id = getvariable('run_id')`,
  )
  return exposureOf(connection)
}

/** Formats such as `short 614.12, over 700.22, gross 1,314.34`. */
export const exposureWords = ({ short_cents, over_cents, gross_cents }: Exposure): string =>
  Object.entries({ short: short_cents, over: over_cents, gross: gross_cents })
    .map(([name, cents]) => `${name} ${grouped(formatCents(cents))}`)
    .join(', ')
