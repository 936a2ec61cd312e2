/** The state of a backfill, from its order to its end. */
import { workflowInfo } from '@temporalio/workflow'
import { chunksOf, type BackfillOrder, type BackfillProgress } from '../domain/backfill.ts'
import { runIdOf } from './nightly.ts'

/** The state for the next execution, when the history of this one has grown long. */
export interface BackfillState {
  progress: BackfillProgress
  pack: string
  /** The same as in `BackfillResult`. */
  latest?: string
  /** The same as in `BackfillRecorded`, until it is posted. */
  lateAfter_ms?: number
}

export const NONE = { settlements: 0, tied: 0, explained: 0, breaks: 0, pending: 0, noData: 0 }

export function newState(order: BackfillOrder): BackfillState {
  const { account, window, chunkDays, perSecond, reading } = order
  const { startTime, runId } = workflowInfo()
  const progress: BackfillProgress = {
    ...{ account, window, reading },
    runId: runIdOf(startTime, runId),
    startedAt: startTime.toISOString(),
    stage: 'starting',
    chunks: chunksOf(window, chunkDays).length,
    ...{ chunksDone: 0, requests: 0, newVersions: 0 },
    headline: NONE,
    stageSince: startTime.toISOString(),
    ...(perSecond === undefined ? {} : { perSecond }),
  }
  return { progress, pack: '' }
}
