import {
  CancellationScope,
  defineQuery,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import type { PreparedRun, RunRequest, RunResult } from '../domain/run.ts'
import type { Outcome } from '../domain/webhook.ts'
import { checkSource, prepareRun } from './activity-options.ts'
import { failureOf } from './failure-of.ts'
import { post, postIfLate } from './post-outcome.ts'
import { publish } from './publish.ts'
import { reconcile } from './reconcile.ts'
import { sweep } from './sweep.ts'

export interface NightlyProgress {
  stage: 'preparing' | 'sweeping' | 'reconciling' | 'publishing' | 'done'
  runId: string
  /** The workflow in which the stage's activities run. */
  childId?: string
}
export const progressQuery = defineQuery<NightlyProgress>('progress')

/**
 * Runs one reconciliation: lands the service's records, reconciles them, and writes the pack. A
 * schedule or a person starts it, with or without a sweep. The business date of a scheduled run is
 * its scheduled date, so that a night made up later is still that night. A run that fails, or is
 * late, posts that to the webhook.
 */
export async function nightly(request: RunRequest): Promise<RunResult> {
  const info = workflowInfo()
  const runId = runIdOf(info.startTime, info.runId)
  const { account, window } = request
  // A failure before the range is known still names the requested one.
  const outcome: Outcome = { account, runId, ...(window === undefined ? {} : { window }) }
  const waiting = new CancellationScope()
  try {
    return await run(request, runId, ({ window: known, lateAfter_ms }) => {
      outcome.window = known
      if (lateAfter_ms !== undefined)
        postIfLate(waiting, { outcome: () => ({ ...outcome }) }, lateAfter_ms)
    })
  } catch (error) {
    if (!isCancellation(error)) {
      const { code, what } = failureOf(error)
      await post({ ...outcome, failure: { code, what } })
    }
    throw error
  } finally {
    waiting.cancel()
  }
}

/** The steps of a run. `isPrepared` is called once its range is known. */
async function run(
  request: RunRequest,
  runId: string,
  isPrepared: (run: PreparedRun) => void,
): Promise<RunResult> {
  const info = workflowInfo()
  let progress: NightlyProgress = { stage: 'preparing', runId }
  setHandler(progressQuery, () => progress)
  const child = (stage: 'sweeping' | 'reconciling' | 'publishing', summary: string) => {
    const childId = `${info.workflowId}/${runId}/${stage}`
    progress = { stage, runId, childId }
    return {
      workflowId: childId,
      staticSummary: summary,
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    }
  }

  const scheduledAt = scheduledInstant(info.searchAttributes)
  // A waiting person hears of a wrong address at once. For a scheduled night the sweep itself tries for minutes.
  if (request.sweep && scheduledAt === undefined) await checkSource({ account: request.account })
  const prepared = await prepareRun({
    request,
    runId,
    startedAt: info.startTime.toISOString(),
    ...(scheduledAt === undefined ? {} : { scheduledAt }),
  })
  isPrepared(prepared)
  const { lateAfter_ms: _, ...known } = prepared
  const { account, window, asOf, isAsOfSweep } = known
  const range = `${window.from} to ${window.to}`
  if (request.sweep) {
    const requestedFrom = request.window === undefined ? {} : { from: window.from }
    await executeChild(sweep, {
      ...child('sweeping', `Sweep for ${account}`),
      args: [{ runId, account, ...requestedFrom }],
    })
  }
  const found = await executeChild(reconcile, {
    ...child('reconciling', `Reconcile ${range}`),
    args: [known],
  })
  const published = await executeChild(publish, {
    ...child('publishing', `Publish the pack of ${range}`),
    args: [known],
  })
  progress = { stage: 'done', runId }
  const isSweeps = isAsOfSweep === undefined ? {} : { isAsOfSweep }
  return { ...found, ...published, runId, account, window, asOf, ...isSweeps }
}

/** Names a run by its start and Temporal's own id, such as `20261121T041500Z-0193f2a1`. */
export function runIdOf(startedAt: Date, temporalRunId: string): string {
  const instant = startedAt.toISOString().replace(/[-:]|\.\d+/g, '')
  return `${instant}-${temporalRunId.replaceAll('-', '').slice(-8)}`
}

function scheduledInstant(attributes: Record<string, unknown>): string | undefined {
  const values = attributes['TemporalScheduledStartTime']
  const first: unknown = Array.isArray(values) ? values[0] : undefined
  return first instanceof Date ? first.toISOString() : undefined
}
