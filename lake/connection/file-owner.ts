/** The files that a command trusts although no person named them: those of its user and of root. */
import { statSync, type Stats } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Failure } from '../../domain/failure.ts'

const OTHERS_WRITE = 0o002

/** True for a file or folder of this user or of root. Always true on Windows, which has no such owners. */
export const isOwn = ({ uid }: Pick<Stats, 'uid'>): boolean =>
  process.getuid === undefined || uid === 0 || uid === process.getuid()

/** True for a folder of this user or of root in which no other user can put a file. */
export function isOwnFolder(folder: string): boolean {
  const stat = statSync(folder)
  return isOwn(stat) && (process.platform === 'win32' || (stat.mode & OTHERS_WRITE) === 0)
}

/**
 * Refuses a config file that no person named, and that another user put into the current folder. Such a file may send
 * the credentials to an address of that user. Throws config_invalid.
 */
export function refuseForeignConfig(file: string): void {
  if (isOwn(statSync(file)) || isOwnFolder(dirname(resolve(file)))) return
  throw new Failure('config_invalid', `${file} in this folder belongs to another user`, {
    remedy: `if you trust that user, name the file with --config ${file}`,
  })
}
