/** The keys of the billing hashes in a lake: one ring for each account, known by its id. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'
import { keyIdsOf, ringIdOf } from '../../domain/key-ring.ts'
import type { KeyRing } from '../../domain/settings.ts'
import { hasRows } from '../connection/has-rows.ts'

/**
 * Records the id of the keys with the first landing of an account, in the caller's transaction after it has raised the
 * fence. Throws config_invalid for other keys.
 */
export async function recordKeys(
  connection: DuckDBConnection,
  account: string,
  keys: KeyRing,
): Promise<void> {
  if ((await refuseOtherKeys(connection, account, keys)) > 0) return
  await connection.run('insert into lake.ops.hash_key values ($1, $2)', [account, ringIdOf(keys)])
}

/**
 * Throws config_invalid for other keys than those of the account, and for keys that the lake was not rotated to.
 * Returns the number of keys that the lake has; 0 if the account has nothing in it.
 */
export async function refuseOtherKeys(
  connection: DuckDBConnection,
  account: string,
  keys: KeyRing,
): Promise<number> {
  const count = await keysInLake(connection, account, keys)
  const given = keys.later.length + 1
  if (count === 0 || count === given) return count
  throw new Failure(
    'config_invalid',
    `${KEYS} has ${given} keys, but the hashes of account ${account} in this lake were made with the first ${count} of them`,
    {
      remedy: `run tieout maintain --rotate-key --account ${account} with a --reason, then this command again`,
    },
  )
}

const KEYS = 'TIEOUT_HASH_KEY, or hash.key beside the lake,'

/**
 * Counts the keys, from the first, that made the account's hashes; 0 if it has none. Throws config_invalid for other
 * keys, because the same cardholder would get another hash, and refunds would no longer find their charges.
 */
export async function keysInLake(
  connection: DuckDBConnection,
  account: string,
  keys: KeyRing,
): Promise<number> {
  const reader = await connection.runAndReadAll(
    'select key_id from lake.ops.hash_key where account = $1',
    [account],
  )
  const [recorded] = reader.getRows()[0] ?? []
  if (recorded === undefined) return 0
  const count = keyIdsOf(keys).indexOf(String(recorded)) + 1
  if (count > 0) return count
  const isFormer = await wasRotatedFrom(connection, account, keys)
  throw new Failure(
    'config_invalid',
    `${KEYS} has the id ${ringIdOf(keys)}, but account ${account} of this lake was hashed with the key ${String(recorded)}`,
    {
      remedy: isFormer
        ? 'add the key of the last rotation as the last line of the secret, and run the command again'
        : 'set the former key, for example hash.key from a backup, and run the command again',
    },
  )
}

/** The accounts that have hashes in the lake. */
export async function accountsWithKeys(connection: DuckDBConnection): Promise<string[]> {
  const reader = await connection.runAndReadAll(
    'select account from lake.ops.hash_key order by account',
  )
  return reader.getRows().map(([account]) => String(account))
}

/** Returns true if the account had these keys before a rotation. */
const wasRotatedFrom = (
  connection: DuckDBConnection,
  account: string,
  keys: KeyRing,
): Promise<boolean> =>
  hasRows(
    connection,
    `from lake.ops.audit
     where account = $1 and action = 'hash_key.rotate' and (detail ->> '$.fromKeyId') = $2`,
    [account, ringIdOf(keys)],
  )
