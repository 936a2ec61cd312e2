/** The backfills that a lake knows of, without a worker. */
import type { Settings } from '../domain/settings.ts'
import { recordedBackfills, type RecordedBackfill } from '../lake/decisions/backfill-log.ts'
import { readIfExists } from '../lake/connection/read-if-exists.ts'

/** Newest first; none where there is no lake yet, or one that no backfill has ever been recorded in. */
export async function recordedBackfillsOf({
  lake,
  account,
}: Settings): Promise<RecordedBackfill[]> {
  return (await readIfExists(lake, (connection) => recordedBackfills(connection, account))) ?? []
}
