/**
 * A person's decision on the settlement of a transaction: one act in the audit trail, which later
 * runs apply.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { AttributionAct, BooksActed } from '../../domain/books.ts'
import { Failure } from '../../domain/failure.ts'
import { appendDecision, type AuditEntry } from '../../lake/decisions/audit-trail.ts'
import { actedBy } from './act-receipt.ts'
import { hasSettlement } from '../../queries/has-settlement.ts'

const ID = /^[1-9]\d{0,18}$/

/**
 * Acts in the caller's transaction. Throws usage for an unknown id, and attribution_refused if the
 * record contradicts it.
 */
export async function actOnAttribution(
  connection: DuckDBConnection,
  trail: readonly AuditEntry[],
  act: AttributionAct,
): Promise<BooksActed> {
  const { account, actor, kind, orderId, reason, settlement, transactionId } = act
  const before = trail.findLast(
    (entry) =>
      entry.account === account &&
      entry.subject === transactionId &&
      entry.action.startsWith('transaction.'),
  )
  if (before?.action === kind && before.detail['settlement'] === settlement) {
    return actedBy(before, true)
  }
  if (settlement !== undefined) await refuseContradiction(connection, act, settlement)
  else if (before?.action !== 'transaction.attribute') {
    throw new Failure('usage', `there is no decision on the transaction ${transactionId}`, {
      remedy: `tieout query "from attributions where method = 'MANUAL'"`,
    })
  }
  const detail: Record<string, string> = settlement === undefined ? {} : { settlement }
  const decision = { account, actor, reason, detail, orderId, action: kind, subject: transactionId }
  return actedBy(await appendDecision(connection, decision), false)
}

/** The newest version of the record must be settled, and name no other known settlement. */
async function refuseContradiction(
  connection: DuckDBConnection,
  { account, transactionId }: AttributionAct,
  settlement: string,
): Promise<void> {
  const isNone = settlement === 'none'
  if (!isNone && !(await isKnownSettlement(connection, account, settlement))) {
    throw new Failure('usage', `the lake holds no settlement ${settlement}`, {
      remedy: 'tieout query "from settlements"',
    })
  }
  const reader = await connection.runAndReadAll(
    `select coalesce(settled, false), explicit_settlement_id::varchar from lake.seen.transaction_version
     where account = $1 and transaction_id = try_cast($2 as bigint)
     order by landing_seq desc, ordinal desc limit 1`,
    [account, transactionId],
  )
  const [settled, named] = reader.getRows()[0] ?? []
  if (settled === undefined || !ID.test(transactionId)) {
    throw new Failure('usage', `the lake holds no transaction ${transactionId}`, {
      remedy: 'tieout query "from transactions"',
    })
  }
  if (settled !== true) {
    throw new Failure('attribution_refused', `the transaction ${transactionId} is not settled`, {
      remedy: isNone
        ? 'decide nothing: only a settled transaction is in a settlement'
        : recordsOf(settlement),
    })
  }
  if (named === null || named === undefined || String(named) === settlement) return
  if (!(await isKnownSettlement(connection, account, String(named)))) return
  throw new Failure(
    'attribution_refused',
    `the transaction ${transactionId} itself names settlement ${String(named)}`,
    { remedy: recordsOf(String(named)) },
  )
}

const recordsOf = (settlement: string) =>
  `tieout explain ${settlement}, to see the records of the settlement`

const isKnownSettlement = async (connection: DuckDBConnection, account: string, id: string) =>
  ID.test(id) && (await hasSettlement(connection, account, id))
