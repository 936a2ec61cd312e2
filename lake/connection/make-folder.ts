/** Folders for their owner alone. */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import { reasonOf } from '../../domain/reason.ts'

/**
 * Makes a folder and those above it. Node's own way to do so tries for ever where a system has no place for folders, such
 * as /proc. Throws what the system says.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  const above = dirname(folder)
  if (above !== folder) makeFolder(above)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process made it meanwhile.
    if (!existsSync(folder)) throw error
  }
}

/** The same of a folder of fetched programs. Throws config_invalid. */
export function prepareCache(folder: string): void {
  try {
    makeFolder(folder)
  } catch (cause) {
    throw new Failure('config_invalid', `the cache ${folder} can't be made: ${reasonOf(cause)}`, {
      cause,
      remedy: 'set TIEOUT_CACHE to a folder that you may write',
    })
  }
}
