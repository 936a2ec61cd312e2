import type { Published } from '../activities/types.ts'
import type { Run } from '../domain/run.ts'
import { publish as publishActivity, rangeOf } from './activity-options.ts'

/** Writes the report pack of a reconciled run, whole or not at all. */
export async function publish(run: Run): Promise<Published> {
  return publishActivity.executeWithOptions({ summary: rangeOf(run.window) }, [run])
}
