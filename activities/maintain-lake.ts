import type { DuckDBConnection } from '@duckdb/node-api'
import {
  AFTER_REWRITE,
  RETENTION,
  type Maintained,
  type MaintenanceOrder,
} from '../domain/maintenance.ts'
import { Failure } from '../domain/failure.ts'
import type { KeyRing } from '../domain/settings.ts'
import { accountsWithKeys, keysInLake } from '../lake/landing/hash-key.ts'
import { backUp } from '../lake/maintenance/back-up.ts'
import { erase } from '../lake/maintenance/erase.ts'
import { hasRecentRewrite } from '../lake/maintenance/rewrite.ts'
import { rotateKey } from '../lake/maintenance/rotate-key.ts'
import { compact } from '../lake/maintenance/compact.ts'
import type { SharedLake } from './runtime/shared-lake.ts'

/**
 * Compacts the lake, copies it, erases a cardholder or rotates a hash key, as the order says. `keysOf` returns the keys
 * of an account; `onStep` receives each step.
 */
export const createMaintainLake =
  (shared: SharedLake, keysOf: (account: string) => KeyRing) =>
  (
    order: MaintenanceOrder,
    signal: AbortSignal,
    onStep: (step: string) => void,
  ): Promise<Maintained> =>
    shared.connected<Maintained>(async (lake, connection) => {
      const { backUpTo, erase: erasure, rotateKey: rotation } = order
      if (backUpTo !== undefined) {
        const copy = await backUp(lake, connection, { folder: backUpTo, signal })
        const otherKeyOf = await accountOfOtherKey(connection, keysOf)
        return otherKeyOf === undefined ? copy : { ...copy, otherKeyOf }
      }
      if (erasure !== undefined) return erase(lake, connection, erasure)
      if (rotation !== undefined) {
        const keys = keysOf(rotation.account)
        return rotateKey(lake, connection, { order: rotation, keys })
      }
      const isRecent = await hasRecentRewrite(
        connection,
        RETENTION.snapshots_days + RETENTION.files_days,
      )
      return compact(lake, connection, {
        ...(isRecent ? AFTER_REWRITE : RETENTION),
        onStep,
      })
    }, signal)

/**
 * Returns the first account of the lake whose hashes were made with another key than this worker has for it. Accounts
 * that the worker has no key for do not count.
 */
async function accountOfOtherKey(
  connection: DuckDBConnection,
  keysOf: (account: string) => KeyRing,
): Promise<string | undefined> {
  for (const account of await accountsWithKeys(connection)) {
    const keys = known(() => keysOf(account))
    if (keys === undefined) continue
    const isOther = await keysInLake(connection, account, keys).then(
      () => false,
      (error: unknown) => {
        if (error instanceof Failure && error.code === 'config_invalid') return true
        throw error
      },
    )
    if (isOther) return account
  }
  return undefined
}

function known<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
