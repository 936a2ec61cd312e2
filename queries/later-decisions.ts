/** Counts the decisions of people that were made after a run, so that its pack does not show them. */
import type { DuckDBConnection } from '@duckdb/node-api'

export async function countLaterDecisions(
  connection: DuckDBConnection,
  { account, runId }: { account: string; runId: string },
): Promise<number> {
  const reader = await connection.runAndReadAll(
    `select count(*) from lake.ops.audit
     where account = $1 and regexp_matches(action, '^(exception|transaction)\\.')
       and seq > coalesce((select (parameters ->> '$.audit.seq')::bigint from lake.ops.run where run_id = $2), 0)`,
    [account, runId],
  )
  return Number(reader.getRows()[0]?.[0])
}

/** Formats such as `2 decisions were made after the pack`. */
export const laterDecisions = (count: number): string =>
  `${count} ${count === 1 ? 'decision was' : 'decisions were'} made after the pack`
