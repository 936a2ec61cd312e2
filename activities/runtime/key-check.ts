/** The early check that a worker hashes billing identities with the lake's keys. Each landing repeats it. */
import type { KeyRing, Settings } from '../../domain/settings.ts'
import { checkCatalog } from '../../lake/connection/check-lake.ts'
import { refuseOtherKeys } from '../../lake/landing/hash-key.ts'
import type { SharedLake } from './shared-lake.ts'

/** Throws config_invalid if the lake knows other keys of the account, and returns the account's keys. */
export type KeyCheck = (settings: Settings) => Promise<KeyRing>

export const keyCheck =
  (shared: SharedLake, hashKeys: (settings: Settings) => KeyRing): KeyCheck =>
  async (settings) => {
    const keys = hashKeys(settings)
    await shared.connected(async (lake, connection) => {
      await checkCatalog(connection, lake.settings.data)
      await refuseOtherKeys(connection, settings.account, keys)
    })
    return keys
  }
