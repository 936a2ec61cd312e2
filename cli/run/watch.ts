/** Waits for a run and shows how far it is. */
import type { Client, WorkflowHandle } from '@temporalio/client'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Heartbeat } from '../../domain/run.ts'
import type { BackfillProgress } from '../../domain/backfill.ts'
import type { RunResult } from '../../domain/run.ts'
import type { nightly, NightlyProgress } from '../../workflows/nightly.ts'
import type { Terminal } from '../shell/terminal.ts'

const LOOK_EVERY_MS = 700
/** A worker that is busy answers later than this only rarely. */
const SILENT_MS = 15_000

/** Answers with the run's result; throws what the run failed with. */
export async function watchRun(
  client: Client,
  handle: WorkflowHandle<typeof nightly>,
  terminal: Terminal,
): Promise<RunResult> {
  const watching = new AbortController()
  const looking = look(client, handle, { terminal, signal: watching.signal })
  try {
    return await handle.result()
  } finally {
    watching.abort()
    await looking
    terminal.live('')
  }
}

/** Progress is a courtesy: where it can't be had, the run goes on without it. */
async function look(
  client: Client,
  handle: WorkflowHandle<typeof nightly>,
  { terminal, signal }: { terminal: Terminal; signal: AbortSignal },
): Promise<void> {
  let stage = ''
  let wait: string | undefined
  let answered_ms = Date.now()
  while (!signal.aborted) {
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    const progress = await handle.query<NightlyProgress, []>('progress').catch(() => undefined)
    if (progress === undefined) {
      if (Date.now() - answered_ms > SILENT_MS) terminal.live('  waiting for a worker to answer')
      continue
    }
    answered_ms = Date.now()
    if (progress.stage !== stage) {
      stage = progress.stage
      // What fails before the first sweep is told by one line alone.
      if (stage !== 'preparing' && stage !== 'done') terminal.say(`${stage} ...`)
    }
    if (progress.childId === undefined) continue
    const beat = await heartbeatOf(client, progress.childId).catch(() => undefined)
    if (beat !== undefined) wait = show(beat, wait, terminal)
  }
}

/** Says a wait that is new, and how far the work is; answers with the newest wait. */
function show(beat: Heartbeat, before: string | undefined, terminal: Terminal): string | undefined {
  if (beat.wait !== undefined && beat.wait !== before) terminal.say(`  ${beat.wait}`)
  terminal.live(`  ${lineOf(beat)}`)
  return beat.wait ?? before
}

/** How far a run or a backfill is, in a few words; empty where no worker answers. */
export async function progressOf(client: Client, handle: WorkflowHandle): Promise<string> {
  type Progress = Pick<BackfillProgress, 'chunks' | 'chunksDone'> & NightlyProgress
  const asked = handle.query<Partial<Progress>, []>('progress')
  const progress = await asked.catch((): Partial<Progress> => ({}))
  const { stage = '', childId, chunks, chunksDone = 0 } = progress
  const beat =
    childId === undefined ? undefined : await heartbeatOf(client, childId).catch(() => undefined)
  const parts = chunks === undefined ? [] : [`${chunksDone} of ${chunks} chunks`]
  return [...parts, beat === undefined ? stage : lineOf(beat)].join(', ')
}

/** What the activity of a workflow that is under way last said of itself. */
export async function heartbeatOf(
  client: Client,
  workflowId: string,
): Promise<Heartbeat | undefined> {
  const { raw } = await client.workflow.getHandle(workflowId).describe()
  const { defaultPayloadConverter } = await import('@temporalio/common')
  const payload = raw.pendingActivities?.[0]?.heartbeatDetails?.payloads?.[0]
  return payload === undefined ? undefined : defaultPayloadConverter.fromPayload<Heartbeat>(payload)
}

function lineOf(beat: Heartbeat): string {
  const counts = [
    beat.pages === undefined ? '' : `${beat.pages.toLocaleString('en')} pages`,
    beat.records === undefined ? '' : `${beat.records.toLocaleString('en')} records`,
  ].filter((part) => part !== '')
  return [beat.doing, ...counts].join(', ')
}
