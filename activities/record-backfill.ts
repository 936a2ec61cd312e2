import type { BackfillEvent } from '../domain/backfill.ts'
import { appendBackfillEvent } from '../lake/backfills.ts'
import type { SharedLake } from './shared-lake.ts'

/** Writes one event of a backfill to the lake. */
export const createRecordBackfill =
  (shared: SharedLake) =>
  (event: BackfillEvent): Promise<void> =>
    shared.connected((lake, connection) => appendBackfillEvent(lake, connection, event))
