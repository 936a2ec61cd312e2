/** Approves and refuses packs. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApprovalAct, BooksActed, RefusalAct } from '../../domain/books.ts'
import { Failure } from '../../domain/failure.ts'
import type { Settings } from '../../domain/settings.ts'
import { appendDecision, type AuditEntry } from '../../lake/decisions/audit-trail.ts'
import {
  approvalIn,
  exportFacts,
  exportLines,
  namedApproval,
  periodsIn,
  refusalIn,
  refuseOutdated,
} from '../../lake/decisions/periods-and-exports.ts'
import { writeCsv } from '../../lake/results/read-pack-tables.ts'
import { findRun } from '../../lake/results/store-run.ts'
import { actedBy } from './act-receipt.ts'

type Trail = readonly AuditEntry[]

export const actOnPack = (
  connection: DuckDBConnection,
  trail: Trail,
  act: ApprovalAct | RefusalAct,
): Promise<BooksActed> =>
  act.kind === 'refuse' ? refuse(connection, trail, act) : approve(connection, trail, act)

/** Records why a reviewer does not approve a pack. Throws approval_refused for a pack that is approved. */
async function refuse(
  connection: DuckDBConnection,
  trail: Trail,
  { account, actor, manifestSha256, orderId, reason, runId }: RefusalAct,
): Promise<BooksActed> {
  const approval = approvalIn(trail, { account, runId })
  if (approval !== undefined) {
    throw new Failure('approval_refused', `${approval.actor} has approved the pack ${runId}`, {
      remedy: 'correct the books with decisions and a new pack; an approval is final',
    })
  }
  const entry = await appendDecision(connection, {
    ...{ account, actor, reason, subject: runId, action: 'pack.refuse', orderId },
    detail: { manifestSha256 },
  })
  return actedBy(entry, false)
}

async function approve(
  connection: DuckDBConnection,
  trail: Trail,
  act: ApprovalAct,
): Promise<BooksActed> {
  const { account, actor, preparedBy, manifestSha256, reason, runId } = act
  if (act.earlier !== undefined) namedApproval(trail, act.earlier)
  const known = approvalIn(trail, act)
  if (known !== undefined) {
    if (known.detail['manifestSha256'] === manifestSha256) return approvedBefore(known)
    throw new Failure('approval_refused', `the run ${runId} was approved with another manifest`)
  }
  if (same(actor, preparedBy)) {
    throw new Failure('approval_refused', `${actor} prepared the pack and can't approve it`, {
      remedy: 'have another person review and approve it',
    })
  }
  const periods = periodsIn(trail, account)
  const closed = periods.filter(({ state }) => state === 'closed').map(({ period }) => period)
  await refuseOutdated(connection, act, new Set(closed))
  if (act.acceptsLater !== true) {
    const warnings = [refusedBy(trail, act), await unreadIn(connection, trail, act)]
    const given = warnings.filter((warning) => warning !== undefined)
    if (given.length > 0) throw new Failure('approval_unconfirmed', given.join('; '))
  }
  const { entries, linesSha256 } = await exportFacts(connection, { runId })
  const entry = await appendDecision(connection, {
    ...{ account, actor, reason, subject: runId, action: 'pack.approve', orderId: act.orderId },
    detail: { manifestSha256, preparedBy, entries: String(entries), linesSha256 },
  })
  await exportLines(connection, act, entry.seq)
  return { ...actedBy(entry, false), entries }
}

const approvedBefore = (known: AuditEntry): BooksActed => ({
  ...actedBy(known, true),
  firstApproval: { preparedBy: known.detail['preparedBy'] ?? '', reason: known.reason },
})

/** Says who refused the pack; undefined for a pack that was not refused. */
function refusedBy(trail: Trail, act: ApprovalAct): string | undefined {
  const refusal = refusalIn(trail, act)
  return refusal === undefined
    ? undefined
    : `${refusal.actor} refused the pack ${act.runId} in act ${refusal.seq} of the audit trail`
}

/** Counts the decisions of people that were made after the pack, which does not show them; undefined for none. */
async function unreadIn(
  connection: DuckDBConnection,
  trail: Trail,
  { account, runId }: ApprovalAct,
): Promise<string | undefined> {
  const run = await findRun(connection, runId)
  const { audit }: { audit?: { seq: string } } = JSON.parse(String(run?.['parameters'] ?? '{}'))
  const known = BigInt(audit?.seq ?? 0)
  const later = trail.filter(
    (entry) =>
      entry.seq > known &&
      entry.account === account &&
      /^(exception|transaction)\./.test(entry.action),
  )
  if (later.length === 0) return undefined
  const noun = later.length === 1 ? 'decision was' : 'decisions were'
  return `${later.length} ${noun} made after the pack ${runId}, which does not show them`
}

/**
 * Checks that the pack's run is in this lake and its journal is the stored one. Throws usage or
 * pack_altered.
 */
export async function refuseForeign(
  connection: DuckDBConnection,
  settings: Settings,
  { account, runId, journalSha256 }: ApprovalAct | RefusalAct,
): Promise<void> {
  const run = await findRun(connection, runId)
  if (run?.['account'] !== account) {
    throw new Failure('usage', `this lake holds no run ${runId} of ${account}`, {
      remedy: 'name the lake of the pack with --lake',
    })
  }
  const folder = await mkdtemp(join(tmpdir(), 'tieout-approve-'))
  try {
    const file = join(folder, 'journal.csv')
    await writeCsv(connection, { runId, table: 'journal' }, file)
    const content = await readFile(file)
    const hashes = [content, Buffer.concat([BYTE_ORDER_MARK, content])].map(sha256)
    if (hashes.includes(journalSha256)) return
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  throw new Failure(
    'pack_altered',
    `accounting/journal.csv differs from the one that run ${runId} stored in the lake of ${settings.account}`,
  )
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')

const same = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()
