import type { Settings } from '../domain/settings.ts'
import { readTrail } from '../lake/decisions/audit-trail.ts'
import { periodsIn, type PeriodState } from '../lake/decisions/periods-and-exports.ts'
import { openLake } from '../lake/connection/open.ts'

/** Returns every period that was closed or reopened, in order. Throws trail_broken. */
export async function listPeriods(settings: Settings): Promise<PeriodState[]> {
  const lake = await openLake(settings.lake, { create: false })
  try {
    return periodsIn(await readTrail(await lake.connect()), settings.account)
  } finally {
    lake.close()
  }
}
