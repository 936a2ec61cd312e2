/** Reads a lake without making one. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { checkRecorded } from './check-lake.ts'
import { isUnreadable, lakeFailure } from './lake-errors.ts'
import { isThere, NoLake, openLake, type OpenOptions } from './open.ts'
import type { Lake } from './lake.ts'

type Work<T> = (connection: DuckDBConnection, lake: Lake) => Promise<T>

/**
 * Returns the result of `work`. `say` receives what the work waits for. Throws the failures of opening a lake, such as
 * lake_unreachable if there is none. Throws lake_damaged in place of an unforeseen error of DuckDB that a changed file
 * explains.
 */
export const readLake = <T>(
  settings: LakeSettings,
  work: Work<T>,
  say: (line: string) => void = () => {},
): Promise<T> =>
  withLake(settings, { create: false, say }, work).catch(async (error: unknown) => {
    if (error instanceof Failure && error.code !== 'bug') throw error
    const failure = lakeFailure(error)
    // A full disk or a store that does not answer is no reason to read all files.
    const mayBeDamage =
      failure?.code === 'lake_damaged' || (failure === undefined && isUnreadable(error))
    throw (mayBeDamage ? await damageIn(settings) : undefined) ?? failure ?? error
  })

/**
 * Checks every file of the lake after an unforeseen error, and returns lake_damaged if one differs from its record.
 * Undefined: the error has another cause.
 */
export const damageIn = (settings: LakeSettings): Promise<Failure | undefined> =>
  readIfExists(settings, (connection) => checkRecorded(connection, settings.data)).then(
    () => undefined,
    (found: unknown) =>
      found instanceof Failure && found.code === 'lake_damaged' ? found : undefined,
  )

/**
 * Returns the result of `work`; undefined if there is no lake. Throws the other failures of opening a lake, such as
 * lake_unreachable for one that a restore has moved aside.
 */
export async function readIfExists<T>(
  settings: LakeSettings,
  work: Work<T>,
): Promise<T | undefined> {
  if (!isThere(settings)) return undefined
  return withLake(settings, { create: false, readOnly: true }, work).catch((error: unknown) => {
    if (error instanceof NoLake) return undefined
    throw error
  })
}

/** Returns the result of `work` on a lake that is open only for it. */
export async function withLake<T>(
  settings: LakeSettings,
  options: OpenOptions,
  work: Work<T>,
): Promise<T> {
  const lake = await openLake(settings, options)
  try {
    return await work(await lake.connect(), lake)
  } finally {
    lake.close()
  }
}
