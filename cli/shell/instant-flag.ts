import { isDate } from '../../domain/business-day.ts'
import { Failure } from '../../domain/failure.ts'

/** Reports have rows and ages for each day up to their time, so a later one is probably mistyped. */
const YEAR_TOO_LATE = '2200'

/** Returns the time of a flag as typed. Throws usage. */
export function instantFlag(name: string, text: string): string {
  if (!isInstant(text)) {
    throw new Failure('usage', `${name} ${text} is not a time such as 2026-11-21T04:15:00Z`, {
      remedy: 'write the time in UTC as 2026-11-21T04:15:00Z',
    })
  }
  if (text < YEAR_TOO_LATE) return text
  throw new Failure('usage', `${name} ${text} is not before the year ${YEAR_TOO_LATE}`, {
    remedy: 'write an earlier time',
  })
}

/** Returns a landing number of the lake or a time as typed. Throws usage. */
export function knownAtFlag(text: string): string {
  if (/^\d{1,18}$/.test(text) || isInstant(text)) return text
  throw new Failure(
    'usage',
    `--known-at ${text} is neither a landing number nor a time such as 2026-11-21T04:15:00Z`,
    { remedy: 'write a number such as 17, or the time in UTC as 2026-11-21T04:15:00Z' },
  )
}

const isInstant = (text: string) =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/.test(text) &&
  isDate(text.slice(0, 10)) &&
  !Number.isNaN(Date.parse(text))
