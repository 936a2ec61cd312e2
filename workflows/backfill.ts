import {
  allHandlersFinished,
  CancellationScope,
  condition,
  ContinueAsNew,
  continueAsNew,
  defineQuery,
  defineUpdate,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  setCurrentDetails,
  setHandler,
  startChild,
  workflowInfo,
  type ChildWorkflowHandle,
} from '@temporalio/workflow'
import {
  chunksOf,
  paceOf,
  type BackfillEvent,
  type BackfillOrder,
  type BackfillProgress,
  type BackfillRecorded,
  type BackfillResult,
} from '../domain/backfill.ts'
import type { Run, Window } from '../domain/run.ts'
import type { Outcome } from '../domain/webhook.ts'
import { checkSource, rangeOf, recordBackfill } from './activity-options.ts'
import { backfillChunk, type ChunkResult } from './backfill-chunk.ts'
import { newState, NONE, type BackfillState } from './backfill-state.ts'
import { failureOf } from './failure-of.ts'
import { post, postIfLate } from './post-outcome.ts'
import { steer, sweep, type Swept } from './sweep.ts'

/** The name of the actor; empty if none is given. */
export type By = string

export const backfillProgress = defineQuery<BackfillProgress>('progress')
export const pause = defineUpdate<BackfillProgress, [By]>('pause')
/** Ends a pause and retries the failed step. */
export const resume = defineUpdate<BackfillProgress, [By]>('resume')
/** Limits the requests per second; null removes the limit. */
export const slow = defineUpdate<BackfillProgress, [number | null, By]>('slow')
/** Names the person who is about to cancel it; Temporal itself does the cancellation. */
export const cancelledBy = defineUpdate<void, [By]>('cancelledBy')

/** A chunk takes about ten events. */
const CHUNKS_PER_EXECUTION = 25

/**
 * Reads a range of past business dates again, then reconciles and publishes it chunk by chunk,
 * oldest first. A person can pause, resume and slow it at any time, from its next step on. After a
 * failure it waits for a person to resume or cancel it. Only a source that refuses the first
 * request ends it. A failure, and a time that is long for a backfill, are posted to the webhook.
 */
export async function backfill(
  order: BackfillOrder,
  before?: BackfillState,
): Promise<BackfillResult> {
  const state = before ?? newState(order)
  const work = new Backfill(order, state)
  const waiting = new CancellationScope()
  try {
    if (before === undefined) await work.begin()
    work.postIfLate(waiting)
    await work.read()
    await work.judge()
    await work.record('DONE')
  } catch (error) {
    if (isCancellation(error)) {
      await CancellationScope.nonCancellable(() => work.recordCancelled())
    } else if (!(error instanceof ContinueAsNew)) await work.postFailure(failureOf(error))
    throw error
  } finally {
    waiting.cancel()
  }
  await condition(allHandlersFinished)
  const { account, window, runId, chunks, requests, newVersions, headline } = state.progress
  const { pack, latest } = state
  return {
    ...{ account, window, runId, chunks, requests, newVersions, headline, pack },
    ...(latest === undefined ? {} : { latest }),
  }
}

class Backfill {
  readonly #order: BackfillOrder
  readonly #state: BackfillState
  #reader: ChildWorkflowHandle<typeof sweep> | undefined
  #cancelledBy: By = ''

