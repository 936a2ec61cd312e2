import type { Settings } from '../domain/settings.ts'
import { readTrail } from '../lake/decisions/audit-trail.ts'
import { periodsIn, type PeriodState } from '../lake/decisions/periods-and-exports.ts'
import { readLake } from '../lake/connection/read-lake.ts'

/** Returns every period that was closed or reopened, in order. Throws trail_broken. */
export const listPeriods = ({ lake, account }: Settings): Promise<PeriodState[]> =>
  readLake(lake, async (connection) => periodsIn(await readTrail(connection), account))
