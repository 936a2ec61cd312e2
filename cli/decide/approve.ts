/**
 * The command `approve`: records a reviewer's approval, after which the pack's entries count as
 * exported.
 */
import { createInterface } from 'node:readline/promises'
import type { ApprovalAct, BooksActed, RefusalAct } from '../../domain/books.ts'
import { Failure } from '../../domain/failure.ts'
import { verifyPackAt, writeApprovalAt } from '../../reports/open-pack.ts'
import type { Approval } from '../../reports/pack/approval.ts'
import type { VerifiedPack } from '../../reports/verify-pack.ts'
import { objectStore } from '../../workers/config/object-store.ts'
import { aborted } from '../../workers/temporal/aborted.ts'
import type { Settings } from '../../domain/settings.ts'
import { readSettings } from '../../workers/config/settings.ts'
import { flagsOfPack } from '../inspect/pack-account.ts'
import { requiredActor } from './actor.ts'
import { wordsOf } from '../../domain/decision-words.ts'
import { actLine, decide } from './decide.ts'
import type { Context } from '../shell/context.ts'
import { reportOf } from '../shell/failures.ts'

export interface ApproveFlags {
  by?: string
  reason?: string
  preparedBy?: string
  yes?: boolean
  refuse?: string
}

export async function approveCommand(
  context: Context,
  pack: string,
  flags: ApproveFlags,
): Promise<void> {
  const { json, ...settable } = context.flagsOf(flags)
  const actor = requiredActor(flags.by)
  const verified = await Promise.race([verifyPackAt(pack, objectStore), aborted(context.signal)])
  const settings = readSettings(flagsOfPack(settable, verified.manifest))
  const { refuse } = flags
  if (refuse !== undefined) {
    return refusePack(context, settings, refusalOf(verified, refuse, actor))
  }
  const act = approvalOf(verified, flags, actor)
  const { account, runId } = act
  const acted = await decide(context, settings, act).catch(async (error: unknown) => {
    if (!(await isConfirmed(context, error))) throw error
    return decide(context, settings, { ...act, acceptsLater: true })
  })
  const { packMode: fileMode } = settings
  const place = { pack: verified.folder, open: objectStore, fileMode }
  if (!(await writeApprovalAt(place, act, acted))) context.terminal.say(UNWRITTEN)
  if (json === true) {
    const { firstApproval, ...receipt } = acted
    const { manifestSha256 } = act
    const { preparedBy } = firstApproval ?? act
    const approval = { account, runId, manifestSha256, preparedBy, ...receipt }
    context.terminal.print(JSON.stringify(approval))
  } else for (const line of linesOf(act, acted)) context.terminal.print(line)
}

async function refusePack(context: Context, settings: Settings, act: RefusalAct): Promise<void> {
  const { account, runId, manifestSha256 } = act
  const acted = await decide(context, settings, act)
  if (context.flagsOf({}).json === true) {
    context.terminal.print(JSON.stringify({ account, runId, manifestSha256, ...acted }))
    return
  }
  context.terminal.print(`pack ${runId} of ${account}: refused by ${acted.actor}`)
  context.terminal.print(actLine(acted))
}

const UNWRITTEN =
  "approval.json can't be written into the pack; the audit trail has the approval, and the same command writes the file"

/** The refusal of a verified pack. */
export const refusalOf = (
  { manifest, sha256 }: VerifiedPack,
  reason: string,
  actor: string,
): RefusalAct => ({
  ...{ kind: 'refuse', account: manifest.account, actor, runId: manifest.runId },
  manifestSha256: sha256,
  reason: wordsOf('--refuse', reason),
})

/** The approval of a verified pack. Throws approval_refused if no preparer is known. */
export function approvalOf(
  { approval, manifest, sha256 }: VerifiedPack,
  flags: ApproveFlags,
  actor: string,
): ApprovalAct {
  const { account, runId } = manifest
  return {
    ...{ kind: 'approve', account, actor, runId, manifestSha256: sha256 },
    preparedBy: preparerOf(manifest.preparedBy, flags.preparedBy),
    reason: wordsOf('--reason', flags.reason ?? ''),
    ...(flags.yes === true ? { acceptsLater: true } : {}),
    ...(approval === undefined ? {} : { earlier: earlierOf(approval) }),
  }
}

const earlierOf = ({ auditSeq, auditSha256 }: Approval) => ({ auditSeq, auditSha256 })

/** Asks a person at a terminal whether to approve a pack in spite of later decisions. */
async function isConfirmed({ terminal }: Context, error: unknown): Promise<boolean> {
  const failure = reportOf(error).error
  if (failure?.code !== 'approval_unconfirmed') return false
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false
  terminal.say(failure.message)
  const dialog = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await dialog.question('Approve it all the same? [y/N] ')).trim())
  } finally {
    dialog.close()
  }
}

/** The preparer in the manifest takes precedence over the flag. */
function preparerOf(named: string | undefined, flag: string | undefined): string {
  if (named !== undefined) return named
  if (flag !== undefined) return wordsOf('--prepared-by', flag)
  throw new Failure('approval_refused', "the pack doesn't name its preparer", {
    remedy: 'name the preparer with --prepared-by, or set TIEOUT_ACTOR for the next run',
  })
}

function linesOf(act: ApprovalAct, acted: BooksActed): string[] {
  const { runId, account } = act
  const { actor, entries, firstApproval, wasSo } = acted
  const { preparedBy } = firstApproval ?? act
  return [
    `pack ${runId} of ${account}: approved ${wasSo ? 'already ' : ''}by ${actor}, prepared by ${preparedBy}`,
    ...(firstApproval === undefined ? [] : [`nothing was recorded for ${act.actor}`]),
    ...(entries === undefined
      ? []
      : [`${entries === 1 ? '1 entry counts' : `${entries} entries count`} as exported`]),
    actLine(acted),
  ]
}
