/**
 * Business days of banks: the Federal Reserve's calendar with the account's own changes. Dates are
 * `YYYY-MM-DD`.
 */
import { addDays } from './business-day.ts'

/** Days that differ from the calendar. */
export interface BankHolidays {
  /** Closed, although the calendar says open. */
  closed: readonly string[]
  /** Open, although the calendar says closed. */
  open: readonly string[]
}

/**
 * Holidays with a fixed date. On a Sunday the banks close on Monday; on a Saturday they stay open
 * on Friday.
 */
const FIXED = ['01-01', '06-19', '07-04', '11-11', '12-25']

/** Holidays on the nth weekday of a month: month, weekday (0 is Sunday), n; -1 is the last one. */
const MOVING = [
  [1, 1, 3],
  [2, 1, 3],
  [5, 1, -1],
  [9, 1, 1],
  [10, 1, 2],
  [11, 4, 4],
] as const

const SUNDAY = 0
const SATURDAY = 6

export function isBankDay(date: string, { closed, open }: BankHolidays): boolean {
  if (closed.includes(date)) return false
  if (open.includes(date)) return true
  const weekday = weekdayOf(date)
  if (weekday === SATURDAY || weekday === SUNDAY) return false
  const isMondayAfter = weekday === 1 && FIXED.includes(addDays(date, -1).slice(5))
  return !isMondayAfter && !FIXED.includes(date.slice(5)) && !isMoving(date, weekday)
}

/**
 * Counts the bank days after the first date, up to and including the second; 0 if the second is not
 * later.
 */
export function bankDaysBetween(from: string, to: string, holidays: BankHolidays): number {
  let count = 0
  for (let date = addDays(from, 1); date <= to; date = addDays(date, 1)) {
    if (isBankDay(date, holidays)) count += 1
  }
  return count
}

function isMoving(date: string, weekday: number): boolean {
  const [month, day] = [Number(date.slice(5, 7)), Number(date.slice(8))]
  const isLast = addDays(date, 7).slice(5, 7) !== date.slice(5, 7)
  return MOVING.some(
    ([itsMonth, itsWeekday, n]) =>
      itsMonth === month &&
      itsWeekday === weekday &&
      (n === -1 ? isLast : Math.ceil(day / 7) === n),
  )
}

const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay()
