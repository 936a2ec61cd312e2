/** Business days: calendar dates (`YYYY-MM-DD`) of an IANA time zone. Instants are UTC milliseconds. */

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const DAY_MS = 86_400_000

/** True for a real calendar date such as `2026-02-28`. */
export function isDate(text: string): boolean {
  if (!DATE.test(text)) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The business date on which an instant falls. */
export function dateIn(zone: string, at_ms: number): string {
  return wallClock(zone, at_ms).slice(0, 10)
}

/** The instant at which a business date begins; where midnight does not exist, the first instant after it. */
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

export function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) instanceof Intl.DateTimeFormat
  } catch {
    return false
  }
}

function wallClock(zone: string, at_ms: number): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  return parts.format(at_ms)
}

/** The hour and the minute of a time such as `04:15`, whose form was checked when it was read. */
export function timeOfDay(text: string): { hour: number; minute: number } {
  const [hour = 0, minute = 0] = text.split(':').map(Number)
  return { hour, minute }
}
