/** The damage that made a statement fail with a message that names no file. */
import { Failure } from '../../domain/failure.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { checkRecorded } from './check-lake.ts'
import { readIfExists } from './read-lake.ts'

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
