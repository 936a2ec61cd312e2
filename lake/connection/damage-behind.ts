/** The damage that made a statement fail with a message that names no file. */
import { Failure } from '../../domain/failure.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { checkLake } from './check-lake.ts'
import { isUnreadable } from './lake-errors.ts'
import { openLake } from './open.ts'

/**
 * Checks every file of the lake after an unforeseen error, and returns lake_damaged if one differs from its record.
 * Undefined: the error has another cause.
 */
export async function damageBehind(
  settings: LakeSettings,
  error: unknown,
): Promise<Failure | undefined> {
  if (!isUnreadable(error)) return undefined
  try {
    const lake = await openLake(settings, { create: false, readOnly: true })
    try {
      await checkLake({ ...lake, isReadOnly: true }, await lake.connect())
    } finally {
      lake.close()
    }
  } catch (found) {
    if (found instanceof Failure && found.code === 'lake_damaged') return found
  }
  return undefined
}
