/** approval.json: who prepared and who approved a pack, and when. The manifest is older and does not list it. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { ApprovalAct, BooksActed } from '../../domain/books.ts'
import { altered } from './read-manifest.ts'

export const APPROVAL = 'approval.json'

const Approval = z.strictObject({
  runId: z.string(),
  manifestSha256: z.string(),
  preparedBy: z.string(),
  approvedBy: z.string(),
  approvedAt: z.string(),
  reason: z.string(),
  auditSeq: z.string(),
  auditSha256: z.string(),
})

export type Approval = z.infer<typeof Approval>

/** Writes the file into the pack's folder. The audit trail is the record; false if the folder can't be written. */
export async function writeApproval(
  folder: string,
  { runId, manifestSha256, preparedBy, reason }: ApprovalAct,
  { actor, actedAt, seq, sha256 }: BooksActed,
): Promise<boolean> {
  const approval: Approval = {
    ...{ runId, manifestSha256, preparedBy, reason },
    ...{ approvedBy: actor, approvedAt: actedAt, auditSeq: seq, auditSha256: sha256 },
  }
  const text = `${JSON.stringify(approval, null, 2)}\n`
  return writeFile(join(folder, APPROVAL), text, { mode: 0o600 }).then(
    () => true,
    () => false,
  )
}

/** Reads the file, if there is one. Throws pack_altered if it can't be read or is about another manifest. */
export async function readApproval(
  folder: string,
  manifestSha256: string,
): Promise<Approval | undefined> {
  const text = await readFile(join(folder, APPROVAL), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const approval = Approval.safeParse(jsonOf(text))
  if (!approval.success) throw altered(APPROVAL, "can't be read")
  if (approval.data.manifestSha256 === manifestSha256) return approval.data
  throw altered(APPROVAL, 'is about another manifest')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
