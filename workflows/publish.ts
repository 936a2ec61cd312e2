import type { Published, Run } from '../domain/run.ts'
import { heavy, rangeOf } from './activity-options.ts'

/** Writes the report pack of a reconciled run completely or not at all. */
export async function publish(run: Run): Promise<Published> {
  return heavy().publish.executeWithOptions({ summary: rangeOf(run.window) }, [run])
}
