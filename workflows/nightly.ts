import {
  defineQuery,
  executeChild,
  ParentClosePolicy,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import type { RunRequest, RunResult } from '../domain/run.ts'
import { checkSource, prepareRun } from './activity-options.ts'
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
 * its scheduled date, so that a night made up later is still that night.
 */
export async function nightly(request: RunRequest): Promise<RunResult> {
  const info = workflowInfo()
  const runId = runIdOf(info.startTime, info.runId)
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

  if (request.sweep) await checkSource({ account: request.account })
  const scheduledAt = scheduledInstant(info.searchAttributes)
  const run = await prepareRun({
    request,
    runId,
    startedAt: info.startTime.toISOString(),
    ...(scheduledAt === undefined ? {} : { scheduledAt }),
  })
  const range = `${run.window.from} to ${run.window.to}`
  if (request.sweep) {
    const requestedFrom = request.window === undefined ? {} : { from: run.window.from }
    await executeChild(sweep, {
      ...child('sweeping', `Sweep for ${run.account}`),
      args: [{ runId: run.runId, account: run.account, ...requestedFrom }],
    })
  }
  const found = await executeChild(reconcile, {
    ...child('reconciling', `Reconcile ${range}`),
    args: [run],
  })
  const published = await executeChild(publish, {
    ...child('publishing', `Publish the pack of ${range}`),
    args: [run],
  })
  progress = { stage: 'done', runId }
  const { account, window, asOf, isAsOfSweep } = run
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
