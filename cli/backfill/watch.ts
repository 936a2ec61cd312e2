/** The watcher of a backfill, which shows its progress until it ends. */
import type { Client, WorkflowHandle } from '@temporalio/client'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BackfillProgress, BackfillResult } from '../../domain/backfill.ts'
import { Failure, failureCode } from '../../domain/failure.ts'
import type { SweepResult } from '../../domain/run.ts'
import type { backfill } from '../../workflows/backfill.ts'
import { reachedLine, type Reached } from './text.ts'
import type { Terminal } from '../shell/terminal.ts'
import { heartbeatOf } from '../run/watch.ts'

export type BackfillHandle = WorkflowHandle<typeof backfill>

const LOOK_EVERY_MS = 700

export interface Watching {
  client: Client
  terminal: Terminal
  /** False if the server ends with this command, so that a paused backfill could not be resumed. */
  isLasting: boolean
}

/**
 * Returns the result. Throws the failure that stopped the backfill; it then waits until a person
 * resumes it. Throws worker_missing if it is paused and no server would keep running.
 */
export async function watchBackfill(
  handle: BackfillHandle,
  watching: Watching,
): Promise<BackfillResult> {
  const ended = new AbortController()
  const result = handle.result()
  const stopped = look(handle, watching, ended.signal)
  try {
    return await Promise.race([result, stopped.then(() => result)])
  } finally {
    ended.abort()
    result.catch(() => {})
    await stopped.catch(() => {})
    watching.terminal.live('')
  }
}

/** Ends when the signal is set. Throws if waiting longer would be useless. */
async function look(
  handle: BackfillHandle,
  { client, terminal, isLasting }: Watching,
  signal: AbortSignal,
): Promise<void> {
  let stage = ''
  for (;;) {
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    const reached = await reachedBy(client, handle).catch(() => undefined)
    if (reached === undefined) continue
    const { progress } = reached
    refuseWaiting(progress, isLasting)
    if (progress.stage !== stage) {
      stage = progress.stage
      if (stage === 'reading' || stage === 'judging') terminal.say(`${stage} ...`)
    }
    terminal.live(`  ${reachedLine(reached)}`)
  }
}

function refuseWaiting({ hold, window }: BackfillProgress, isLasting: boolean): void {
  if (hold?.failure !== undefined) {
    const { code, what } = hold.failure
    throw new Failure(failureCode(code), what)
  }
  if (hold === undefined || isLasting) return
  throw new Failure(
    'worker_missing',
    `the backfill of ${window.from}..${window.to} is paused, and needs a Temporal server that keeps running`,
  )
}

/** The progress of a backfill, with the heartbeats of its running activity. */
export async function reachedBy(
  client: Client,
  handle: Pick<BackfillHandle, 'query'>,
): Promise<Reached> {
  const progress = await handle.query<BackfillProgress, []>('progress')
  const requests =
    progress.stage === 'reading' && progress.childId !== undefined
      ? await requestsOf(client, progress.childId).catch(() => 0)
      : progress.requests
  return { progress, requests, now_ms: Date.now() }
}

async function requestsOf(client: Client, childId: string): Promise<number> {
  const read = await client.workflow.getHandle(childId).query<SweepResult[]>('read')
  const beat = await heartbeatOf(client, childId)
  return read.reduce((sum, { requests }) => sum + requests, beat?.requests ?? 0)
}
