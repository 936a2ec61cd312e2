/** The folder of fetched programs and extensions, for one user. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import { reasonOf } from '../../domain/reason.ts'
import { makeFolder } from './make-folder.ts'
import { isCheckout, packageRoot } from './package-root.ts'

const REMEDY = 'set TIEOUT_CACHE to a folder that you may write'

/**
 * Returns the folder of TIEOUT_CACHE, `.cache` in a checkout, or the user's cache folder as the system has it. Throws
 * config_invalid for a user without a home.
 */
export async function cacheFolder(): Promise<string> {
  const named = process.env['TIEOUT_CACHE'] ?? ''
  if (named !== '') return named
  if (isCheckout) return join(packageRoot, '.cache')
  try {
    // The library asks for the home when it is loaded, and fails without one.
    const { default: envPaths } = await import('env-paths')
    return envPaths('tieout', { suffix: '' }).cache
  } catch (cause) {
    throw new Failure(
      'config_invalid',
      'no cache folder is known, because this user has no home folder',
      {
        cause,
        remedy: REMEDY,
      },
    )
  }
}

/**
 * Makes a folder of the cache, and in it an empty one for a download under way. Returns the latter. Throws
 * config_invalid.
 */
export function scratchInCache(folder: string): string {
  try {
    makeFolder(folder)
    return mkdtempSync(join(folder, 'fetch-'))
  } catch (cause) {
    const what = `the cache ${folder} can't be written: ${reasonOf(cause)}`
    throw new Failure('config_invalid', what, { cause, remedy: REMEDY })
  }
}
