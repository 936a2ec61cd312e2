/** Reads a lake that may not exist, without making it. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { openLake } from './open.ts'

/**
 * Returns the result of `work`; undefined if no lake can be opened. Throws lake_locked and
 * extension_missing.
 */
export async function readIfExists<T>(
  settings: LakeSettings,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T | undefined> {
  const options = { create: false, readOnly: true }
  const lake = await openLake(settings, options).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'lake_unreachable') return undefined
    throw error
  })
  if (lake === undefined) return undefined
  try {
    return await work(await lake.connect())
  } finally {
    lake.close()
  }
}
