/** Instants in the form of the lake: `YYYY-MM-DD HH:MM:SS.ffffff`, always UTC. */
import { isDate } from '../../domain/business-day.ts'

const INSTANT =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.([0-9]{1,9}))?(?:Z|([+-][0-9]{2}:[0-9]{2}))$/
const FIRST_DAY = '1970-01-01'
const LAST_DAY = '2199-12-31'
const MINUTE_MS = 60_000
/** Dates that the calendar has. A list holds few dates, thousands of times each. */
const realDates = new Set<string>()

/**
 * Reads an ISO 8601 instant with Z or an offset and up to nine decimals, of which the lake stores six. Undefined for any
 * other text: no zone, a day that the calendar lacks, a leap second, 24:00, a year before 1970 or after 2199.
 */
export function instantText(text: string): string | undefined {
  const parts = INSTANT.exec(text)
  if (parts === null || !isDay(text) || !isTime(text)) return undefined
  const local = `${text.slice(0, 10)} ${text.slice(11, 19)}`
  const micros = (parts[1] ?? '').slice(0, 6).padEnd(6, '0')
  if (parts[2] === undefined) return `${local}.${micros}`
  const utc = withoutOffset(local, parts[2])
  return utc === undefined ? undefined : `${utc}.${micros}`
}

/** `offset` is how far the local time is ahead of UTC, such as `+05:30`. */
function withoutOffset(local: string, offset: string): string | undefined {
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(4, 6))]
  if (hours > 23 || minutes > 59) return undefined
  const ahead_ms = (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS
  const utc = new Date(Date.parse(`${local}Z`) - ahead_ms).toISOString()
  return isInRange(utc.slice(0, 10)) ? utc.slice(0, 19).replace('T', ' ') : undefined
}

function isDay(text: string): boolean {
  const date = text.slice(0, 10)
  if (realDates.has(date)) return true
  const real = isInRange(date) && isDate(date)
  if (real) realDates.add(date)
  return real
}

const isInRange = (date: string) => date >= FIRST_DAY && date <= LAST_DAY

function isTime(text: string): boolean {
  return text.slice(11, 13) <= '23' && text.slice(14, 16) <= '59' && text.slice(17, 19) <= '59'
}
