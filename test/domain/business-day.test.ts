import { expect, test } from 'vitest'
import { addDays, dateIn, isDate, isTimeZone, startOfDay } from '../../domain/business-day.ts'

test.each([
  ['UTC', '2026-11-21', '2026-11-21T00:00:00.000Z'],
  ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z'],
  ['America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z'],
  ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  ['America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z'],
  ['Asia/Kolkata', '2026-11-21', '2026-11-20T18:30:00.000Z'],
  ['Pacific/Kiritimati', '2026-11-21', '2026-11-20T10:00:00.000Z'],
  // Midnight of this day does not exist in Cairo: clocks go from 00:00 to 01:00.
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
])('in %s the business day %s begins at %s', (zone, date, instant) => {
  const start = startOfDay(zone, date)
  expect(new Date(start).toISOString()).toBe(instant)
  expect(dateIn(zone, start)).toBe(date)
  expect(dateIn(zone, start - 1)).toBe(addDays(date, -1))
})

test('days are counted over the end of a month and of February in leap years', () => {
  expect(addDays('2026-11-30', 1)).toBe('2026-12-01')
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
})

test('only real dates and known zones are accepted', () => {
  expect(['2026-02-28', '2026-02-30', '2026-2-3', '20260203', ''].map(isDate)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
  expect(['UTC', 'Europe/Berlin', 'Mars/Base'].map(isTimeZone)).toEqual([true, true, false])
})