  constructor(order: BackfillOrder, state: BackfillState) {
    this.#order = order
    this.#state = state
    setHandler(backfillProgress, () => state.progress)
    setHandler(pause, (by) => this.#pause(by))
    setHandler(resume, (by) => this.#resume(by))
    setHandler(slow, (perSecond, by) => this.#slow(perSecond, by))
    setHandler(cancelledBy, (by) => {
      this.#cancelledBy = by
    })
  }

  async read(): Promise<void> {
    const { progress } = this.#state
    if (progress.stage !== 'starting' && progress.stage !== 'reading') return
    this.#enter('reading')
    const swept = await this.#persisting(() => this.#sweep())
    progress.requests = swept.requests
    progress.newVersions = swept.newVersions
  }

  async judge(): Promise<void> {
    const { progress } = this.#state
    if (progress.stage !== 'judging') this.#enter('judging')
    const chunks = chunksOf(this.#order.window, this.#order.chunkDays)
    const first = progress.chunksDone
    for (const chunk of chunks.slice(first)) {
      const isLong = progress.chunksDone - first >= CHUNKS_PER_EXECUTION
      if (isLong || workflowInfo().continueAsNewSuggested) await this.#goOnAnew()
      let tries = 0
      const { headline, pack, latest } = await this.#persisting(() => {
        tries += 1
        return this.#chunk(chunk, tries)
      })
      progress.chunksDone += 1
      for (const name of Object.keys(NONE) as (keyof typeof NONE)[]) {
        progress.headline = {
          ...progress.headline,
          [name]: progress.headline[name] + headline[name],
        }
      }
      this.#state.pack = pack
      if (latest === undefined) delete this.#state.latest
      else this.#state.latest = latest
    }
    progress.stage = 'done'
    delete progress.childId
  }

  async begin(): Promise<void> {
    await checkSource({ account: this.#order.account })
    const { lateAfter_ms } = await this.record('BEGUN')
    if (lateAfter_ms !== undefined) this.#state.lateAfter_ms = lateAfter_ms
  }

  /** The time counts from the start of the backfill, and is posted once. */
  postIfLate(waiting: CancellationScope): void {
    const { lateAfter_ms } = this.#state
    if (lateAfter_ms === undefined) return
    const gone_ms = Date.now() - Date.parse(this.#state.progress.startedAt)
    const isPosted = () => {
      delete this.#state.lateAfter_ms
    }
    const outcome = () => this.#outcome()
    postIfLate(waiting, { outcome, isPosted }, Math.max(0, lateAfter_ms - gone_ms))
  }

  async postFailure({ code, what }: Failed): Promise<void> {
    await post({ ...this.#outcome(), failure: { code, what } })
  }

  #outcome(): Outcome {
    const { account, window, runId } = this.#state.progress
    return { account, window, runId, isBackfill: true }
  }

  async recordCancelled(): Promise<void> {
    await this.#recordIfPossible('CANCELLED', { by: this.#cancelledBy })
  }

  /** Records an event unless the lake fails. The failure may be the very reason of the event. */
  async #recordIfPossible(event: BackfillEvent['event'], recorded: Recorded): Promise<void> {
    await this.record(event, recorded).catch((error: unknown) => {
      if (isCancellation(error)) throw error
    })
  }

  /** Records an event with its own details, or with the progress. */
  async record(
    event: BackfillEvent['event'],
    { by, detail }: Recorded = {},
  ): Promise<BackfillRecorded> {
    const { window, account, reason } = this.#order
    // Steps without an actor are done for the person who ordered the backfill.
    const { actor } = by === undefined ? this.#order : actedBy(by)
    const { runId, chunksDone, chunks, requests, newVersions } = this.#state.progress
    const recorded: BackfillEvent = {
      ...{ backfillId: runId, event, account, window, at: new Date().toISOString() },
      detail: detail ?? { chunks, chunksDone, requests, newVersions },
      ...(actor === undefined ? {} : { actor }),
      ...(reason === undefined ? {} : { reason }),
    }
    return recordBackfill.executeWithOptions({ summary: event }, [recorded])
  }

  /**
   * Retries work until it succeeds; after a failure it waits for a person to fix the cause and
   * resume it.
   */
  async #persisting<T>(work: () => Promise<T>): Promise<T> {
    const { progress } = this.#state
    for (;;) {
      this.#showDetails()
      await condition(() => progress.hold === undefined)
      this.#showDetails()
      try {
        return await work()
      } catch (error) {
        if (isCancellation(error)) throw error
        const failure = failureOf(error)
        const since = new Date().toISOString()
        // A command without a worker ends when it sees the failure, and the worker with it. So the failure is shown last.
        await this.#recordIfPossible('FAILED', { detail: failure })
        await this.postFailure(failure)
        progress.hold = { since, ...progress.hold, failure }
      }
    }
  }

  /** The details on Temporal's pages. */
  #showDetails(): void {
    const { stage, chunks, chunksDone, hold, startedAt } = this.#state.progress
    const by = this.#order.actor === undefined ? '' : ` by ${this.#order.actor}`
    const why = this.#order.reason === undefined ? '' : `: ${this.#order.reason}`
    const waits = hold?.failure === undefined ? 'paused' : `stopped by ${hold.failure.code}`
    setCurrentDetails(
      [
        `Asked for${by} at ${startedAt}${why}`,
        `${stage}, ${chunksDone} of ${chunks} chunks${hold === undefined ? '' : `, ${waits}`}`,
      ].join('\n\n'),
    )
  }

  #enter(stage: 'reading' | 'judging'): void {
    const { progress } = this.#state
    progress.stage = stage
    progress.stageSince = new Date().toISOString()
  }

  async #sweep(): Promise<Swept> {
    const { account, since, window } = this.#order
    const { progress } = this.#state
    const { runId, perSecond } = progress
    const childId = this.#childId('reading')
    progress.childId = childId
    const reader = await startChild(sweep, {
      workflowId: childId,
      staticSummary: `Read ${account} again from ${window.from}`,
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      args: [{ runId, account, since, from: window.from, pace: paceOf(perSecond) }],
    })
    this.#reader = reader
    // A person may have paused it while the reader was starting.
    if (progress.hold !== undefined) await this.#steer({ isHeld: true })
    try {
      return await reader.result()
    } finally {
      this.#reader = undefined
    }
  }

  /** Each try is a run of its own. The stored results of an earlier one rest on what was wrong then. */
  async #chunk(window: Window, tries: number): Promise<ChunkResult> {
    const { account, asOf, out, minCertificate, actor } = this.#order
    const { progress } = this.#state
    const range = rangeOf(window)
    progress.childId = this.#childId(range)
    const first = `${progress.runId}-${window.from.replaceAll('-', '')}`
    const run: Run = {
      ...{ account, window, asOf, isBackfill: true },
      runId: tries === 1 ? first : `${first}-${tries}`,
      ...(out === undefined ? {} : { out }),
      ...(minCertificate === undefined ? {} : { minCertificate }),
      ...(actor === undefined ? {} : { preparedBy: actor }),
    }
    return executeChild(backfillChunk, {
      workflowId: progress.childId,
      staticSummary: `Chunk ${progress.chunksDone + 1} of ${progress.chunks}: ${range}`,
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      args: [run],
    })
  }

