import type { DuckDBConnection } from '@duckdb/node-api'
import { knownRows, readersByInput } from '../../lake/run/bind-inputs.ts'
import type { Model } from '../../lake/run/models.ts'

/** Binds every input of the models to a view on the lake, whatever its size. */
export async function bindViews(
  connection: DuckDBConnection,
  models: readonly Model[],
): Promise<void> {
  for (const input of readersByInput(models).keys()) {
    await connection.run(`create or replace temp view ${input} as ${knownRows(input)}`)
  }
}
