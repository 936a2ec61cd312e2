import type { BackfillEvent } from '../domain/backfill.ts'
import { appendBackfillEvent } from '../lake/decisions/backfill-log.ts'
import type { SharedLake } from './runtime/shared-lake.ts'
import { codeVersion } from '../lake/run/code-version.ts'

/** Writes one event of a backfill to the lake. */
export const createRecordBackfill =
  (shared: SharedLake) =>
  (event: BackfillEvent): Promise<void> =>
    shared.connected((lake, connection) =>
      appendBackfillEvent(lake, connection, { ...event, codeVersion: codeVersion() }),
    )
