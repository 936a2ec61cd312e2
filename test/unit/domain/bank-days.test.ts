import { expect, test } from 'vitest'
import { bankDaysBetween, isBankDay } from '../../../domain/bank-days.ts'
import { addDays } from '../../../domain/business-day.ts'

const NONE = { closed: [], open: [] }

/** Weekdays of a year on which the banks are closed. */
function closedIn(year: number): string[] {
  const days = Array.from({ length: 366 }, (_, n) => addDays(`${year}-01-01`, n))
  return days.filter((date) => {
    const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
    return date.startsWith(`${year}`) && weekday % 6 !== 0 && !isBankDay(date, NONE)
  })
}

test('banks close on the eleven holidays, and a holiday on a Saturday closes no Friday', () => {
  expect(closedIn(2026)).toEqual([
    ...['2026-01-01', '2026-01-19', '2026-02-16', '2026-05-25', '2026-06-19', '2026-09-07'],
    ...['2026-10-12', '2026-11-11', '2026-11-26', '2026-12-25'],
  ])
})

test('a holiday on a Sunday closes the Monday after it', () => {
  expect(closedIn(2027)).toEqual([
    ...['2027-01-01', '2027-01-18', '2027-02-15', '2027-05-31', '2027-07-05', '2027-09-06'],
    ...['2027-10-11', '2027-11-11', '2027-11-25'],
  ])
  expect(isBankDay('2023-01-02', NONE)).toBe(false)
})

test('two bank days lie between the day before Thanksgiving and the Monday after it', () => {
  expect(bankDaysBetween('2026-11-25', '2026-11-30', NONE)).toBe(2)
  expect(bankDaysBetween('2026-11-25', '2026-11-25', NONE)).toBe(0)
  expect(bankDaysBetween('2026-11-27', '2026-11-29', NONE)).toBe(0)
})

test('a person may close a day, and open one', () => {
  const said = { closed: ['2026-11-27'], open: ['2026-11-26', '2026-11-28'] }
  expect(bankDaysBetween('2026-11-25', '2026-11-30', said)).toBe(3)
})
