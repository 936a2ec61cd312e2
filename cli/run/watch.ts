/** The watcher of a run, which shows its progress until it ends. */
import type { Client, WorkflowHandle } from '@temporalio/client'
import type { Payload, ProtoFailure } from '@temporalio/common'
import { setTimeout as sleep } from 'node:timers/promises'
import { assert } from '../../domain/failure.ts'
import type { Heartbeat, RunResult } from '../../domain/run.ts'
import type { BackfillProgress } from '../../domain/backfill.ts'
import type { nightly, NightlyProgress } from '../../workflows/nightly.ts'
import { aborted } from '../../workers/temporal/aborted.ts'
import { announced } from '../../workers/temporal/announced.ts'
import type { Terminal } from '../shell/terminal.ts'
import { firstBeat, progressLine, type FirstBeat } from './progress-line.ts'
import { NO_ANSWER } from '../shell/goes-on.ts'

/**
 * The time between two looks at a run. Each look asks the server and a worker, so that many runs that are watched every
 * second would slow each other down.
 */
const lookEvery_ms = (runs: number): number => (runs === 1 ? 1_000 : 5_000)

/** A worker reports the progress of a step no more often. */
const STEP_EVERY_MS = 2_000
/** A busy worker rarely needs longer to answer. */
const SILENT_MS = 15_000
const NO_PLACE = '  waiting for a worker with a free place; work that began earlier goes first'
const AGAIN = '  the step is tried again, because it failed'

export interface Watching {
  terminal: Terminal
  /** True if a worker of another process does the work, which may be gone. */
  isLasting: boolean
  /** The number of runs that the command watches. */
  runs: number
}

/** Returns the result of the run, or throws its failure. */
export async function watchRun(
  client: Client,
  handle: WorkflowHandle<typeof nightly>,
  watching: Watching,
): Promise<RunResult> {
  const ended = new AbortController()
  const looking = look(client, handle, { ...watching, signal: ended.signal })
  // The end awaits it. Until then a failure must not count as unhandled.
  looking.catch(() => {})
  try {
    return await handle.result()
  } finally {
    ended.abort()
    await looking
    watching.terminal.live('')
  }
}

/** Shows the progress. The run continues if the progress can't be read. */
async function look(
  client: Client,
  handle: WorkflowHandle<typeof nightly>,
  { terminal, isLasting, runs, signal }: Watching & { signal: AbortSignal },
): Promise<void> {
  let stage = ''
  const ask = () => handle.query<NightlyProgress, []>('progress').catch(() => undefined)
  if (isLasting) {
    const answer = announced(NO_ANSWER, { say: terminal.say, signal }, ask)
    await Promise.race([answer, aborted(signal)]).catch(() => {})
  }
  let seen: Seen = { isQueued: false }
  let answered_ms = Date.now()
  let step_ms = 0
  while (!signal.aborted) {
    await sleep(lookEvery_ms(runs), undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    const progress = await ask()
    if (progress === undefined) {
      terminal.wait('  waiting for the first answer')
      if (Date.now() - answered_ms > SILENT_MS) terminal.live('  waiting for a worker to answer')
      continue
    }
    answered_ms = Date.now()
    if (progress.stage !== stage) {
      stage = progress.stage
      // A failure before the first sweep is one line alone.
      if (stage !== 'preparing' && stage !== 'done') terminal.say(`${stage} ...`)
    }
    terminal.wait(`  ${stage === '' ? 'preparing' : stage}`)
    if (progress.childId === undefined || answered_ms - step_ms < STEP_EVERY_MS) continue
    step_ms = answered_ms
    const step = await stepOf(client, progress.childId).catch(() => NO_STEP)
    seen = showStep(step, seen, terminal)
  }
}

interface Seen {
  wait?: string | undefined
  first?: FirstBeat | undefined
  isQueued: boolean
}

/** A step counts as queued when it is so twice in a row. */
function showStep({ beat, isQueued, failed }: Step, before: Seen, terminal: Terminal): Seen {
  let { wait, first } = before
  const why = failed === undefined ? NO_PLACE : `${AGAIN}: ${failed}`
  if (isQueued && (before.isQueued || failed !== undefined) && wait !== why) {
    wait = why
    terminal.say(wait)
  }
  // Before the next attempt, Temporal still has the last heartbeat of the one before.
  if (beat !== undefined && !isQueued) {
    if (beat.wait !== undefined && beat.wait !== wait) terminal.say(`  ${beat.wait}`)
    wait = beat.wait ?? wait
    const now_ms = Date.now()
    first = firstBeat(beat, first, now_ms)
    terminal.live(`  ${progressLine(beat, first, now_ms)}`)
  }
  return { wait, first, isQueued }
}

/** The progress of a run or a backfill in a few words; empty if no worker answers. */
export async function progressOf(client: Client, handle: WorkflowHandle): Promise<string> {
  type Progress = Pick<BackfillProgress, 'chunks' | 'chunksDone'> & NightlyProgress
  const answer = handle.query<Partial<Progress>, []>('progress')
  const progress = await answer.catch((): Partial<Progress> => ({}))
  const { stage = '', childId, chunks, chunksDone = 0 } = progress
  const beat =
    childId === undefined ? undefined : await heartbeatOf(client, childId).catch(() => undefined)
  const parts = chunks === undefined ? [] : [`${chunksDone} of ${chunks} chunks`]
  return [...parts, beat === undefined ? stage : progressLine(beat)].join(', ')
}

/** The last heartbeat of the running activity of a workflow. */
export const heartbeatOf = async (
  client: Client,
  workflowId: string,
): Promise<Heartbeat | undefined> => (await stepOf(client, workflowId)).beat

interface Step {
  beat?: Heartbeat
  /** True while no worker has taken the activity. */
  isQueued: boolean
  /** Why the last attempt failed, while the next one is waited for. */
  failed?: string
}

const NO_STEP: Step = { isQueued: false }
/** Temporal's number for an activity that no worker has taken. */
const SCHEDULED = 1

async function stepOf(client: Client, workflowId: string): Promise<Step> {
  const { raw } = await client.workflow.getHandle(workflowId).describe()
  const [activity] = raw.pendingActivities ?? []
  const isQueued = Number(activity?.state) === SCHEDULED
  const failed = isQueued ? await failureIn(client, workflowId, activity?.lastFailure) : undefined
  const step: Step = failed === undefined ? { isQueued } : { isQueued, failed }
  const payloads = activity?.heartbeatDetails?.payloads ?? []
  if (payloads.length === 0) return step
  return { ...step, beat: await opened<Heartbeat>(client, workflowId, payloads) }
}

/** The message of the attempt before; undefined for a first attempt. */
async function failureIn(
  client: Client,
  workflowId: string,
  failure: ProtoFailure | null | undefined,
): Promise<string | undefined> {
  const { encodedAttributes, message } = failure ?? {}
  if (encodedAttributes === undefined || encodedAttributes === null) return message ?? undefined
  return (await opened<{ message: string }>(client, workflowId, [encodedAttributes])).message
}

/** Decrypts what the client leaves as the server stores it. */
async function opened<T>(client: Client, workflowId: string, payloads: Payload[]): Promise<T> {
  const { namespace, loadedDataConverter } = client.options
  const { payloadCodecs, payloadConverter } = loadedDataConverter
  let open = payloads
  for (const codec of payloadCodecs.toReversed()) {
    open = await codec.decode(open, { type: 'workflow', namespace, workflowId })
  }
  const [payload] = open
  assert(payload !== undefined, 'a heartbeat or a failure has one payload')
  return payloadConverter.fromPayload<T>(payload)
}
