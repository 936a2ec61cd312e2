/** Reads a lake without making one. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { openLake } from './open.ts'
import type { Lake } from './lake.ts'

type Work<T> = (connection: DuckDBConnection, lake: Lake) => Promise<T>

/** Returns the result of `work`. Throws the failures of opening a lake, such as lake_unreachable if there is none. */
export const readLake = async <T>(settings: LakeSettings, work: Work<T>): Promise<T> =>
  closing(await openLake(settings, { create: false }), work)

/**
 * Returns the result of `work`; undefined if no lake can be opened. Throws lake_locked and
 * extension_missing.
 */
export async function readIfExists<T>(
  settings: LakeSettings,
  work: Work<T>,
): Promise<T | undefined> {
  const options = { create: false, readOnly: true }
  const lake = await openLake(settings, options).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'lake_unreachable') return undefined
    throw error
  })
  return lake === undefined ? undefined : closing(lake, work)
}

async function closing<T>(lake: Lake, work: Work<T>): Promise<T> {
  try {
    return await work(await lake.connect(), lake)
  } finally {
    lake.close()
  }
}
