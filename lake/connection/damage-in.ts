/** The damage that made a statement fail with a message that names no file. */
import { Failure } from '../../domain/failure.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { checkRecorded } from './check-lake.ts'
import { openLake } from './open.ts'

/**
 * Checks every file of the lake after an unforeseen error, and returns lake_damaged if one differs from its record.
 * Undefined: the error has another cause.
 */
export async function damageIn(settings: LakeSettings): Promise<Failure | undefined> {
  try {
    const lake = await openLake(settings, { create: false, readOnly: true })
    try {
      await checkRecorded(await lake.connect(), settings.data)
    } finally {
      lake.close()
    }
  } catch (found) {
    if (found instanceof Failure && found.code === 'lake_damaged') return found
  }
  return undefined
}
