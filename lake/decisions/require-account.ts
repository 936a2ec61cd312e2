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

/** Refuses knowledge from before the first landing of the account: its books would be empty as well. Throws usage. */
export async function requireRecordsAt(
  connection: DuckDBConnection,
  account: string,
  knownAt: bigint,
): Promise<void> {
  if ((await accountsOf(connection, knownAt)).includes(account)) return
  throw new Failure(
    'usage',
    `the lake has no record of the account ${account} up to --known-at, which is landing ${knownAt}`,
    { remedy: 'give --known-at a later time, or leave it out' },
  )
}

/** Refuses an account that the lake does not hold beside others. A lake without records accepts every account. */
export async function refuseMisspelt(connection: DuckDBConnection, account: string): Promise<void> {
  const known = await accountsOf(connection)
  if (known.length > 0 && !known.includes(account)) throw unknown(account, known)
}

async function accountsOf(
  connection: DuckDBConnection,
  knownAt: bigint | null = null,
): Promise<string[]> {
  const reader = await connection.runAndReadAll(
    `select account from lake.ops.landing where $1 is null or landing_seq <= $1::bigint
     union select account from lake.ops.sweep where $1 is null or landing_seq <= $1::bigint order by account`,
    [knownAt],
  )
  return reader.getRows().map(([name]) => String(name))
}

function unknown(account: string, known: readonly string[]): Failure {
  const others = known.length === 0 ? '' : `; it holds those of ${known.join(', ')}`
  return new Failure('usage', `the lake holds no records of the account ${account}${others}`, {
    remedy: 'read them first with tieout run, or name the account with --account',
  })
}
