/** The check that a worker hashes billing identities with the lake's key, once for each account. */
import { keyIdOf } from '../../api/record/keyed-hash.ts'
import type { Secret, Settings } from '../../domain/settings.ts'
import { refuseOtherKey } from '../../lake/landing/hash-key.ts'
import type { SharedLake } from './shared-lake.ts'

/** Throws config_invalid if the lake knows another key of the account. */
export type KeyCheck = (settings: Settings) => Promise<void>

export function keyCheck(shared: SharedLake, hashKey: (settings: Settings) => Secret): KeyCheck {
  const passed = new Set<string>()
  return async (settings) => {
    const { account } = settings
    if (passed.has(account)) return
    const keyId = keyIdOf(hashKey(settings))
    await shared.connected((lake, connection) =>
      refuseOtherKey(lake, connection, { account, keyId }),
    )
    passed.add(account)
  }
}
