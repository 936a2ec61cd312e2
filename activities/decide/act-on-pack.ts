/** Approves and refuses packs. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { ApprovalAct, BooksActed, RefusalAct } from '../../domain/books.ts'
import { Failure } from '../../domain/failure.ts'
import { appendDecision, type AuditEntry } from '../../lake/decisions/audit-trail.ts'
import { countLaterDecisions, laterDecisions } from '../../queries/later-decisions.ts'
import {
  approvalIn,
  exportFacts,
  exportLines,
  namedApproval,
  periodsIn,
  refusalIn,
  refuseOutdated,
} from '../../lake/decisions/periods-and-exports.ts'
import { refuseOtherPack } from '../../lake/results/publications.ts'
import { actedBy } from './act-receipt.ts'

type Trail = readonly AuditEntry[]

/** Throws usage and pack_altered for a pack that this lake did not publish so. */
export async function actOnPack(
  connection: DuckDBConnection,
  trail: Trail,
  act: ApprovalAct | RefusalAct,
): Promise<BooksActed> {
  await refuseOtherPack(connection, act)
  return act.kind === 'refuse' ? refuse(connection, trail, act) : approve(connection, trail, act)
}

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
  if (known !== undefined) return approvedBefore(known)
  if (same(actor, preparedBy)) {
    throw new Failure('approval_refused', `${actor} prepared the pack and can't approve it`, {
      remedy: 'have another person review and approve it',
    })
  }
  const periods = periodsIn(trail, account)
  const closed = periods.filter(({ state }) => state === 'closed').map(({ period }) => period)
  await refuseOutdated(connection, act, new Set(closed))
  if (act.acceptsLater !== true) {
    const warnings = [refusedBy(trail, act), await unreadIn(connection, act)]
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
  { account, runId }: ApprovalAct,
): Promise<string | undefined> {
  const later = await countLaterDecisions(connection, { account, runId })
  return later === 0 ? undefined : `${laterDecisions(later)} ${runId}, which does not show them`
}

/** Compares names as a person reads them: without letter case, forms of width, blanks and invisible characters. */
const same = (one: string, other: string) => asRead(one) === asRead(other)

const asRead = (name: string) =>
  name
    .normalize('NFKC')
    .replaceAll(/[\p{C}\p{Z}]/gu, '')
    .toLowerCase()
