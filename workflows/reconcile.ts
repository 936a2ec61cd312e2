import type { ReconcileResult, Run } from '../domain/run.ts'
import { heavy, rangeOf } from './activity-options.ts'

/** Recomputes every settlement from what is known, and stores the results. */
export async function reconcile(run: Run): Promise<ReconcileResult> {
  return heavy().reconcile.executeWithOptions({ summary: rangeOf(run.window) }, [run])
}
