/** The command `verify`: proves from its files alone that a delivered pack is unchanged. */
import { countedNoun } from '../../domain/headline.ts'
import { checkTrail, type ProvedTrail } from '../../queries/verify-trail.ts'
import { aborted } from '../../workers/temporal/aborted.ts'
import { verifyPackAt } from '../../reports/open-pack.ts'
import type { VerifiedPack } from '../../reports/verify-pack.ts'
import { objectStore } from '../../workers/config/object-store.ts'
import { readSettings } from '../../workers/config/settings.ts'
import type { Context } from '../shell/context.ts'
import { flagsOfPack } from './pack-account.ts'

export async function verifyCommand(context: Context, pack: string, flags: object): Promise<void> {
  const { json, ...settable } = context.flagsOf(flags)
  const verifying = async () => {
    const verified = await verifyPackAt(pack, objectStore)
    const ofPack = flagsOfPack(settable, verified.manifest)
    if (ofPack.lake === undefined) return { verified }
    const { lake } = readSettings(ofPack)
    return { verified, trail: await checkTrail(lake, verified) }
  }
  const { verified, trail } = await Promise.race([verifying(), aborted(context.signal)])
  if (json === true) {
    const { acts, approval } = trail ?? { acts: undefined, approval: writtenApproval(verified) }
    context.terminal.print(JSON.stringify({ ...answerOf(verified), acts, approval }))
  } else {
    const lines = [...linesOf(verified), ...(trail === undefined ? [] : trailLines(trail))]
    for (const line of lines) context.terminal.print(line)
  }
}

/** The approval as approval.json gives it. Without `acts` in the answer, no lake proved it. */
function writtenApproval({ approval }: VerifiedPack): ProvedTrail['approval'] {
  if (approval === undefined) return undefined
  const { approvedBy: by, approvedAt: at, auditSeq: seq, preparedBy } = approval
  return { by, at, seq, preparedBy }
}

const trailLines = ({ acts, approval }: ProvedTrail): string[] => [
  `the chain of ${countedNoun(acts, 'act')} in the audit trail is intact`,
  approval === undefined
    ? 'not approved'
    : `approved by ${approval.by} at ${approval.at}, prepared by ${approval.preparedBy}, act ${approval.seq}`,
]

function answerOf({ folder, manifest, sha256, files, bytes, proved }: VerifiedPack) {
  const { runId, account, from, to, controlTotals } = manifest
  return {
    ...{ pack: folder, runId, account, from, to, manifestSha256: sha256, files, bytes },
    controlTotals: controlTotals.length,
    proved,
  }
}

function linesOf({ manifest, sha256, files, bytes, proved, approval }: VerifiedPack): string[] {
  const { runId, account, from, to, controlTotals } = manifest
  return [
    `pack ${runId} of ${account}, ${from} to ${to}: unchanged since it was published`,
    `${files} files, ${bytes.toLocaleString('en')} bytes, manifest ${sha256}`,
    `${controlTotals.length} control totals pass; ${proved.length} of them were recomputed from the files`,
    ...(approval === undefined
      ? []
      : [
          `approval.json: approved by ${approval.approvedBy} at ${approval.approvedAt}, prepared by ${approval.preparedBy}; --lake proves this file`,
        ]),
  ]
}
