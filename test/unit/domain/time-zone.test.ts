import { expect, test } from 'vitest'
import { timeZoneNamed } from '../../../domain/time-zone.ts'

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['america/new_york', 'America/New_York'],
  ['AMERICA/PORT-AU-PRINCE', 'America/Port-au-Prince'],
  ['antarctica/mcmurdo', 'Antarctica/McMurdo'],
  ['utc', 'UTC'],
  ['etc/gmt+5', 'Etc/GMT+5'],
  // Older and newer versions of Node call these by two names each.
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['asia/calcutta', 'Asia/Calcutta'],
  ['europe/kyiv', 'Europe/Kyiv'],
  ['us/eastern', 'US/Eastern'],
  ['EST', 'EST'],
])('%s is the zone %s', (said, zone) => {
  expect(timeZoneNamed(said)).toBe(zone)
})

test.each(['PST', 'IST', 'SystemV/PST8PDT', 'US/Pacific-New', '+05:00', 'Mars/Base', 'UTC ', ''])(
  '%s, which Node or DuckDB may accept and Temporal does not, is no zone',
  (said) => {
    expect(timeZoneNamed(said)).toBeUndefined()
  },
)
