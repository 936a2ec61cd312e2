/**
 * The audit trail: the actor, content, time and reason of each decision. Append-only; each act
 * holds the hash of the one before.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { hash } from 'node:crypto'
import { Failure } from '../../domain/failure.ts'
import { type AuditHead } from '../../domain/run.ts'
import { raiseFenceOf } from '../connection/transact.ts'

export type AuditAction =
  | 'exception.assign'
  | 'exception.reopen'
  | 'exception.resolve'
  | 'exception.waive'
  | 'hash_key.rotate'
  | 'identity.erase'
  | 'pack.approve'
  | 'pack.refuse'
  | 'period.close'
  | 'period.reopen'
  | 'transaction.attribute'
  | 'transaction.release'

export interface Decision {
  account: string
  actor: string
  action: AuditAction
  /** A period, a run, an exception or a transaction. */
  subject: string
  reason: string
  /** Further facts, by name. */
  detail: Readonly<Record<string, string>>
  /** The order behind it; stored with the detail, so that a repeated order is recognised. */
  orderId?: string | undefined
}

export interface AuditEntry extends Omit<Decision, 'orderId'> {
  /** 1, 2, 3, … over all accounts of the lake. */
  seq: bigint
  /** ISO 8601 with Z. */
  actedAt: string
  previousSha256: string
  sha256: string
}

/** The head before the first act. */
const NOTHING: AuditHead = { seq: 0n, sha256: '' }

/**
 * Appends one act, in the caller's transaction. If two acts are simultaneous, the later one conflicts on the fence.
 * Its transaction starts again and then sees the first act.
 */
export async function appendDecision(
  connection: DuckDBConnection,
  decision: Decision,
): Promise<AuditEntry> {
  await raiseFenceOf(connection, 'audit_fence')
  const before = await auditHead(connection)
  const { orderId, ...decided } = decision
  const detail = orderId === undefined ? decided.detail : { ...decided.detail, orderId }
  const content = {
    ...decided,
    detail,
    seq: before.seq + 1n,
    actedAt: new Date().toISOString(),
    previousSha256: before.sha256,
  }
  const entry = { ...content, sha256: hashOf(content) }
  await connection.run(
    'insert into lake.ops.audit values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
    [
      entry.seq,
      entry.account,
      entry.actedAt,
      entry.actor,
      entry.action,
      entry.subject,
      entry.reason,
      JSON.stringify(entry.detail),
      entry.previousSha256,
      entry.sha256,
    ],
  )
  return entry
}

/** The act that an earlier attempt at an order recorded; undefined if there is none. */
export const findOrder = (
  trail: readonly AuditEntry[],
  orderId: string | undefined,
): AuditEntry | undefined =>
  orderId === undefined ? undefined : trail.find(({ detail }) => detail['orderId'] === orderId)

export async function auditHead(connection: DuckDBConnection): Promise<AuditHead> {
  const reader = await connection.runAndReadAll(
    'select seq::varchar, sha256 from lake.ops.audit order by seq desc limit 1',
  )
  const [seq, sha256] = reader.getRows()[0] ?? []
  return seq === undefined ? NOTHING : { seq: BigInt(String(seq)), sha256: String(sha256) }
}

/**
 * Reads all acts, oldest first. Throws trail_broken for an act that was changed, left out or added
 * beside the chain. Throws it also for a trail with fewer acts than were recorded, or without one that a run knew.
 */
export async function readTrail(connection: DuckDBConnection): Promise<AuditEntry[]> {
  // The number is read first: an act between the two statements only adds to the trail.
  const fence = await connection.runAndReadAll('select n::varchar from lake.ops.audit_fence')
  const recorded = Number(fence.getRows()[0]?.[0] ?? 0)
  // Orders by the number: its text would put the tenth act before the second.
  const reader = await connection.runAndReadAll(
    `select seq::varchar as seq, account, acted_at as "actedAt", actor, action, subject, reason, detail,
       previous_sha256 as "previousSha256", sha256
     from lake.ops.audit order by audit.seq`,
  )
  let head = NOTHING
  const trail = reader.getRowObjectsJson().map((row) => {
    const entry = entryOf(row)
    const follows = entry.seq === head.seq + 1n && entry.previousSha256 === head.sha256
    if (!follows || entry.sha256 !== hashOf(entry)) {
      throw new Failure(
        'trail_broken',
        `act ${head.seq + 1n} of the audit trail was changed after it was written`,
      )
    }
    head = entry
    return entry
  })
  if (trail.length < recorded) {
    throw new Failure(
      'trail_broken',
      `the audit trail has ${trail.length} acts, and ${recorded} were recorded`,
    )
  }
  await refuseShortened(connection, trail)
  return trail
}

/** Every run stores the newest act that it knew, so the end of the trail can't be cut off unnoticed. */
async function refuseShortened(
  connection: DuckDBConnection,
  trail: readonly AuditEntry[],
): Promise<void> {
  const reader = await connection.runAndReadAll(
    `select (parameters ->> '$.audit.seq')::bigint as known, any_value(parameters ->> '$.audit.sha256'), min(run_id)
     from lake.ops.run where (parameters ->> '$.audit.seq')::bigint > 0 group by known order by known`,
  )
  for (const [seq, sha256, runId] of reader.getRows()) {
    const known = trail[Number(seq) - 1]
    if (known?.seq === BigInt(String(seq)) && known.sha256 === sha256) continue
    throw new Failure(
      'trail_broken',
      `the audit trail no longer holds act ${String(seq)}, which run ${String(runId)} knew`,
    )
  }
}

const entryOf = (row: Record<string, unknown>): AuditEntry => ({
  ...(row as unknown as AuditEntry),
  seq: BigInt(String(row['seq'])),
  detail: JSON.parse(String(row['detail'])) as AuditEntry['detail'],
})

function hashOf(entry: Omit<AuditEntry, 'sha256'>): string {
  const { seq, account, actedAt, actor, action, subject, reason, detail } = entry
  const content = [String(seq), account, actedAt, actor, action, subject, reason, detail]
  return hash('sha256', JSON.stringify([...content, entry.previousSha256]))
}
