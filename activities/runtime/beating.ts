/** The heartbeats of an activity, which also ends with its process. */
import { Context } from '@temporalio/activity'
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import type { Heartbeat } from '../../domain/run.ts'
import { withFailures } from './with-failures.ts'

/** A server without a heartbeat for longer gives the work to another worker. */
const HEARTBEAT_EVERY_MS = 2_000

interface Beat {
  /** Set when the work is cancelled, and some seconds after the process began to leave. */
  signal: AbortSignal
  /** Set when the process begins to leave. */
  leaving: AbortSignal
  /** Sets the content of later heartbeats; a function is called for each one. */
  say: (beat: Heartbeat | (() => Heartbeat)) => void
}

export type Beating = <T>(doing: string, work: (beat: Beat) => Promise<T>) => Promise<T>

/**
 * Sends heartbeats while the work runs, with a signal for its cancellation. Starts nothing once the
 * process leaves.
 */
export const beatingUntil =
  (leaving: AbortSignal): Beating =>
  async (doing, work) => {
    if (leaving.aborted) throw left()
    const context = Context.current()
    let last: Heartbeat | (() => Heartbeat) = { doing }
    let warned: string | undefined
    const beat = () => {
      const beat = typeof last === 'function' ? last() : last
      if (beat.wait !== undefined && beat.wait !== warned) context.log.warn(beat.wait)
      warned = beat.wait
      context.heartbeat(beat)
    }
    const timer = setInterval(beat, HEARTBEAT_EVERY_MS)
    const say: Beat['say'] = (next) => {
      last = next
    }
    const signal = context.cancellationSignal
    try {
      const about = { attempt: context.info.attempt, cancelled: signal }
      return await withFailures(() => work({ signal, leaving, say }), about)
    } catch (error) {
      throw leaving.aborted && !(error instanceof CancelledFailure) ? left() : error
    } finally {
      clearInterval(timer)
    }
  }

/** Makes Temporal give the work to the next worker. */
const left = () =>
  ApplicationFailure.retryable('the worker stopped before the work was done', 'left')
