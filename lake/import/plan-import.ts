import type { DuckDBConnection } from '@duckdb/node-api'
import { planCsv } from './plan-csv.ts'
import { planNdjson } from './plan-ndjson.ts'
import { planParquet } from './plan-parquet.ts'
import type { Plan, PlanInput } from './plan.ts'

/** Plans the reading of a file. Throws import_unreadable, which names the file and the column. */
export async function planImport(connection: DuckDBConnection, input: PlanInput): Promise<Plan> {
  const { format } = input.order
  if (format === 'ndjson') return planNdjson(connection, input)
  return format === 'csv' ? planCsv(input) : planParquet(connection, input)
}
