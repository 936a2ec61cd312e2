/** Time as the source sees it; a simulation brings its own. */
import { setTimeout as sleepFor } from 'node:timers/promises'

export interface Clock {
  /** Milliseconds since any moment; they never go back. */
  now_ms(): number
  /** Throws the signal's reason as soon as it is set. */
  sleep(wait_ms: number, signal?: AbortSignal): Promise<void>
  /** A number in [0, 1), for waits that shall differ. */
  random(): number
}

/** The time of this process. */
export const processClock: Clock = {
  now_ms: () => performance.now(),
  async sleep(wait_ms, signal) {
    try {
      await sleepFor(wait_ms, undefined, signal === undefined ? {} : { signal })
    } catch (cause) {
      signal?.throwIfAborted()
      throw cause
    }
  },
  random: () => Math.random(),
}
