import type { Settings } from '../domain/settings.ts'
import { openLake } from '../lake/connection/open.ts'

/**
 * Returns the unexplained amount of a run in cents. The amount is the sum over the settlements of its range, without
 * sign, whose AMOUNT_MISMATCH is neither waived nor resolved. The lake is the source, because money must not travel
 * through Temporal.
 */
export async function unexplainedCents({ lake: where }: Settings, runId: string): Promise<bigint> {
  const lake = await openLake(where, { create: false })
  try {
    const connection = await lake.connect()
    const reader = await connection.runAndReadAll(
      `select coalesce(sum(abs(replace("unexplainedAmount", '.', '')::bigint)), 0)::varchar
       from lake.result.settlements
       where run_id = $1 and "unexplainedAmount" <> '' and "settlementId" in (
         select "subjectId" from lake.result.exceptions
         where run_id = $1 and code = 'AMOUNT_MISMATCH' and state in ('OPEN', 'ASSIGNED'))`,
      [runId],
    )
    return BigInt(String(reader.getRows()[0]?.[0]))
  } finally {
    lake.close()
  }
}
