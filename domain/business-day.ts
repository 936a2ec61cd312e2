/** Business days: calendar dates (`YYYY-MM-DD`) of an IANA time zone. Instants are UTC milliseconds. */

import { Failure } from './failure.ts'

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
export const DAY_MS = 86_400_000

/** Returns true for a real calendar date such as `2026-02-28`. */
export function isDate(text: string): boolean {
  if (!DATE.test(text)) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** A day that is further ahead than this is a typing error, such as a year of another age. */
const MOST_DAYS_AHEAD = 366

/** Refuses a date that is more than a year ahead. Throws usage; `place` names the flag or the cell. */
export function refuseFarAhead(place: string, date: string, today: string): void {
  if (date <= addDays(today, MOST_DAYS_AHEAD)) return
  throw new Failure('usage', `${place} ${date} is more than a year after ${today}`, {
    remedy: 'write an earlier day',
  })
}

/** The business date on which an instant falls. */
export function dateIn(zone: string, at_ms: number): string {
  return clockTime(zone, at_ms).slice(0, 10)
}

/**
 * The instant at which a business date begins; if midnight does not exist, the first instant after
 * it.
 */
export function startOfDay(zone: string, date: string): number {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  // Every zone lies within 26 hours of UTC: bisect for the first instant that shows this date.
  let [before, after] = [midnight - 26 * 3_600_000, midnight + 26 * 3_600_000]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (dateIn(zone, middle) < date) before = middle
    else after = middle
  }
  return after
}

/** The same instant as text, such as `2026-11-22T05:00:00.000Z`. */
export const dayStart = (zone: string, date: string): string =>
  new Date(startOfDay(zone, date)).toISOString()

/**
 * The instants at which the clocks of a zone show a time such as `04:15` on a date. A skipped time
 * has none; a repeated one has two.
 */
export function instantsOf(zone: string, date: string, time: string): number[] {
  const shown = `${date} ${time}`
  const asUtc = Date.parse(`${date}T${time}:00Z`)
  // Clocks don't change twice within two days, so one of the two offsets is right.
  const possible = [-DAY_MS, DAY_MS].map((away_ms) => asUtc - offset_ms(zone, asUtc + away_ms))
  return [...new Set(possible)]
    .filter((at_ms) => clockTime(zone, at_ms) === shown)
    .toSorted((one, other) => one - other)
}

/** An instant with the time on the clocks of a zone, such as `2026-11-22T09:15:00Z (2026-11-22 04:15 America/New_York)`. */
export const withLocalTime = (instant: string, zone: string): string =>
  zone === 'UTC' ? instant : `${instant} (${clockTime(zone, Date.parse(instant))} ${zone})`

/** The lead of a zone's clocks over UTC. */
const offset_ms = (zone: string, at_ms: number): number =>
  Date.parse(`${clockTime(zone, at_ms).replace(' ', 'T')}:00Z`) - at_ms

/** Making a formatter takes longer than using it a hundred times. */
const clocks = new Map<string, Intl.DateTimeFormat>()

/** The date and time on the clocks of a zone, such as `2026-11-22 04:15`. */
function clockTime(zone: string, at_ms: number): string {
  const clock = clocks.get(zone) ?? newClock(zone)
  clocks.set(zone, clock)
  return clock.format(at_ms)
}

const newClock = (zone: string) =>
  new Intl.DateTimeFormat('sv-SE', {
    ...{ timeZone: zone, hourCycle: 'h23', hour: '2-digit', minute: '2-digit' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  })

/** The hour and the minute of a validated time such as `04:15`. */
export function timeOfDay(text: string): { hour: number; minute: number } {
  return { hour: Number(text.slice(0, 2)), minute: Number(text.slice(3)) }
}
