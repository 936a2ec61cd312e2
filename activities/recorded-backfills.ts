/** The backfills that a lake knows of, without a worker. */
import { Failure } from '../domain/failure.ts'
import type { Settings } from '../domain/settings.ts'
import { recordedBackfills, type RecordedBackfill } from '../lake/backfills.ts'
import { openLake } from '../lake/open.ts'

/** Newest first; none where there is no lake yet, or one that no backfill has ever been recorded in. */
export async function recordedBackfillsOf(settings: Settings): Promise<RecordedBackfill[]> {
  const lake = await openLake(settings.lake, { create: false, readOnly: true }).catch(
    (error: unknown) => {
      if (error instanceof Failure && error.code === 'lake_unreachable') return undefined
      throw error
    },
  )
  if (lake === undefined) return []
  try {
    return await recordedBackfills(await lake.connect(), settings.account)
  } finally {
    lake.close()
  }
}
