/** The commands' reads of a pack, which lies in a folder or at an address of an object store. */
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { isObjectAddress, withoutSlash } from '../domain/object-address.ts'
import type { OpenStore } from '../domain/settings.ts'
import type { ApprovalAct, BooksActed } from '../domain/books.ts'
import { diffPacks, type PackDiff } from './diff-packs.ts'
import { APPROVAL, approvalText, writeApproval } from './pack/approval.ts'
import { altered, parseManifest, readManifest, type PackManifest } from './pack/read-manifest.ts'
import { openBucket } from './store/bucket.ts'
import { resolved, withLocalPack } from './store/local-copy.ts'
import { withBucket } from './store/store-target.ts'
import { verifyPack, type VerifiedPack } from './verify-pack.ts'

/** Verifies a pack like `verifyPack`. Its `folder` is the address of a pack that lies in a store. */
export const verifyPackAt = (pack: string, open: OpenStore): Promise<VerifiedPack> =>
  withLocalPack(pack, open, async ({ folder, address }) => {
    const verified = await verifyPack(folder)
    return address === undefined ? verified : { ...verified, folder: address }
  })

export const diffPacksAt = (
  [first, second]: readonly [string, string],
  open: OpenStore,
): Promise<PackDiff> =>
  withLocalPack(first, open, (before) =>
    withLocalPack(second, open, (after) => diffPacks(before.folder, after.folder)),
  )

/** Opens a file of a pack; undefined if its manifest has no such name, so that no name leads out of the pack. */
export async function openPackFile(
  pack: string,
  name: string,
  open: OpenStore,
): Promise<Readable | undefined> {
  if (!isObjectAddress(pack)) {
    const isListed = isFileOf((await readManifest(pack)).manifest, name)
    return isListed ? createReadStream(join(pack, name)) : undefined
  }
  const bucket = await openBucket(open())
  let content: Readable | undefined
  try {
    const bytes = await bucket.text(`${pack}/manifest.json`)
    if (bytes === undefined) throw altered('manifest.json', 'is missing')
    if (!isFileOf(parseManifest(Buffer.from(bytes)), name)) return undefined
    content = await bucket.read(`${pack}/${name}`)
    return content.once('close', () => bucket.close())
  } finally {
    if (content === undefined) bucket.close()
  }
}

const isFileOf = ({ files }: PackManifest, name: string) => files.some((file) => file.name === name)

interface ApprovedPack {
  pack: string
  open: OpenStore
  /** The mode of approval.json in a folder. */
  fileMode?: number | undefined
}

/** Writes approval.json into a pack. The audit trail is the record; false if the pack can't be written. */
export async function writeApprovalAt(
  { pack, open, fileMode }: ApprovedPack,
  act: ApprovalAct,
  acted: BooksActed,
): Promise<boolean> {
  if (!isObjectAddress(pack)) return writeApproval({ folder: pack, fileMode }, act, acted)
  return withBucket(open, async (bucket) => {
    const address = await resolved(bucket, withoutSlash(pack))
    return bucket.putText(`${address}/${APPROVAL}`, approvalText(act, acted))
  }).catch(() => false)
}
