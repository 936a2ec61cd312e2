/** How long to wait before a request is tried again. */

const FIRST_BACKOFF_MS = 250
const MAX_BACKOFF_MS = 15_000
const MAX_WAIT_MS = 3_600_000
const SECONDS = /^[0-9]+$/
const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/

type Header = string | string[] | undefined

/** Exponential backoff with full jitter. `tries` counts the failed ones, from 1; `random` lies in [0, 1). */
export function backoff_ms(tries: number, random: number): number {
  return random * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (tries - 1))
}

/**
 * What a Retry-After header asks for, at most one hour: whole seconds, or a date, which is measured against the Date
 * header of the same answer because the clocks may differ. Of several the longest. Undefined for zero, past dates and
 * anything else, where the caller backs off by itself.
 */
export function askedWait_ms(retryAfter: Header, date: Header): number | undefined {
  const waits = [retryAfter ?? []]
    .flat()
    .map((text) => oneWait_ms(text.trim(), date))
    .filter((wait_ms) => wait_ms > 0)
  return waits.length === 0 ? undefined : Math.min(MAX_WAIT_MS, Math.max(...waits))
}

/** Not a number where the text asks for nothing that can be understood. */
function oneWait_ms(text: string, date: Header): number {
  if (SECONDS.test(text)) return Number(text) * 1000
  return httpDate_ms(text) - httpDate_ms(typeof date === 'string' ? date : '')
}

/** Milliseconds since 1970 of an HTTP date, such as `Sat, 21 Nov 2026 10:00:00 GMT`; not a number for anything else. */
export function httpDate_ms(text: string): number {
  return HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
}
