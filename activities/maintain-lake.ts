import {
  AFTER_REWRITE,
  RETENTION,
  type Maintained,
  type MaintenanceOrder,
} from '../domain/maintenance.ts'
import type { KeyRing } from '../domain/settings.ts'
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
      if (backUpTo !== undefined) return backUp(lake, connection, { folder: backUpTo, signal })
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
