/** The progress of sweeps, as the lake stores it. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { LISTS } from './list-schemas.ts'

/** The position of a sweep: its last landed batch and the state from which it continues. */
export interface SweepPosition {
  batch: number
  state: string
  records: number
  newVersions: number
  quarantined: number
  /** Its sightings were deleted. The end of the sweep would report the records of its first part as absent. */
  isForgotten: boolean
}

export async function sweepPosition(
  connection: DuckDBConnection,
  sweepId: string,
): Promise<SweepPosition | undefined> {
  return (await positions(connection, 'sweep_id = $1', sweepId)).get(sweepId)
}

/** The position of a sweep, and whether its list is read by terminal instead. */
export async function sweepBegun(
  connection: DuckDBConnection,
  sweepId: string,
): Promise<{ whole: SweepPosition | undefined; isByTerminal: boolean }> {
  const found = await positions(
    connection,
    "sweep_id = $1 or starts_with(sweep_id, $1 || '/')",
    sweepId,
  )
  const whole = found.get(sweepId)
  return { whole, isByTerminal: found.size > (whole === undefined ? 0 : 1) }
}

/** The positions of the single-terminal sweeps of one list, by terminal id. */
export async function terminalPositions(
  connection: DuckDBConnection,
  sweepId: string,
): Promise<Map<string, SweepPosition>> {
  const found = await positions(connection, "starts_with(sweep_id, $1 || '/')", sweepId)
  return new Map([...found].map(([id, position]) => [id.slice(sweepId.length + 1), position]))
}

/** The number of records that the account's last sweep read of the list as a whole; undefined if there was none. */
export async function lastSweepRecords(
  connection: DuckDBConnection,
  { account, list }: { account: string; list: string },
): Promise<number | undefined> {
  const reader = await connection.runAndReadAll(
    `select records from lake.ops.sweep
     where account = $1 and list = $2 and terminal_id is null order by landing_seq desc limit 1`,
    [account, list],
  )
  const found = reader.getRows()[0]?.[0]
  return found === undefined ? undefined : Number(found)
}

async function positions(
  connection: DuckDBConnection,
  condition: string,
  sweepId: string,
): Promise<Map<string, SweepPosition>> {
  const reader = await connection.runAndReadAll(
    `select sweep_id, max(batch)::double as batch, arg_max(state, batch) as state, sum(records)::double as records,
       sum(new_versions)::double as "newVersions", sum(quarantined)::double as quarantined,
       sum(records) > 0 and sweep_id not in (select sweep_id from lake.ops.sighting) as "isForgotten"
     from lake.ops.landing where ${condition} group by sweep_id`,
    [sweepId],
  )
  const rows = reader.getRowObjectsJson() as unknown as (SweepPosition & { sweep_id: string })[]
  return new Map(rows.map(({ sweep_id, ...position }) => [sweep_id, position]))
}

/** The terminals that an account's records or lists name. */
export async function knownTerminals(
  connection: DuckDBConnection,
  account: string,
): Promise<string[]> {
  const reader = await connection.runAndReadAll(
    `select distinct terminal_id from (
       ${Object.values(LISTS)
         .map(({ table }) => `select account, terminal_id from ${table}`)
         .join(' union all ')})
     where account = $1 and terminal_id is not null order by terminal_id`,
    [account],
  )
  return reader.getRows().map(([id]) => String(id))
}
