/** Reads the wait that a service asks for, in each form in which services write it. */
import { DAY_MS } from '../../domain/business-day.ts'

/** A longer wait is a mistake of the service. */
const LONGEST_MS = 400 * DAY_MS
/** A number from this size on is an instant, not a duration: seconds since 1970, or a thousandth or less of them. */
const EPOCH_S = 1_000_000_000
const FAR_S = 100_000_000_000
const NUMBER = /^[0-9]{1,400}(?:\.[0-9]{0,40})?$/
/** Matches the parts of `1m30s`, `17ms`, `30 seconds` and `PT1M30S`. */
const PART =
  /([0-9]{1,12}(?:\.[0-9]{1,9})?) ?(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?)(?![a-z]) ?/gi
const UNITS_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: DAY_MS }
const WORDY_DATE = /^[A-Z][a-z]{2,8},? .*[0-9]{2}:[0-9]{2}:[0-9]{2}/
const ISO_DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}/
const ZONE = /(?:Z|GMT|UTC|[+-][0-9]{2}:?[0-9]{2})$/
const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/

/**
 * Returns the milliseconds from `now_ms`, the service's clock, to the instant that a text names. The text is a
 * duration (`4`, `4.0`, `30s`, `6m0s`), seconds or milliseconds since 1970, or a date of HTTP or ISO 8601. The
 * longest of several durations with commas between them counts. Text after a `;` or a `(` is ignored. Returns
 * undefined for zero, for a past instant, and for any other text.
 */
export function waitText_ms(text: string, now_ms: number): number | undefined {
  const plain = text.split(/[;(]/)[0]?.trim() ?? ''
  const whole = oneWait_ms(plain, now_ms)
  const waits =
    whole === undefined ? plain.split(',').map((one) => oneWait_ms(one.trim(), now_ms)) : [whole]
  const longest_ms = Math.max(0, ...waits.map((wait_ms) => wait_ms ?? 0))
  return longest_ms > 0 ? Math.min(LONGEST_MS, longest_ms) : undefined
}

function oneWait_ms(text: string, now_ms: number): number | undefined {
  if (NUMBER.test(text)) return ofNumber_ms(Number(text), now_ms)
  const at_ms = dateText_ms(text)
  return at_ms === undefined ? ofSpan_ms(text) : at_ms - now_ms
}

function ofNumber_ms(value: number, now_ms: number): number {
  if (value < EPOCH_S) return value * 1000
  let at_s = value
  // The loop reduces milliseconds, microseconds or nanoseconds to seconds.
  while (at_s > FAR_S && at_s < Infinity) at_s /= 1000
  return at_s * 1000 - now_ms
}

function ofSpan_ms(text: string): number | undefined {
  const span = text.replace(/^PT/i, '')
  let total_ms = 0
  const rest = span.replace(PART, (_part, count: string, unit: string) => {
    const name = unit.toLowerCase()
    const unit_ms = name.startsWith('ms') || name.startsWith('mil') ? 1 : UNITS_MS[name[0] ?? '']
    total_ms += Number(count) * (unit_ms ?? 0)
    return ''
  })
  return span !== '' && rest === '' ? total_ms : undefined
}

function dateText_ms(text: string): number | undefined {
  if (!WORDY_DATE.test(text) && !ISO_DATE.test(text)) return undefined
  const at_ms = Date.parse(ZONE.test(text) ? text : `${text}${ISO_DATE.test(text) ? 'Z' : ' GMT'}`)
  return Number.isNaN(at_ms) ? undefined : at_ms
}

/**
 * Returns milliseconds since 1970 for a Date header such as `Sat, 21 Nov 2026 10:00:00 GMT`, and NaN for anything
 * else.
 */
export function httpDate_ms(text: string): number {
  return HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
}

/** The instant at the end of a wait that begins now, by our clock, to the second. */
export const instantAfter = (wait_ms: number): string =>
  new Date(Math.ceil((Date.now() + wait_ms) / 1000) * 1000).toISOString().replace('.000Z', 'Z')
