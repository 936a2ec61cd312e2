import type { ReconcileResult, Run } from '../domain/run.ts'
import { heavy, planShards, rangeOf } from './activity-options.ts'

/**
 * Recomputes every settlement from what is known, and stores what was found. A divided run goes round by round: the tasks
 * of one round run on whatever workers there are.
 */
export async function reconcile(run: Run): Promise<ReconcileResult> {
  const { reconcile: reconcileActivity, reconcileShard } = heavy()
  const about = { summary: rangeOf(run.window) }
  if (run.shards === undefined) return reconcileActivity.executeWithOptions(about, [run])
  const { knowledge, rounds } = await planShards(run)
  const attempts: number[][] = []
  for (const tasks of rounds) {
    const done = { knowledge, attempts: [...attempts] }
    attempts.push(await Promise.all(tasks.map((task) => reconcileShard(run, task, done))))
  }
  return reconcileActivity.executeWithOptions(about, [run, { knowledge, attempts }])
}
