/**
 * Names that the service sends and tieout doesn't know, and fields without a value, for each sweep.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { List, UnknownNames } from '../../domain/run.ts'

/** Stores the names of one sweep with their number of records. */
export async function recordUnknownNames(
  connection: DuckDBConnection,
  sweep: { sweepId: string; runId: string; account: string; list: List },
  found: { names: Readonly<Record<string, number>>; seq: bigint },
): Promise<void> {
  const names = Object.entries(found.names).map(([name, records]) => ({ name, records }))
  if (names.length === 0) return
  await connection.run(
    `insert into lake.ops.unknown_name
     select $1, $2, $3, $4, unnest(from_json($6, '[{"name":"VARCHAR","records":"BIGINT"}]'), recursive := true), $5`,
    [sweep.sweepId, sweep.runId, sweep.account, sweep.list, found.seq, JSON.stringify(names)],
  )
}

export interface FoundNames {
  /** Fields and values that the known interface doesn't have. */
  unknownNames: UnknownNames
  /** Optional fields without a value, by their path. */
  emptyValues: UnknownNames
}

const EMPTY = '=(empty)'

/** The names under which fields without a value are stored. */
export const emptyNames = (fields: Readonly<Record<string, number>> = {}) =>
  Object.fromEntries(Object.entries(fields).map(([field, records]) => [field + EMPTY, records]))

/**
 * For each list, counts the unknown names that its newest sweeping run and all imported files showed up to a landing
 * number. A record that the run read again counts again if it had changed.
 */
export async function unknownNamesOf(
  connection: DuckDBConnection,
  account: string,
  knownAt: string,
): Promise<FoundNames> {
  const reader = await connection.runAndReadAll(
    `with known as (
       select list, arg_max(run_id, landing_seq) as run_id from lake.ops.sweep
       where account = $1 and landing_seq <= $2::bigint group by list
       union all
       select list, sweep_id from lake.ops.imported_file
       where account = $1 and landing_seq <= $2::bigint)
     select list, name, sum(records)::bigint
     from lake.ops.unknown_name inner join known using (list, run_id)
     where account = $1 and landing_seq <= $2::bigint
     group by list, name order by list, name`,
    [account, knownAt],
  )
  type Counts = Record<string, Record<string, number>>
  const [unknownNames, emptyValues]: [Counts, Counts] = [{}, {}]
  for (const [list, stored, records] of reader.getRows().map((row) => row.map(String))) {
    if (list === undefined || stored === undefined) continue
    const isEmpty = stored.endsWith(EMPTY)
    const [found, name] = isEmpty
      ? [emptyValues, stored.slice(0, -EMPTY.length)]
      : [unknownNames, stored]
    found[list] = { ...found[list], [name]: Number(records) }
  }
  return { unknownNames, emptyValues }
}
