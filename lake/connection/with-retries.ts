/** The repetition of work on the lake that lost a race or its connection. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../domain/failure.ts'
import { RACE } from './lake-errors.ts'

/** Further errors after which a transaction can be retried. */
const WORTH_A_TRY =
  /conflict|exceeded the maximum retry|server closed the connection|terminating connection|failed to execute query "rollback"|already exists/i

/** The counters of this process; they only grow. */
export const lakeCounters = { commits: 0, retries: 0 }

/**
 * Runs `body`, and repeats it after each lost race. `body` must be safe to run twice. Throws lake_locked after the
 * last try.
 */
export async function withRetries<T>(body: () => Promise<T>, tries = 40): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await body()
    } catch (error) {
      if (error instanceof Failure) throw error
      if (![RACE, WORTH_A_TRY].some((pattern) => pattern.test(String(error)))) throw error
      if (attempt >= tries) {
        throw new Failure('lake_locked', 'another process is writing the lake', {
          cause: error,
        })
      }
      lakeCounters.retries += 1
      await sleep(10 + Math.random() * Math.min(1000, 20 * 2 ** attempt))
    }
  }
}
