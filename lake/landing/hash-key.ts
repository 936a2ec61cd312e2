/** The key of the billing hashes in a lake: one for each account, known by its id. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'
import type { Lake } from '../connection/lake.ts'
import { transact } from '../connection/transact.ts'

/**
 * Records the id of the key with the first landing of an account. Throws config_invalid for another key, because the
 * same cardholder would get another hash, and refunds would no longer find their charges.
 */
export async function refuseOtherKey(
  lake: Lake,
  connection: DuckDBConnection,
  { account, keyId }: { account: string; keyId: string },
): Promise<void> {
  const known = (await recordedKey(connection, account)) ?? (await record())
  if (known === keyId) return
  throw new Failure(
    'config_invalid',
    `TIEOUT_HASH_KEY, or the key beside the lake, has the id ${keyId}, but account ${account} of this lake was hashed with the key ${known}`,
    { remedy: 'set the former key, for example hash.key from a backup, and run the command again' },
  )

  /** Another worker may record its key first. */
  function record(): Promise<string> {
    return transact(lake, connection, async () => {
      await connection.run('update lake.ops.hash_key_fence set n = n + 1')
      const recorded = await recordedKey(connection, account)
      if (recorded !== undefined) return recorded
      await connection.run('insert into lake.ops.hash_key values ($1, $2)', [account, keyId])
      return keyId
    })
  }
}

async function recordedKey(
  connection: DuckDBConnection,
  account: string,
): Promise<string | undefined> {
  const reader = await connection.runAndReadAll(
    'select key_id from lake.ops.hash_key where account = $1',
    [account],
  )
  const keyId = reader.getRows()[0]?.[0]
  return keyId === undefined ? undefined : String(keyId)
}
