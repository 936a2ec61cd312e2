/**
 * Packs in an object store. A pack is there once its manifest.json is, which is written last and never over another.
 * The object `latest` holds the name of a pack.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Failure, reworded } from '../../domain/failure.ts'
import type { OpenStore } from '../../domain/settings.ts'
import { isPackName, latestOf, packNameOf } from '../pack/latest-link.ts'
import type { MadePack, PackTarget } from '../pack/pack-target.ts'
import { openBucket, type Bucket } from './bucket.ts'
import { makeScratch } from './scratch-folder.ts'

const MANIFEST = 'manifest.json'
/** Longer than any name of a pack. */
export const MOST_NAME_BYTES = 200

export const storeTarget = (open: OpenStore): PackTarget => {
  const using = <T>(work: (bucket: Bucket) => Promise<T>) => withBucket(open, work)
  return {
    manifestAt: (pack) => using((bucket) => bucket.text(`${pack}/${MANIFEST}`)),
    refuseForeignLatest: (pack) =>
      using(async (bucket) => {
        const latest = latestOf(pack)
        const text = await bucket.text(latest, MOST_NAME_BYTES)
        if (text === undefined || isPackName(text)) return
        throw new Failure('would_overwrite', `${latest} is not an object that tieout made`, {
          remedy: 'move it away, then run the same command again',
        })
      }),
    begin: () => makeScratch('pack'),
    publish: (pack, made, signal) => using((bucket) => publish(bucket, { pack, ...made }, signal)),
    withdraw: (pack) => using((bucket) => withdraw(bucket, pack)),
    latestBeside: (pack) => using((bucket) => bucket.text(latestOf(pack), MOST_NAME_BYTES)),
    pointLatestAt: (pack) =>
      using(async (bucket) => {
        const [latest, name] = [latestOf(pack), packNameOf(pack)]
        if ((await bucket.text(latest, MOST_NAME_BYTES)) !== name)
          await bucket.putText(latest, name)
      }),
    firstPack: (packs) =>
      using(async (bucket) => {
        for (const pack of packs) {
          if ((await bucket.hashOf(`${pack}/${MANIFEST}`)) !== undefined) return pack
        }
        return undefined
      }),
  }
}

/** Runs `work` with a connection of its own to the store. */
export async function withBucket<T>(
  open: OpenStore,
  work: (bucket: Bucket) => Promise<T>,
): Promise<T> {
  const bucket = await openBucket(open())
  try {
    return await work(bucket)
  } finally {
    bucket.close()
  }
}

/** Removes the manifest first, after which there is no pack. The failure names each object that is left. */
async function withdraw(bucket: Bucket, pack: string): Promise<void> {
  await bucket.remove(`${pack}/${MANIFEST}`)
  const failed: Failure[] = []
  for await (const name of bucket.list(pack)) {
    await bucket.remove(`${pack}/${name}`).catch((error: Failure) => void failed.push(error))
  }
  const [first] = failed
  if (first === undefined) return
  throw reworded(first, failed.map(({ message }) => message).join('; '), first)
}

interface Publishing extends MadePack {
  pack: string
}

/** A failure leaves objects without a manifest, which are no pack. The next attempt replaces them. */
async function publish(bucket: Bucket, made: Publishing, signal?: AbortSignal): Promise<void> {
  await refusePublished(bucket, made.pack)
  await removeLeftovers(bucket, made)
  for (const file of made.files) {
    await putFile(bucket, made, { ...file, signal }).catch((error: unknown) => {
      signal?.throwIfAborted()
      throw error
    })
  }
  const manifest = await readFile(join(made.made, MANIFEST), 'utf8')
  // Lets a pending Ctrl-C take effect first.
  await nextTurn()
  signal?.throwIfAborted()
  const isFirst = await bucket.putText(`${made.pack}/${MANIFEST}`, manifest, { isNew: true })
  if (!isFirst) throw exists(made.pack)
}

async function refusePublished(bucket: Bucket, pack: string): Promise<void> {
  if ((await bucket.hashOf(`${pack}/${MANIFEST}`)) !== undefined) throw exists(pack)
}

/** Removes what an attempt without a manifest has left, if this one does not write it. */
async function removeLeftovers(bucket: Bucket, { pack, files }: Publishing): Promise<void> {
  const ours = new Set(files.map(({ name }) => name))
  for await (const name of bucket.list(pack)) {
    if (name !== MANIFEST && !ours.has(name)) await bucket.remove(`${pack}/${name}`)
  }
}

interface Sent {
  name: string
  sha256: string
  signal: AbortSignal | undefined
}

/** Replaces another content only while there is no manifest. Attempts at one run have the same content. */
async function putFile(
  bucket: Bucket,
  { pack, made }: Publishing,
  { name, sha256, signal }: Sent,
): Promise<void> {
  const address = `${pack}/${name}`
  const file = { path: join(made, name), sha256 }
  if (await bucket.putFile(address, file, { isNew: true, signal })) return
  if ((await bucket.hashOf(address)) === sha256) return
  await refusePublished(bucket, pack)
  await bucket.putFile(address, file, { signal })
}

const exists = (pack: string) => new Failure('would_overwrite', `the pack ${pack} exists already`)
