/** A plain transaction of a connection; lake/connection/transact.ts repeats it after a lost race. */
import type { DuckDBConnection } from '@duckdb/node-api'

/** Runs `body` between begin and commit, and rolls back if it throws. */
export async function inTransaction<T>(
  connection: DuckDBConnection,
  body: () => Promise<T>,
): Promise<T> {
  await connection.run('begin')
  try {
    const result = await body()
    await connection.run('commit')
    return result
  } catch (error) {
    await connection.run('rollback').catch(() => {})
    throw error
  }
}
