/** Folders as a person names them: the one that is named is the one that is made, or it is refused before anything is. */
import { resolve } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import type { Chosen } from './options.ts'

/** Of a text that names a folder of this machine. Undefined: nothing is wrong. */
export function folderFault(text: string): string | undefined {
  if (text.includes('://')) return 'is an address and no folder'
  if (text.includes('\0')) return 'holds a character that no path may hold'
  // DuckDB takes it for a slash on every system, and would write elsewhere.
  if (process.platform !== 'win32' && resolve(text).includes('\\')) {
    return 'leads through a name with a backslash, which DuckDB takes for a slash'
  }
  return undefined
}

/** The folder that was named, as a whole path. Throws config_invalid naming where it was said; `variable` where nobody did. */
export function checkedFolder({ value, name }: Pick<Chosen, 'name' | 'value'>, variable: string) {
  const fault = folderFault(value)
  if (fault === undefined) return resolve(value)
  throw new Failure('config_invalid', `${name === '' ? variable : name} ${fault}`, {
    remedy: 'name another folder and run the command again',
  })
}
