/** Lists the backfills that a lake knows of, without a worker. */
import type { Settings } from '../domain/settings.ts'
import { recordedBackfills, type RecordedBackfill } from '../lake/decisions/backfill-log.ts'
import { readIfExists } from '../lake/connection/read-lake.ts'

/** Returns the newest first. The list is empty if there is no lake yet, or no backfill in it. */
export async function recordedBackfillsOf({
  lake,
  account,
}: Settings): Promise<RecordedBackfill[]> {
  return (await readIfExists(lake, (connection) => recordedBackfills(connection, account))) ?? []
}
