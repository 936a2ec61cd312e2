/** How often and how long one request is tried again before the run fails. */
import { Failure, type FailureCode } from '../../domain/failure.ts'
import { processClock, type Clock } from '../rate/clock.ts'
import { backoff_ms } from './retry-timing.ts'
import { instantAfter } from '../rate/wait-text.ts'

export interface RetryPolicy {
  /** Tries in all, and the time from the first failed one that may pass until the last begins. */
  tries: number
  budget_ms: number
  timeout_ms: number
}

/** Why a try failed, in the words of the failure that it becomes when patience ends. */
export interface Setback {
  code: FailureCode
  what: string
  cause?: unknown
  /** The wait that the service asked for. */
  wait_ms?: number | undefined
  /** Fewer tries than the policy allows. */
  tries?: number
  /** The answer takes too long, or is too large: one for fewer records may come. */
  isSlow?: boolean
}

export interface Patience {
  /** Returns when it is time to try again; throws the setback as a Failure when patience has ended. */
  endure(setback: Setback): Promise<void>
}

/** Patience for one request; the signal ends a wait with the caller's reason. */
export function createPatience(
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
  clock: Clock = processClock,
): Patience {
  let failed = 0
  let firstFailedAt_ms: number | undefined
  return {
    async endure(setback) {
      failed += 1
      const now_ms = clock.now_ms()
      firstFailedAt_ms ??= now_ms
      const left_ms = firstFailedAt_ms + policy.budget_ms - now_ms
      const tries = Math.min(policy.tries, setback.tries ?? policy.tries)
      if (failed >= tries || left_ms <= 0 || (setback.wait_ms ?? 0) > left_ms) {
        throw failureOf(setback, failed)
      }
      const own_ms = Math.min(left_ms, backoff_ms(failed, clock.random()))
      await clock.sleep(setback.wait_ms ?? own_ms, signal)
    },
  }
}

function failureOf({ code, what, cause, wait_ms }: Setback, failed: number): Failure {
  const said =
    wait_ms === undefined ? '' : `, and allows no request before ${instantAfter(wait_ms)}`
  const sentence = failed === 1 ? `${what}${said}` : `${what}${said}; ${failed} tries`
  return new Failure(code, sentence, {
    ...(cause === undefined ? {} : { cause }),
    // Whoever names a wait is not asked again before its end.
    ...(wait_ms === undefined ? {} : { retry_after_ms: wait_ms, retry: false }),
  })
}
