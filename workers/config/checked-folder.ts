/** A check of folder names, before anything is made: the named folder is the one that is used. */
import { resolve } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import { isObjectAddress, packAddressFault, withoutSlash } from '../../domain/object-address.ts'
import { nameOf, type Chosen } from './options.ts'

/** Names the fault of a text as a local folder; undefined if there is none. */
export function folderFault(text: string): string | undefined {
  if (text.includes('://')) return 'is an address, not a folder'
  if (text.includes('\0')) return 'holds a character that paths may not hold'
  // DuckDB reads it as a slash on every system, and would write elsewhere.
  if (process.platform !== 'win32' && resolve(text).includes('\\')) {
    return 'has a name with a backslash in it, which DuckDB reads as a slash'
  }
  return undefined
}

/** Returns the place of packs: a folder as a whole path, or an address of an object store. Throws config_invalid. */
export function checkedOut(given: Pick<Chosen, 'name' | 'value'>, variable: string): string {
  const { value } = given
  const isForeign = value.includes('://') && !isObjectAddress(value)
  if (!isObjectAddress(value) && !isForeign) return checkedFolder(given, variable)
  const fault = isForeign ? 'is neither a folder nor s3://…' : packAddressFault(value)
  if (fault === undefined) return withoutSlash(value)
  throw new Failure('config_invalid', `${nameOf(given, variable)} ${fault}`)
}

/**
 * Returns the named folder as a whole path. Throws config_invalid with the origin of the name, or
 * with `variable` for a default.
 */
export function checkedFolder(given: Pick<Chosen, 'name' | 'value'>, variable: string) {
  const fault = folderFault(given.value)
  if (fault === undefined) return resolve(given.value)
  throw new Failure('config_invalid', `${nameOf(given, variable)} ${fault}`, {
    remedy: 'name another folder and run the command again',
  })
}
