import {
  AFTER_ERASURE,
  RETENTION,
  type Maintained,
  type MaintenanceOrder,
} from '../domain/maintenance.ts'
import { backUp } from '../lake/maintenance/back-up.ts'
import { erase, hasRecentErasure } from '../lake/maintenance/erase.ts'
import { compact } from '../lake/maintenance/compact.ts'
import type { SharedLake } from './runtime/shared-lake.ts'

/**
 * Compacts the lake, copies it or erases a cardholder, as the order says; `onStep` receives each
 * step.
 */
export const createMaintainLake =
  (shared: SharedLake) =>
  (
    order: MaintenanceOrder,
    signal: AbortSignal,
    onStep: (step: string) => void,
  ): Promise<Maintained> =>
    shared.connected<Maintained>(async (lake, connection) => {
      const { backUpTo, erase: erasure } = order
      if (backUpTo !== undefined) return backUp(lake, connection, { folder: backUpTo, signal })
      if (erasure !== undefined) return erase(lake, connection, erasure)
      const isRecent = await hasRecentErasure(
        connection,
        RETENTION.snapshots_days + RETENTION.files_days,
      )
      return compact(lake, connection, {
        ...(isRecent ? AFTER_ERASURE : RETENTION),
        onStep,
      })
    }, signal)
