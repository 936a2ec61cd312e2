import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'

/**
 * Refuses an account of which nothing was ever read or imported, such as a misspelt one. Its books would be empty, and
 * would look complete. Throws usage, and names the accounts of the lake.
 */
export async function requireAccount(connection: DuckDBConnection, account: string): Promise<void> {
  const known = await accountsOf(connection)
  if (!known.includes(account)) throw unknown(account, known)
}

/** Refuses an account that the lake does not hold beside others. A lake without records accepts every account. */
export async function refuseMisspelt(connection: DuckDBConnection, account: string): Promise<void> {
  const known = await accountsOf(connection)
  if (known.length > 0 && !known.includes(account)) throw unknown(account, known)
}

async function accountsOf(connection: DuckDBConnection): Promise<string[]> {
  const reader = await connection.runAndReadAll(
    `select account from lake.ops.landing union select account from lake.ops.sweep order by account`,
  )
  return reader.getRows().map(([name]) => String(name))
}

function unknown(account: string, known: readonly string[]): Failure {
  const others = known.length === 0 ? '' : `; it holds those of ${known.join(', ')}`
  return new Failure('usage', `the lake holds no records of the account ${account}${others}`, {
    remedy: 'read them first with tieout run, or name the account with --account',
  })
}
