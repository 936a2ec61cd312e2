/**
 * Stores the attributions of runs. Most settlements have the same members as in the run before. Each run therefore
 * writes only the changed ones, and names the earlier run that wrote each of the others.
 */
import type { DuckDBConnection } from '@duckdb/node-api'

/**
 * The attributions of all runs, for a `from`. The rows of a settlement are those that the run wrote, or those of the
 * earlier run that it names.
 */
export const ATTRIBUTIONS = `(
  select source.run_id, written.* exclude (run_id)
  from lake.result.attribution_source as source
  inner join lake.result.attributions as written on written.run_id = source.source_run_id and written."settlementId" = source.settlement_id)`

/**
 * The number of the account's newest runs that are searched for equal rows. A person starts fewer runs than that
 * between two nights.
 */
const MOST_RUNS_BEFORE = 10

/**
 * Stores the listed attributions, in the caller's transaction. The function removes the settlements that earlier runs
 * wrote from `listed_settlement`, so that the connection's views no longer list them.
 */
export async function storeAttributions(
  connection: DuckDBConnection,
  { runId, account }: { runId: string; account: string },
): Promise<void> {
  await connection.run(
    `create or replace temp table attribution_source as
     with earlier as (
       select settlement_id, print, any_value(source_run_id) as source_run_id
       from lake.result.attribution_source
       where run_id in (
         select run_id from lake.ops.run where account = $2 order by recorded_at desc, run_id limit ${MOST_RUNS_BEFORE})
       group by settlement_id, print)
     select $1 as run_id, settlement_id, coalesce(source_run_id, $1) as source_run_id, print
     from listed_fingerprint left join earlier using (settlement_id, print)`,
    [runId, account],
  )
  await connection.run('insert into lake.result.attribution_source by name from attribution_source')
  await connection.run(
    'delete from listed_settlement where settlement_id in (select settlement_id from attribution_source where source_run_id <> $1)',
    [runId],
  )
  await connection.run('insert into lake.result.attributions select $1, * from pack_attributions', [
    runId,
  ])
}
