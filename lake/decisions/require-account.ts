import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'

/**
 * Refuses an account of which nothing was ever read or imported, such as a misspelt one. Its books would be empty, and
 * would look complete. Throws usage, and names the accounts of the lake.
 */
export async function requireAccount(connection: DuckDBConnection, account: string): Promise<void> {
  const reader = await connection.runAndReadAll(
    `select account from lake.ops.landing union select account from lake.ops.sweep order by account`,
  )
  const known = reader.getRows().map(([name]) => String(name))
  if (known.includes(account)) return
  const others = known.length === 0 ? '' : `; it holds those of ${known.join(', ')}`
  throw new Failure('usage', `the lake holds no records of the account ${account}${others}`, {
    remedy: 'read them first with tieout run, or name the account with --account',
  })
}
