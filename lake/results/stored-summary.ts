/** Reads the rows of the summaries that a run stored. */
import type { DuckDBConnection } from '@duckdb/node-api'

type Cells = Record<string, string | null>

/** Returns the rows of each part, such as `exposure` and `open`, in their order. */
export async function storedSummary(
  connection: DuckDBConnection,
  runId: string,
): Promise<Map<string, Cells[]>> {
  const reader = await connection.runAndReadAll(
    'select part, cells from lake.result.summary where run_id = $1 order by row_no',
    [runId],
  )
  const parts = new Map<string, Cells[]>()
  for (const [part, cells] of reader.getRows()) {
    const rows = parts.get(String(part)) ?? []
    rows.push(JSON.parse(String(cells)) as Cells)
    parts.set(String(part), rows)
  }
  return parts
}
