/** The repetition of work on the lake that lost a race or its connection. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../domain/failure.ts'
import { RACE } from './lake-errors.ts'

/** Further errors after which a transaction can be retried. */
const WORTH_A_TRY =
  /conflict|exceeded the maximum retry|server closed the connection|terminating connection|failed to execute query "rollback"|already exists/i

const TRIES = 40
/** A person who sees nothing for longer than this wonders why. */
const MOMENT_MS = 1_000
/** SQLite waits five seconds for its lock in each try, and each try is followed by a pause. */
const WAITING = 'waiting for another process that is writing the lake, at most 4 minutes'

/** The counters of this process; they only grow. */
export const lakeCounters = { commits: 0, retries: 0 }

/**
 * Runs `body`, and repeats it after each lost race. `body` must be safe to run twice. Throws lake_locked after the
 * last try.
 */
export async function withRetries<T>(
  body: () => Promise<T>,
  say: (line: string) => void = () => {},
): Promise<T> {
  const since_ms = Date.now()
  let isSaid = false
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await body()
    } catch (error) {
      if (error instanceof Failure) throw error
      if (![RACE, WORTH_A_TRY].some((pattern) => pattern.test(String(error)))) throw error
      if (attempt >= TRIES) {
        throw new Failure('lake_locked', 'another process is writing the lake', {
          cause: error,
        })
      }
      lakeCounters.retries += 1
      if (!isSaid && Date.now() - since_ms > MOMENT_MS) {
        say(WAITING)
        isSaid = true
      }
      await sleep(10 + Math.random() * Math.min(1000, 20 * 2 ** attempt))
    }
  }
}
