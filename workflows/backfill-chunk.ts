import type { Published, ReconcileResult, Run } from '../domain/run.ts'
import { publish } from './publish.ts'
import { reconcile } from './reconcile.ts'

export interface ChunkResult
  extends Pick<ReconcileResult, 'headline'>, Pick<Published, 'latest' | 'pack'> {}

/**
 * Reconciles some business days of a backfill from landed records, and publishes them as a pack of
 * their own.
 */
export async function backfillChunk(run: Run): Promise<ChunkResult> {
  const { headline } = await reconcile(run)
  const { pack, latest } = await publish(run)
  return { headline, pack, ...(latest === undefined ? {} : { latest }) }
}
