/** Makes the folder of a pack. The folder appears whole, by a rename, and never replaces another. */
import { renameSync } from 'node:fs'
import { chmod, lstat, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDate } from '../../domain/business-day.ts'
import { Failure } from '../../domain/failure.ts'
import { attemptAt, deleteAttempts, deleteOld } from '../../domain/leftovers.ts'
import { reasonOf, systemCode } from '../../domain/reason.ts'
import { isObjectAddress, withoutSlash } from '../../domain/object-address.ts'
import { folderMode, OWN_FILES } from './modes.ts'
import type { Window } from '../../domain/run.ts'
import type { OpenStore } from '../../domain/settings.ts'

export interface PackPlace {
  account: string
  window: Window
  runId: string
  /** Folder, or address of an object store. */
  out: string
  /** The store of such an address. */
  packStore?: OpenStore
  /** The mode of files in a folder; absent: for the owner alone. */
  packMode?: number
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/
const PARTIAL = /^\..+\.partial$/

/**
 * Returns the folder or address of a finished pack: OUT/account/from_to/runId. Throws config_invalid for a name that
 * could leave OUT.
 */
export function packFolder(place: PackPlace): string {
  const { account, runId, window } = place
  for (const [what, name] of Object.entries({ account, runId })) {
    if (NAME.test(name)) continue
    throw new Failure(
      'config_invalid',
      `${what} can't name a folder: it may hold only letters, digits, . _ -, at most 80 of them`,
    )
  }
  if (!isDate(window.from) || !isDate(window.to)) {
    throw new Failure('config_invalid', 'the range of a pack is two dates, YYYY-MM-DD')
  }
  if (isObjectAddress(place.out)) {
    return `${withoutSlash(place.out)}/${account}/${window.from}_${window.to}/${runId}`
  }
  const out = resolve(place.out)
  const folder = join(out, account, `${window.from}_${window.to}`, runId)
  if (!folder.startsWith(out + sep)) {
    throw new Failure('config_invalid', 'the pack would lie outside the output folder')
  }
  return folder
}

/** The manifest in a folder, empty if it has none; undefined if there is nothing. */
export async function folderManifest(folder: string): Promise<string | undefined> {
  if ((await stat(folder).catch(() => undefined)) === undefined) return undefined
  return readFile(join(folder, 'manifest.json'), 'utf8').catch(() => '')
}

const hiddenBeside = (folder: string): string => join(dirname(folder), `.${basename(folder)}`)

/** A hidden name of its own beside a pack, for what is not complete. A later report deletes it if it stays. */
export const partialBeside = (folder: string): string => attemptAt(hiddenBeside(folder))

/** Makes the hidden folder in which a pack is written, beside its final place. */
export async function createPartial(folder: string, fileMode = OWN_FILES): Promise<string> {
  const mode = folderMode(fileMode)
  const range = dirname(folder)
  const account = dirname(range)
  try {
    await makeFolder(dirname(account), mode)
    for (const path of [account, range]) {
      await makeFolder(path, mode)
      if (!(await lstat(path)).isDirectory()) {
        throw new Failure(
          'config_invalid',
          `${path} is not a folder, perhaps a link; tieout writes no packs there`,
        )
      }
    }
    await removeLeftovers(account)
    const partial = partialBeside(folder)
    await makeFolder(partial)
    return partial
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    const out = dirname(account)
    throw new Failure(
      'config_invalid',
      `the output folder ${out} can't be written: ${reasonOf(cause)}`,
      {
        cause,
        remedy: 'choose another --out',
      },
    )
  }
}

/**
 * Creates a folder with its mode under any umask, by default for its owner alone, and the folders above it. An existing
 * one stays as it is. Node's own function never ends for a path without room for folders, such as /proc.
 */
export async function makeFolder(path: string, mode = 0o700): Promise<void> {
  if (await isFolder(path)) return
  const above = dirname(path)
  if (above !== path) await makeFolder(above, mode)
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it at the same time.
    if (await isFolder(path)) return
    throw error
  }
  await chmod(path, mode)
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true

/**
 * Publishes the pack: syncs all files to disk, then renames once. Throws would_overwrite, and the
 * signal's reason.
 */
export async function publish(
  partial: string,
  folder: string,
  signal?: AbortSignal,
): Promise<void> {
  await syncAll(partial)
  // Lets a pending Ctrl-C take effect first. No other can interrupt the process between the check and the rename.
  await nextTurn()
  signal?.throwIfAborted()
  try {
    renameSync(partial, folder)
  } catch (cause) {
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(systemCode(cause) ?? '')) throw cause
    throw new Failure('would_overwrite', `the pack ${folder} exists already`, { cause })
  }
  try {
    await syncPath(dirname(folder))
  } catch (error) {
    await withdrawPack(folder)
    throw error
  }
  await deleteAttempts(hiddenBeside(folder))
}

/** Deletes a pack that no command may find: it first gets a hidden name, so that it is whole or absent. */
export async function withdrawPack(folder: string): Promise<void> {
  const hidden = partialBeside(folder)
  renameSync(folder, hidden)
  await rm(hidden, { recursive: true, force: true })
}

/** Deletes hidden folders that killed runs left more than a day ago. */
async function removeLeftovers(account: string): Promise<void> {
  for (const folder of [account, ...(await foldersIn(account))]) {
    await deleteOld(folder, PARTIAL)
  }
}

async function foldersIn(account: string): Promise<string[]> {
  const entries = await readdir(account, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory() && !PARTIAL.test(entry.name))
    .map((entry) => join(account, entry.name))
}

async function syncAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await syncAll(path)
    else await syncPath(path)
  }
  await syncPath(folder)
}

export async function syncPath(path: string): Promise<void> {
  // Windows can't open a folder; its renames are journalled.
  if (process.platform === 'win32' && (await lstat(path)).isDirectory()) return
  const handle = await open(path, process.platform === 'win32' ? 'r+' : 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
