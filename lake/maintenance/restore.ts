/** Puts a backup in the place of a local lake, or into an empty catalog in PostgreSQL. */
import { constants, existsSync, readdirSync, statSync } from 'node:fs'
import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import type { Restored } from '../../domain/maintenance.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { isOfEnded, ownName } from '../connection/process-mark.ts'
import { asideAt, lastAside } from '../connection/set-aside.ts'
import { CATALOG_FILE, checkCopy, copyIn, lakeIn, PARQUET } from './back-up.ts'
import { lostActs } from './lost-acts.ts'
import { restoreShared, type RestoreOrder } from './restore-shared.ts'

/** The parts of a lake that a backup brings. */
const BROUGHT = [CATALOG_FILE, `${CATALOG_FILE}-wal`, PARQUET, 'hash.key']
/** The parts that belong to the earlier lake alone, such as the runs that Temporal knows. */
const LEFT = ['temporal', 'scratch', `${CATALOG_FILE}-shm`]

/**
 * Restores a backup whole or not at all. The caller is the only user of the lake. Throws usage for a folder without a
 * lake, and for a lake that is neither in one local folder nor in PostgreSQL. Throws lake_damaged for an incomplete
 * backup, and would_overwrite for a catalog in PostgreSQL that has a lake.
 */
export function restore(settings: LakeSettings, order: RestoreOrder): Promise<Restored> {
  const folder = resolve(settings.folder)
  refuseOther(settings, folder, order.backup)
  return settings.catalog.startsWith('postgres:')
    ? restoreShared(settings, order)
    : restoreLocal(settings, folder, order)
}

/**
 * Copies a backup, checks every file of the copy, and then gives it the name of the lake's folder. The earlier lake
 * stays beside it under another name, and its acts are compared with those of the copy. Files that are no part of a
 * lake, such as a config file, stay in the folder, which exists.
 */
async function restoreLocal(
  settings: LakeSettings,
  folder: string,
  { backup, now, signal }: RestoreOrder,
): Promise<Restored> {
  await removeLeftovers(folder)
  const fresh = `${folder}.${ownName()}.partial`
  await mkdir(fresh, { recursive: true, mode: 0o700 })
  try {
    for (const name of BROUGHT.filter((part) => existsSync(join(backup, part)))) {
      await copy(join(backup, name), join(fresh, name))
      signal?.throwIfAborted()
    }
    const { files, bytes } = await checkCopy(lakeIn(settings, fresh))
    const before = asideAt(folder, now)
    const earlier = earlierIn(settings, { folder, backup })
    for (const place of new Set([earlier ?? folder, folder])) {
      for (const name of await foreignIn(place)) await copy(join(place, name), join(fresh, name))
    }
    signal?.throwIfAborted()
    await exchange(folder, fresh, before)
    // A key without a lake stays, although nothing is known of its lake.
    if (!BROUGHT.some((part) => isFilled(join(before, part)))) await rm(before, { recursive: true })
    return {
      ...(await comparedWith(settings, folder, earlier === folder ? before : earlier)),
      ...{ folder, backup, files, bytes },
    }
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/** Compares only after the exchange, since a damaged lake must not stop its own restore. */
const comparedWith = async (
  settings: LakeSettings,
  folder: string,
  before: string | undefined,
): Promise<Pick<Restored, 'before' | 'lost'>> =>
  before === undefined
    ? {}
    : { before, lost: await lostActs(lakeIn(settings, before), lakeIn(settings, folder)) }

/** Deletes the copies of processes that ended before they could. They may hold the key of the hashes. */
async function removeLeftovers(folder: string): Promise<void> {
  const [above, start, end] = [dirname(folder), `${basename(folder)}.`, '.partial']
  for (const name of await readdir(above)) {
    if (!name.startsWith(start) || !name.endsWith(end)) continue
    if (!isOfEnded(name.slice(start.length, -end.length))) continue
    await rm(join(above, name), { recursive: true, force: true })
  }
}

/**
 * The folder of the earlier lake. If an interrupted restore has moved it aside already, it is the one moved last;
 * undefined if there was none.
 */
function earlierIn(
  settings: LakeSettings,
  { folder, backup }: { folder: string; backup: string },
): string | undefined {
  if ([CATALOG_FILE, PARQUET].some((part) => isFilled(join(folder, part)))) return folder
  const aside = lastAside(lakeIn(settings, folder))
  return aside === resolve(backup) ? undefined : aside
}

function isFilled(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && (!found.isDirectory() || readdirSync(path).length > 0)
}

/** Gives both folders their new names; without success the earlier lake is in its place. */
async function exchange(folder: string, fresh: string, before: string): Promise<void> {
  await rename(folder, before)
  try {
    await rename(fresh, folder)
  } catch (error) {
    await rename(before, folder)
    throw error
  }
}

const copy = (from: string, to: string) =>
  cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE })

const foreignIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => ![...BROUGHT, ...LEFT].includes(name))

function refuseOther({ catalog, data }: LakeSettings, folder: string, backup: string): void {
  const own = copyIn(folder)
  const isLocal = catalog === own.catalog && resolve(data) === own.data
  if (!isLocal && !catalog.startsWith('postgres:')) {
    throw new Failure(
      'usage',
      'tieout can only restore a lake that lies in one local folder, or in PostgreSQL',
    )
  }
  if (existsSync(join(backup, CATALOG_FILE)) && resolve(backup) !== folder) return
  throw new Failure('usage', `${backup} is not a backup of a lake`, {
    remedy: 'name a folder that tieout maintain --backup has made',
  })
}