  #childId(name: string): string {
    return `${workflowInfo().workflowId}/${this.#state.progress.runId}/${name}`
  }

  async #goOnAnew(): Promise<void> {
    await condition(allHandlersFinished)
    await continueAsNew<typeof backfill>(this.#order, this.#state)
  }

  async #pause(by: By): Promise<BackfillProgress> {
    const { progress } = this.#state
    if (progress.hold !== undefined || progress.stage === 'done') return progress
    progress.hold = { since: new Date().toISOString(), ...(by === '' ? {} : { by }) }
    await this.#steer({ isHeld: true })
    await this.record('PAUSED', { by })
    return progress
  }

  async #resume(by: By): Promise<BackfillProgress> {
    const { progress } = this.#state
    if (progress.hold === undefined) return progress
    const hold_ms = Date.now() - Date.parse(progress.hold.since)
    progress.stageSince = new Date(Date.parse(progress.stageSince) + hold_ms).toISOString()
    delete progress.hold
    await this.#steer({ isHeld: false })
    await this.record('RESUMED', { by })
    return progress
  }

  async #slow(perSecond: number | null, by: By): Promise<BackfillProgress> {
    const { progress } = this.#state
    if (progress.stage === 'done') return progress
    if (perSecond === null) delete progress.perSecond
    else progress.perSecond = perSecond
    await this.#steer({ pace: paceOf(perSecond ?? undefined) })
    await this.record('SLOWED', {
      by,
      detail: perSecond === null ? {} : { perSecond },
    })
    return progress
  }

  /** A reader that has ended needs no signal. */
  async #steer(to: Parameters<ChildWorkflowHandle<typeof sweep>['signal']>[1]): Promise<void> {
    await this.#reader?.signal(steer, to).catch(() => {})
  }
}

type Failed = NonNullable<Outcome['failure']>

interface Recorded extends Partial<Pick<BackfillEvent, 'detail'>> {
  /** The actor; absent for automatic steps. */
  by?: By
}

const actedBy = (by: By): Pick<BackfillEvent, 'actor'> => (by === '' ? {} : { actor: by })
