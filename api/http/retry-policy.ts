/** Decides how often and for how long one request is repeated before it fails. */
import { Failure, type FailureCode } from '../../domain/failure.ts'
import { processClock, type Clock } from '../rate/clock.ts'
import { instantAfter } from '../rate/wait-text.ts'

export interface RetryPolicy {
  /** `tries` is the maximum in all. `budget_ms` may pass between the first failed try and the start of the last. */
  tries: number
  budget_ms: number
  timeout_ms: number
}

/** The reason why a try failed, in the words of the failure that is thrown after the last try. */
export interface Setback {
  code: FailureCode
  what: string
  cause?: unknown
  /** The wait that the service asked for. */
  wait_ms?: number | undefined
  /** A maximum below that of the policy. */
  tries?: number
  /** The answer takes too long or is too large. A request for fewer records may succeed. */
  isSlow?: boolean
}

export interface Patience {
  /** Returns when the next try may begin. Throws the setback as a Failure if no try is left. */
  endure(setback: Setback): Promise<void>
}

/** Counts the tries of one request. The signal ends a wait with the caller's reason. */
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

const FIRST_BACKOFF_MS = 250
const MAX_BACKOFF_MS = 15_000

/** Exponential backoff with full jitter. `tries` counts the failed tries from 1; `random` lies in [0, 1). */
function backoff_ms(tries: number, random: number): number {
  return random * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (tries - 1))
}

function failureOf({ code, what, cause, wait_ms }: Setback, failed: number): Failure {
  const said =
    wait_ms === undefined ? '' : `, and allows no request before ${instantAfter(wait_ms)}`
  const sentence = failed === 1 ? `${what}${said}` : `${what}${said}; ${failed} tries`
  return new Failure(code, sentence, {
    cause,
    // The service named a wait, so that Temporal must not repeat the activity before it ends.
    ...(wait_ms === undefined ? {} : { retry_after_ms: wait_ms, retry: false }),
  })
}
