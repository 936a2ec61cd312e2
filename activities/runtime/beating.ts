/** Work that tells the server all the while that somebody is at it, and that ends with its process. */
import { Context } from '@temporalio/activity'
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import type { Heartbeat } from '../../domain/run.ts'
import { withFailures } from './with-failures.ts'

/** A server that hears nothing for longer gives the work to another worker. */
const HEARTBEAT_EVERY_MS = 2_000

interface Beat {
  /** Set when the work is cancelled, and some seconds after the process began to leave. */
  signal: AbortSignal
  /** Set when the process begins to leave. */
  leaving: AbortSignal
  /** What the heartbeats say from now on; a function is asked each time. */
  say: (beat: Heartbeat | (() => Heartbeat)) => void
}

export type Beating = <T>(doing: string, work: (beat: Beat) => Promise<T>) => Promise<T>

/** Heartbeats while the work goes on, and hands it the signal that a cancellation sets. Nothing begins once the process leaves. */
export const beatingUntil =
  (leaving: AbortSignal): Beating =>
  async (doing, work) => {
    if (leaving.aborted) throw left()
    const context = Context.current()
    let last: Heartbeat | (() => Heartbeat) = { doing }
    let warned: string | undefined
    const beat = () => {
      const said = typeof last === 'function' ? last() : last
      if (said.wait !== undefined && said.wait !== warned) context.log.warn(said.wait)
      warned = said.wait
      context.heartbeat(said)
    }
    const timer = setInterval(beat, HEARTBEAT_EVERY_MS)
    const say: Beat['say'] = (next) => {
      last = next
    }
    const signal = context.cancellationSignal
    try {
      return await withFailures(() => work({ signal, leaving, say }), signal)
    } catch (error) {
      throw leaving.aborted && !(error instanceof CancelledFailure) ? left() : error
    } finally {
      clearInterval(timer)
    }
  }

/** The next worker does it. */
const left = () => ApplicationFailure.retryable('the worker left before it was done', 'left')
