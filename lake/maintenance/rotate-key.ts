/** The rotation of an account's hash key: each stored hash is hashed again with the new key. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'
import { keyIdsOf, ringIdOf } from '../../domain/key-ring.ts'
import type { Rotated, RotationOrder } from '../../domain/maintenance.ts'
import type { KeyRing } from '../../domain/settings.ts'
import type { Lake } from '../connection/lake.ts'
import { transact } from '../connection/transact.ts'
import { appendDecision, findOrder, readTrail, type AuditEntry } from '../decisions/audit-trail.ts'
import { keysInLake } from '../landing/hash-key.ts'
import { rotatedSql, withKeys } from '../landing/hmac-sql.ts'
import { macros } from '../run/models.ts'
import { rewrite } from './rewrite.ts'

const THEIRS = `(account = getvariable('account') and billing_key is not null)`

/**
 * Rotates the account's hashes to all keys of the ring, in one transaction with an act in the audit trail. A lake that
 * has all of them is left as it is. Each file with a hash is written again as a whole. Throws config_invalid for a ring
 * that does not begin with the keys of the lake, or that is not the one of the order.
 */
export async function rotateKey(
  lake: Lake,
  connection: DuckDBConnection,
  { order, keys }: { order: RotationOrder; keys: KeyRing },
): Promise<Rotated> {
  const { account, keyId, orderId } = order
  if (ringIdOf(keys) !== keyId) throw otherWorker(account)
  await connection.run(macros())
  await connection.run('set variable account = $1::varchar', [account])
  return transact(lake, connection, async () => {
    const earlier = findOrder(await readTrail(connection), orderId)
    if (earlier !== undefined) return rotatedBy(earlier)
    const before = await keysInLake(connection, account, keys)
    const later = keys.later.slice(Math.max(0, before - 1))
    if (before === 0 || later.length === 0) return { keys: before, versions: 0 }
    // A landing at the same time conflicts, starts again and then sees the new key. The number stays.
    await connection.run('update lake.ops.fence set n = n')
    const hashed = await countHashes(connection)
    await rememberCardKeys(connection)
    const put = `${rotatedSql('billing_key', later.length)} as billing_key`
    await withKeys(connection, later, async () => {
      await rewrite(connection, 'lake.seen.transaction_version', { where: THEIRS, put })
      await rewrite(connection, 'lake.ops.card_key', { where: THEIRS, put })
    })
    if ((await countHashes(connection)).different !== hashed.different) throw twoInOne()
    const values = [account, keyId]
    await connection.run('update lake.ops.hash_key set key_id = $2 where account = $1', values)
    return rotatedBy(await record(connection, order, { keys, before, versions: hashed.versions }))
  })
}

/** Packs go on showing the keys of the cards that were refunded so far. */
async function rememberCardKeys(connection: DuckDBConnection): Promise<void> {
  await connection.run(
    `insert into lake.ops.card_key
     with refunded as (
       select distinct account, card_brand(account_type) as account_type, coalesce(last_four, '') as last_four, billing_key
       from lake.seen.transaction_version
       where ${THEIRS} and action = 'REFUND' and vault_type = 'CARD')
     select *, short_card_key(account_type, last_four, billing_key)
     from refunded anti join lake.ops.card_key using (account, account_type, last_four, billing_key)`,
  )
}

/** Counts the versions with a hash, and the different hashes. */
async function countHashes(
  connection: DuckDBConnection,
): Promise<{ versions: number; different: number }> {
  const reader = await connection.runAndReadAll(
    `select count(*), count(distinct billing_key) from lake.seen.transaction_version where ${THEIRS}`,
  )
  const [versions = 0, different = 0] = (reader.getRows()[0] ?? []).map(Number)
  return { versions, different }
}

/** Two cardholders would become one. The chance is less than one in 100,000, even for ten million cards. */
const twoInOne = () =>
  new Failure('config_invalid', 'the new key gives two different hashes the same new one', {
    remedy: 'take another new key',
  })

function record(
  connection: DuckDBConnection,
  { account, actor, keyId, orderId, reason }: RotationOrder,
  { keys, before, versions }: { keys: KeyRing; before: number; versions: number },
): Promise<AuditEntry> {
  return appendDecision(connection, {
    ...{ account, actor, reason, orderId, action: 'hash_key.rotate', subject: account },
    detail: {
      fromKeyId: keyIdsOf(keys)[before - 1] ?? '',
      keyId,
      keys: String(keys.later.length + 1),
      versions: String(versions),
    },
  })
}

const rotatedBy = ({ seq, detail }: AuditEntry): Rotated => ({
  keys: Number(detail['keys']),
  versions: Number(detail['versions']),
  seq: String(seq),
})

const otherWorker = (account: string) =>
  new Failure(
    'config_invalid',
    `the worker and this command have different keys in TIEOUT_HASH_KEY for account ${account}`,
    { remedy: 'start the worker again with the new keys, then run this command again' },
  )
