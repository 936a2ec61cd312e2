/** The erasure of the identity behind one cardholder's transactions, which changes no number. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { randomBytes } from 'node:crypto'
import { Failure } from '../../domain/failure.ts'
import type { Erased, ErasureOrder } from '../../domain/maintenance.ts'
import { appendDecision, findOrder, readTrail, type AuditEntry } from '../decisions/audit-trail.ts'
import type { Lake } from '../connection/lake.ts'
import { transact } from '../connection/transact.ts'
import { isRecorded, rewrite } from './rewrite.ts'

/** Replaces a card key in a result. */
const ERASED = 'erased'

/** The person's versions: those of the transaction, and those with one of its keys. */
const THEIRS = `(account = getvariable('account')
  and (transaction_id = getvariable('erased_id') or billing_key in (from erased_key)))`

/** The rows of results about one of the person's transactions; `transactionId` is SQL. */
const aboutThem = (transactionId: string) => `(${transactionId} in (from erased_transaction)
  and run_id in (select run_id from lake.ops.run where account = getvariable('account')))`

/** The results that hold a card key: a table, its rows about the person, and their new content. */
const RESULTS = [
  {
    table: 'lake.result.refund_ceiling',
    where: aboutThem('"transactionId"'),
    put: `'${ERASED}' as "cardKey"`,
  },
  {
    table: 'lake.result.summary',
    where: `(part = 'refund' and ${aboutThem(`(cells ->> 'transactionId')`)})`,
    put: `json_merge_patch(cells, '{"cardKey": "${ERASED}"}')::varchar as cells`,
  },
]

/** The replacement for a number beside one of the keys. */
const otherWord = (column: string) =>
  `'${ERASED} ' || md5(getvariable('salt') || ${column})[:16] as ${column}`

const OTHER_KEY = `
  coalesce((md5_number(getvariable('salt') || billing_key) % 18446744073709551615)::ubigint, billing_key) as billing_key`

const OTHER_WORDS = `${OTHER_KEY}, ${otherWord('invoice_number')}, ${otherWord('purchase_order_number')}`

/** The person's cards that were refunded before a rotation of the hash key. */
const THEIR_CARDS = `(account = getvariable('account') and billing_key in (from erased_key))`
const OTHER_CARD = `${OTHER_KEY}, md5(getvariable('salt') || card_key)[:12] as card_key`

/**
 * Replaces the billing keys of a transaction in all tables, and the invoice and order numbers beside them. Equal
 * values stay equal and different ones stay different. The salt is discarded, so that no one can derive the old
 * values. Each file that contained one of them is written again as a whole. Throws usage for an unknown transaction.
 */
export async function erase(
  lake: Lake,
  connection: DuckDBConnection,
  order: ErasureOrder,
): Promise<Erased> {
  const { account, transactionId, actor, reason, orderId } = order
  await connection.run('set variable account = $1::varchar', [account])
  await connection.run('set variable erased_id = $1::bigint', [transactionId])
  await connection.run('set variable salt = $1::varchar', [randomBytes(32).toString('hex')])
  return transact(lake, connection, async () => {
    const earlier = findOrder(await readTrail(connection), orderId)
    if (earlier !== undefined) return erasedBy(earlier)
    const { transactions, versions } = await findTheirs(connection, order)
    await rewrite(connection, 'lake.seen.transaction_version', { where: THEIRS, put: OTHER_WORDS })
    await rewrite(connection, 'lake.ops.card_key', { where: THEIR_CARDS, put: OTHER_CARD })
    for (const { table, where, put } of RESULTS) await rewrite(connection, table, { where, put })
    const act = await appendDecision(connection, {
      ...{ account, actor, reason, action: 'identity.erase', subject: transactionId },
      orderId,
      detail: { transactions: String(transactions), versions: String(versions) },
    })
    return erasedBy(act)
  })
}

/** Returns true if a person of the account was erased after an act of the audit trail. */
export const erasedSince = (
  connection: DuckDBConnection,
  account: string,
  seq: bigint,
): Promise<boolean> =>
  isRecorded(connection, `account = $1 and seq > $2 and action = 'identity.erase'`, [account, seq])

const erasedBy = ({ seq, detail }: AuditEntry): Erased => ({
  transactions: Number(detail['transactions']),
  versions: Number(detail['versions']),
  seq: String(seq),
})

async function findTheirs(
  connection: DuckDBConnection,
  { account, transactionId }: ErasureOrder,
): Promise<{ transactions: number; versions: number }> {
  const versionsOf = (where: string) => `from lake.seen.transaction_version where ${where}`
  const ofTransaction = `account = getvariable('account') and transaction_id = getvariable('erased_id')`
  await connection.run(
    `create or replace temp table erased_key as
     select distinct billing_key ${versionsOf(`${ofTransaction} and billing_key is not null`)}`,
  )
  await connection.run(
    `create or replace temp table erased_transaction as
     select distinct transaction_id::varchar as transaction_id ${versionsOf(THEIRS)}`,
  )
  const reader = await connection.runAndReadAll(
    `select (select count(*) from erased_transaction)::integer, count(*)::integer ${versionsOf(THEIRS)}`,
  )
  const [transactions, versions] = (reader.getRows()[0] ?? []).map(Number)
  if (transactions === undefined || transactions === 0 || versions === undefined) {
    throw new Failure(
      'usage',
      `no transaction ${transactionId} of account ${account} was ever read`,
    )
  }
  return { transactions, versions }
}
