/** approval.json: who prepared and who approved a pack, and when. The manifest is older and does not list it. */
import { chmod, lstat, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { ApprovalAct, BooksActed } from '../../domain/books.ts'
import { parsedJson } from '../../domain/parsed-json.ts'
import { OWN_FILES } from './modes.ts'
import { partialBeside } from './pack-folder.ts'
import { altered } from './read-manifest.ts'

export const APPROVAL = 'approval.json'

const Approval = z.strictObject({
  runId: z.string(),
  manifestSha256: z.string(),
  preparedBy: z.string(),
  reason: z.string(),
  approvedBy: z.string(),
  approvedAt: z.string(),
  auditSeq: z.string().regex(/^[1-9]\d*$/),
  auditSha256: z.string(),
})

export type Approval = z.infer<typeof Approval>

export function approvalText(
  { runId, manifestSha256, ...given }: ApprovalAct,
  { actor, actedAt, seq, sha256, firstApproval }: BooksActed,
): string {
  const { preparedBy, reason } = firstApproval ?? given
  const approval: Approval = {
    ...{ runId, manifestSha256, preparedBy, reason },
    ...{ approvedBy: actor, approvedAt: actedAt, auditSeq: seq, auditSha256: sha256 },
  }
  return textOf(approval)
}

const textOf = (approval: Approval) => `${JSON.stringify(approval, null, 2)}\n`

/**
 * Writes the file into the pack's folder, whole or not at all. The audit trail is the record; false if the folder can't
 * be written.
 */
export async function writeApproval(
  { folder, fileMode = OWN_FILES }: { folder: string; fileMode?: number | undefined },
  act: ApprovalAct,
  acted: BooksActed,
): Promise<boolean> {
  // A file inside the pack would be an added one.
  const partial = partialBeside(folder)
  try {
    // A machine that loses its power must not keep the name without the content.
    await writeFile(partial, approvalText(act, acted), { mode: 0o600, flag: 'wx', flush: true })
    await chmod(partial, fileMode)
    await rename(partial, join(folder, APPROVAL))
    return true
  } catch {
    await rm(partial, { force: true }).catch(() => {})
    return false
  }
}

/**
 * Reads the file, if there is one. Throws pack_altered if it is not a file as an approval writes it, with each key once,
 * or is about another manifest.
 */
export async function readApproval(
  folder: string,
  manifestSha256: string,
): Promise<Approval | undefined> {
  const path = join(folder, APPROVAL)
  const found = await lstat(path).catch(() => undefined)
  if (found === undefined) return undefined
  if (!found.isFile()) throw altered(APPROVAL, 'is not a file')
  const text = await readFile(path, 'utf8').catch(() => '')
  const approval = Approval.safeParse(parsedJson(text))
  if (!approval.success) throw altered(APPROVAL, "can't be read")
  if (textOf(approval.data) !== text) throw altered(APPROVAL, 'is not as an approval writes it')
  if (approval.data.manifestSha256 === manifestSha256) return approval.data
  throw altered(APPROVAL, 'is about another manifest')
}
