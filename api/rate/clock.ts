/** The time that a source uses. A simulation replaces it. */
import { setTimeout as sleepFor } from 'node:timers/promises'

export interface Clock {
  /** Milliseconds since any moment. They never go back. */
  now_ms(): number
  /** Sleeps. Throws the signal's reason as soon as it is aborted. */
  sleep(wait_ms: number, signal?: AbortSignal): Promise<void>
  /** A random number in [0, 1), which makes the waits of several processes differ. */
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
