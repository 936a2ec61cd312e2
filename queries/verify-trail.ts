/** Proves the audit trail of a lake, and its statements about one pack. */
import { Failure } from '../domain/failure.ts'
import type { LakeSettings } from '../domain/settings.ts'
import { readTrail, type AuditEntry } from '../lake/decisions/audit-trail.ts'
import { approvalIn, exportFacts, namedApproval } from '../lake/decisions/periods-and-exports.ts'
import { readLake } from '../lake/connection/read-lake.ts'
import { refuseOtherPack } from '../lake/results/publications.ts'
import type { Approval } from '../reports/pack/approval.ts'
import { auditOf } from '../reports/pack/read-manifest.ts'
import type { VerifiedPack } from '../reports/verify-pack.ts'

export interface ProvedTrail {
  acts: number
  /** Undefined if the pack is not approved. */
  approval: { by: string; at: string; seq: string; preparedBy: string | undefined } | undefined
}

/**
 * Proves the chain of hashes and the lines of every approval, that this lake published the pack, and that pack and
 * trail agree. Throws trail_broken. Throws usage for a pack of another lake, and pack_altered for another
 * manifest than it published.
 */
export async function checkTrail(
  settings: LakeSettings,
  { manifest, sha256, approval }: Pick<VerifiedPack, 'approval' | 'manifest' | 'sha256'>,
): Promise<ProvedTrail> {
  return readLake(settings, async (connection) => {
    const trail = await readTrail(connection)
    refuseOtherTrail(trail, { manifest, approval })
    await refuseOtherPack(connection, { ...manifest, manifestSha256: sha256 })
    for (const entry of trail.filter(({ action }) => action === 'pack.approve')) {
      const { linesSha256 } = await exportFacts(connection, { seq: entry.seq })
      if (linesSha256 === entry.detail['linesSha256']) continue
      throw broken(`the lines that act ${entry.seq} exported are not as they were approved`)
    }
    const act = approvalIn(trail, manifest)
    if (act === undefined) return { acts: trail.length, approval: undefined }
    const { actor: by, actedAt: at, seq, detail } = act
    const approved = { by, at, seq: String(seq), preparedBy: detail['preparedBy'] }
    return { acts: trail.length, approval: approved }
  })
}

/**
 * Compares approval.json with its act. Throws trail_broken if the lake doesn't hold the act, and pack_altered if the
 * file states something else than the act.
 */
function refuseOtherApproval(trail: readonly AuditEntry[], file: Approval): void {
  const act = namedApproval(trail, file)
  const { manifestSha256, preparedBy } = act.detail
  const recorded = {
    ...{ runId: act.subject, manifestSha256, preparedBy, reason: act.reason },
    ...{ approvedBy: act.actor, approvedAt: act.actedAt, auditSeq: String(act.seq) },
  }
  const other = Object.entries(recorded).find(
    ([name, value]) => value !== file[name as keyof Approval],
  )
  if (other === undefined) return
  throw new Failure(
    'pack_altered',
    `approval.json was changed: its ${other[0]} is not that of act ${act.seq} of the audit trail`,
  )
}

/**
 * Throws trail_broken unless the trail still holds the newest act that the pack knew of, and its approval. Otherwise the
 * end of the trail could be cut off unnoticed. Throws pack_altered for other words in approval.json.
 */
export function refuseOtherTrail(
  trail: readonly AuditEntry[],
  { manifest, approval }: Pick<VerifiedPack, 'approval' | 'manifest'>,
): void {
  const known = auditOf(manifest.parameters)
  const isThere = trail.find(({ seq }) => seq === known.seq)?.sha256 === known.sha256
  if (known.seq !== 0n && !isThere) {
    throw broken(`the pack knows act ${known.seq} of another audit trail than the lake holds`)
  }
  if (approval !== undefined) refuseOtherApproval(trail, approval)
}

const broken = (what: string) => new Failure('trail_broken', what)
