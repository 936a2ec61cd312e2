import type { ReconcileResult, Run } from '../domain/run.ts'
import { reconcile as reconcileActivity } from './activity-options.ts'

/** Recomputes every settlement from what is known, and stores what was found. */
export async function reconcile(run: Run): Promise<ReconcileResult> {
  return reconcileActivity(run)
}
