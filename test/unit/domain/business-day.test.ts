import { expect, test } from 'vitest'
import {
  addDays,
  dateIn,
  instantsOf,
  isDate,
  startOfDay,
  withLocalTime,
} from '../../../domain/business-day.ts'

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

test.each([
  ['UTC', '2027-03-14', '02:30', ['2027-03-14T02:30:00.000Z']],
  ['America/New_York', '2027-03-13', '02:30', ['2027-03-13T07:30:00.000Z']],
  // Clocks go from 02:00 to 03:00.
  ['America/New_York', '2027-03-14', '02:30', []],
  ['America/New_York', '2027-03-14', '04:15', ['2027-03-14T08:15:00.000Z']],
  // Clocks go from 02:00 back to 01:00.
  [
    'America/New_York',
    '2027-11-07',
    '01:30',
    ['2027-11-07T05:30:00.000Z', '2027-11-07T06:30:00.000Z'],
  ],
  ['America/New_York', '2027-11-07', '04:15', ['2027-11-07T09:15:00.000Z']],
  // These times are half an hour apart.
  ['Australia/Lord_Howe', '2026-10-04', '02:15', []],
  ['Asia/Kolkata', '2026-11-21', '00:00', ['2026-11-20T18:30:00.000Z']],
])('in %s on %s it is %s at %j', (zone, date, time, instants) => {
  const found = instantsOf(zone, date, time).map((at_ms) => new Date(at_ms).toISOString())
  expect(found).toEqual(instants)
})

test('days are counted over the end of a month and of February in leap years', () => {
  expect(addDays('2026-11-30', 1)).toBe('2026-12-01')
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
})

test('only real dates are accepted', () => {
  expect(['2026-02-28', '2026-02-30', '2026-2-3', '20260203', ''].map(isDate)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
})

test.each([
  ['UTC', '2026-11-22T09:15:00Z'],
  ['America/New_York', '2026-11-22T09:15:00Z (2026-11-22 04:15 America/New_York)'],
])('an instant is shown with the clocks of %s', (zone, shown) => {
  expect(withLocalTime('2026-11-22T09:15:00Z', zone)).toBe(shown)
})
