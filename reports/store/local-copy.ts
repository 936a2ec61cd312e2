/** Reads packs from an object store: a pack becomes a local copy for its owner alone, then it is read like any other. */
import { rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isObjectAddress, packAddressFault, withoutSlash } from '../../domain/object-address.ts'
import { Failure } from '../../domain/failure.ts'
import type { OpenStore } from '../../domain/settings.ts'
import { isPackName } from '../pack/latest-link.ts'
import { altered } from '../pack/read-manifest.ts'
import type { Bucket } from './bucket.ts'
import { makeScratch } from './scratch-folder.ts'
import { MOST_NAME_BYTES, withBucket } from './store-target.ts'

export interface LocalPack {
  folder: string
  /** The address without `latest`; absent for a pack in a folder. */
  address?: string
}

/**
 * Runs `work` with the folder of a pack, which may lie at an address such as `s3://bucket/prefix/account/latest`.
 * Throws usage if there is no pack, and store_unreachable.
 */
export async function withLocalPack<T>(
  pack: string,
  open: OpenStore,
  work: (pack: LocalPack) => Promise<T>,
): Promise<T> {
  if (!isObjectAddress(pack)) return work({ folder: pack })
  const fault = packAddressFault(pack)
  if (fault !== undefined) throw new Failure('usage', `${pack} ${fault}`)
  const folder = await makeScratch('copy')
  const remove = () => rmSync(folder, { recursive: true, force: true })
  // Ctrl-C ends the process while the copy is read.
  process.once('exit', remove)
  try {
    const address = await withBucket(open, async (bucket) => {
      const found = await resolved(bucket, withoutSlash(pack))
      await copy(bucket, found, folder)
      return found
    })
    return await work({ folder, address })
  } finally {
    process.off('exit', remove)
    remove()
  }
}

/** The address of the pack itself: `latest` is an object with its name. */
export async function resolved(bucket: Bucket, pack: string): Promise<string> {
  if (!pack.endsWith('/latest')) return pack
  const name = await bucket.text(pack, MOST_NAME_BYTES)
  if (name === undefined) return pack
  if (isPackName(name)) return `${dirname(pack)}/${name.trim()}`
  throw new Failure('usage', `${pack} is not an object that tieout made`)
}

async function copy(bucket: Bucket, pack: string, folder: string): Promise<void> {
  // An address above the packs would bring all of them.
  if ((await bucket.hashOf(`${pack}/manifest.json`)) === undefined) {
    const isPart = (await bucket.hashOf(`${pack}/settlements.csv`)) !== undefined
    throw isPart ? altered('manifest.json', 'is missing') : noPack(pack)
  }
  for await (const name of bucket.list(pack)) {
    // Such a name could lead out of the folder, and no pack has one.
    if (name.split('/').some((part) => ['', '.', '..'].includes(part)) || name.includes('\\')) {
      throw altered('manifest.json', "doesn't list an object with an empty part or .. in its name")
    }
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await bucket.getFile(`${pack}/${name}`, path)
  }
}

const noPack = (pack: string) =>
  new Failure('usage', `${pack} is not a pack: it has no manifest.json`, {
    remedy: 'name the address of a pack, such as s3://bucket/prefix/default/latest',
  })
