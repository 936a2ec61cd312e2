/** Counts the decisions of people that were made after a run, so that its pack does not show them. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { findRun } from '../lake/results/store-run.ts'

export async function countLaterDecisions(
  connection: DuckDBConnection,
  { account, runId }: { account: string; runId: string },
): Promise<number> {
  const run = await findRun(connection, runId)
  const { audit }: { audit?: { seq: string } } = JSON.parse(String(run?.['parameters'] ?? '{}'))
  const reader = await connection.runAndReadAll(
    `select count(*) from lake.ops.audit
     where account = $1 and seq > $2::bigint and regexp_matches(action, '^(exception|transaction)\\.')`,
    [account, audit?.seq ?? '0'],
  )
  return Number(reader.getRows()[0]?.[0])
}

/** Formats such as `2 decisions were made after the pack`. */
export const laterDecisions = (count: number): string =>
  `${count} ${count === 1 ? 'decision was' : 'decisions were'} made after the pack`
