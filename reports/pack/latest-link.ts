/**
 * The link OUT/<account>/latest, which names a pack. It is relative. On Windows, where links need rights, it is a text
 * file with the same content.
 */
import { lstat, readFile, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import { systemCode } from '../../domain/reason.ts'
import { syncPath } from './pack-folder.ts'

const PACK_NAME = /^\d{4}-\d{2}-\d{2}_\d{4}-\d{2}-\d{2}[\\/][A-Za-z0-9._-]+$/

const accountOf = (folder: string) => dirname(dirname(folder))
const linkOf = (folder: string) => join(accountOf(folder), 'latest')

/** The address of `latest` beside a pack in an object store. */
export const latestOf = (pack: string): string => `${accountOf(pack)}/latest`

/** True for the text of a `latest` that is no link. */
export const isPackName = (text: string): boolean => PACK_NAME.test(text.trim())

/** The name of a pack as `latest` has it: `<from>_<to>/<runId>`. */
export const packNameOf = (folder: string): string => relative(accountOf(folder), folder)

/** Throws would_overwrite if something of another program stands where the link of this pack would go. */
export async function refuseForeignLatest(folder: string): Promise<void> {
  const link = linkOf(folder)
  if (await isOurs(link)) return
  throw new Failure('would_overwrite', `${link} is not a link that tieout made`, {
    remedy: 'move it away, then run the same command again',
  })
}

async function isOurs(link: string): Promise<boolean> {
  const found = await lstat(link).catch(() => undefined)
  if (found === undefined || found.isSymbolicLink()) return true
  return found.isFile() && isPackName(await readFile(link, 'utf8'))
}

/** Returns the name that the link beside this pack has; undefined without a link. */
export async function latestBeside(folder: string): Promise<string | undefined> {
  const link = linkOf(folder)
  const text = process.platform === 'win32' ? readFile(link, 'utf8') : readlink(link)
  return text.catch(() => undefined)
}

/** Points `latest` at a pack, in one step. Throws the system's error, and then `latest` is as it was. */
export async function pointLatestAt(folder: string): Promise<void> {
  const link = linkOf(folder)
  const target = packNameOf(folder)
  if ((await latestBeside(folder)) === target) return
  // Each attempt at a run has the same name for it, so that the next one uses the link that a killed one left.
  const next = join(accountOf(folder), `.latest.${basename(folder)}.partial`)
  try {
    if (process.platform === 'win32') await writeFile(next, target, { mode: 0o600 })
    else await symlink(target, next).catch(unless('EEXIST'))
    // Another attempt at the same run may have renamed it meanwhile.
    await rename(next, link).catch(unless('ENOENT'))
  } catch (error) {
    await rm(next, { force: true })
    throw error
  }
  await syncPath(accountOf(folder))
}

const unless =
  (code: string) =>
  (error: unknown): void => {
    if (systemCode(error) !== code) throw error
  }

/** Returns the first folder that exists, or undefined. */
export async function firstPack(folders: Iterable<string>): Promise<string | undefined> {
  for (const folder of folders) {
    const found = await stat(folder).catch(() => undefined)
    if (found?.isDirectory() === true) return folder
  }
  return undefined
}
