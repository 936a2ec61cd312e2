/** The wait before a request is repeated. */

const FIRST_BACKOFF_MS = 250
const MAX_BACKOFF_MS = 15_000

/** Exponential backoff with full jitter. `tries` counts the failed tries from 1; `random` lies in [0, 1). */
export function backoff_ms(tries: number, random: number): number {
  return random * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (tries - 1))
}
