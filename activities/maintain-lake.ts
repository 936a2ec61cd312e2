import { RETENTION, type Maintained, type MaintenanceOrder } from '../domain/maintenance.ts'
import { backUp } from '../lake/back-up.ts'
import { tidy } from '../lake/tidy.ts'
import type { SharedLake } from './shared-lake.ts'

/** Tidies the lake, or copies it where the order names a folder; `seen` hears of each step. */
export const createMaintainLake =
  (shared: SharedLake) =>
  (
    { backUpTo }: MaintenanceOrder,
    signal: AbortSignal,
    seen: (step: string) => void,
  ): Promise<Maintained> =>
    shared.connected<Maintained>(
      (lake, connection) =>
        backUpTo === undefined
          ? tidy(connection, RETENTION, seen)
          : backUp(lake, connection, { folder: backUpTo, signal }),
      signal,
    )
