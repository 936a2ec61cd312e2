/** The early check that a worker hashes billing identities with the lake's keys. Each landing repeats it. */
import type { KeyRing, Settings } from '../../domain/settings.ts'
import { checkCatalog } from '../../lake/connection/check-lake.ts'
import { refuseOtherKeys } from '../../lake/landing/hash-key.ts'
import type { SharedLake } from './shared-lake.ts'

/**
 * Returns the account's keys. Throws config_invalid if the lake knows others, and lake_damaged. A sweep that has begun
 * with this check asks for the keys alone (`hasBegun`).
 */
export type KeyCheck = (settings: Settings, hasBegun?: boolean) => Promise<KeyRing>

export const keyCheck =
  (shared: SharedLake, hashKeys: (settings: Settings) => KeyRing): KeyCheck =>
  async (settings, hasBegun = false) => {
    const keys = hashKeys(settings)
    if (hasBegun) return keys
    await shared.connected(async (lake, connection) => {
      await checkCatalog(connection, lake.settings.data, lake.say)
      await refuseOtherKeys(connection, settings.account, keys)
    })
    return keys
  }
