/**
 * Remembers that a program or an extension passed its check, since the check takes as long as a short command. The line
 * beside the file holds as long as the system reports no change of the file. Another user can't have written it.
 */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isOwn, isOwnFolder } from './file-owner.ts'

/** True if the file passed this check, and has not changed since. */
export function isRemembered(file: string, check: string): boolean {
  return existsSync(file) && isClosed(file) && textOf(lineFile(file)) === lineOf(file, check)
}

/** True if only this user and root can put a file beside this one. */
const isClosed = (file: string) =>
  isOwnFolder(dirname(file)) && (statSync(dirname(file)).mode & GROUP_WRITES) === 0

const GROUP_WRITES = 0o020

/** Checks the file, and remembers it if it passes. Returns whether it passes. */
export async function rememberCheck(
  file: string,
  check: string,
  passes: () => Promise<boolean>,
): Promise<boolean> {
  const before = existsSync(file) ? lineOf(file, check) : undefined
  if (!(await passes())) return false
  // The file that passed may have been exchanged meanwhile. Another user's folder may lead the line to any file.
  if (before === undefined || lineOf(file, check) !== before || !isClosed(file)) return true
  try {
    writeFileSync(lineFile(file), before, { mode: 0o644 })
  } catch {
    // The file is checked each time if the folder is read-only.
  }
  return true
}

const lineFile = (file: string) => `${file}.checked`

/** The text of a file of this user or of root; undefined without one. */
const textOf = (file: string): string | undefined =>
  existsSync(file) && isOwn(statSync(file)) ? readFileSync(file, 'utf8') : undefined

/** Differs after each change of the file, because no program can set its change time. */
function lineOf(file: string, check: string): string {
  const { size, ino, ctimeNs } = statSync(file, { bigint: true })
  return `${check} ${size} ${ino} ${ctimeNs}\n`
}
