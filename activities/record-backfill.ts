import type { BackfillEvent, BackfillRecorded } from '../domain/backfill.ts'
import type { Webhook } from '../domain/settings.ts'
import { appendBackfillEvent } from '../lake/decisions/backfill-log.ts'
import type { SharedLake } from './runtime/shared-lake.ts'
import { codeVersion } from '../lake/run/code-version.ts'

const HOUR_MS = 3_600_000

/** Writes one event of a backfill to the lake. Returns when the backfill is late. */
export const createRecordBackfill =
  (webhook: Webhook | undefined, shared: SharedLake) =>
  async (event: BackfillEvent): Promise<BackfillRecorded> => {
    await shared.connected((lake, connection) =>
      appendBackfillEvent(lake, connection, { ...event, codeVersion: codeVersion() }),
    )
    return webhook === undefined ? {} : { lateAfter_ms: webhook.lateAfter_hours * HOUR_MS }
  }
