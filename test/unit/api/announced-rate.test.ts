/**
 * Goal: a sweep obeys the limits that a service announces. Method: the headers of an answer, in every form that
 * services have published.
 */
import { describe, expect, test } from 'vitest'
import { announcedRate, type Announced } from '../../../api/rate/announced-rate.ts'

const NOW = new Date('2026-11-21T10:00:00Z')
const DATE = 'Sat, 21 Nov 2026 10:00:00 GMT'
/** 2026-11-21T10:00:00Z */
const EPOCH_S = NOW.getTime() / 1000
const said = (headers: Record<string, string | string[]>, status = 200) =>
  announcedRate({ status, headers }, NOW)

describe('Retry-After', () => {
  test.each([
    ['whole seconds', '120', 120_000],
    ['decimals', '4.0', 4000],
    ['a decimal part of a second', '0.25', 250],
    ['leading zeros', '007', 7000],
    ['a unit', '30s', 30_000],
    ['a unit in words', '2 minutes', 120_000],
    ['milliseconds', '1500ms', 1500],
    ['several units', '6m0s', 360_000],
    ['an ISO 8601 span', 'PT1M30S', 90_000],
    ['a remark', '20; busy', 20_000],
    ['a remark in brackets', '20 (busy)', 20_000],
    ['a date of HTTP', 'Sat, 21 Nov 2026 10:01:30 GMT', 90_000],
    ['a date of the oldest HTTP', 'Saturday, 21-Nov-26 10:01:30 GMT', 90_000],
    ['a date of C', 'Sat Nov 21 10:01:30 2026', 90_000],
    ['a date of ISO 8601', '2026-11-21T10:01:30Z', 90_000],
    ['a date with an offset', '2026-11-21T11:01:30+01:00', 90_000],
    ['a date without a zone', '2026-11-21T10:01:30', 90_000],
    ['seconds since 1970', String(EPOCH_S + 45), 45_000],
    ['milliseconds since 1970', String((EPOCH_S + 45) * 1000), 45_000],
    ['the longest of several', '3, 20', 20_000],
    ['400 days at most', '9'.repeat(400), 34_560_000_000],
    ['zero', '0', undefined],
    ['a negative number', '-5', undefined],
    ['an exponent', '1e9', undefined],
    ['words', 'a minute', undefined],
    ['another unit', '3 months', undefined],
    ['a date that has passed', 'Sat, 21 Nov 2026 09:00:00 GMT', undefined],
    ['an impossible date', 'Sat, 99 Nov 2026 10:00:00 GMT', undefined],
    ['nothing', ' ', undefined],
  ])('%s: %s', (_, text, wait_ms) => {
    expect(said({ 'retry-after': text }, 429).wait_ms).toBe(wait_ms)
  })

  test('the readable one of two headers counts, and a good answer asks for no wait by it', () => {
    expect(said({ 'retry-after': ['soon', '4'] }, 503)).toEqual({ wait_ms: 4000 })
    expect(said({ 'retry-after-ms': '1500' }, 429)).toEqual({ wait_ms: 1500 })
    expect(said({ 'retry-after': '4' })).toEqual({})
  })

  test('a date is measured by the Date header of the same answer, and without one by our clock', () => {
    const headers = { 'retry-after': 'Sat, 21 Nov 2026 10:11:00 GMT' }
    expect(said({ ...headers, date: 'Sat, 21 Nov 2026 10:10:00 GMT' }, 429).wait_ms).toBe(60_000)
    expect(said(headers, 429).wait_ms).toBe(660_000)
  })
})

describe('a reset', () => {
  test.each([
    ['a span', 'x-ratelimit-reset', '30', 30_000],
    ['a decimal span', 'x-ratelimit-reset', '1.5', 1500],
    ['a span with its unit', 'x-ratelimit-reset', '6m0s', 360_000],
    ['seconds since 1970', 'x-ratelimit-reset', String(EPOCH_S + 10), 10_000],
    ['milliseconds since 1970', 'x-ratelimit-reset', String((EPOCH_S + 10) * 1000), 10_000],
    ['a decimal instant', 'x-ratelimit-reset', `${EPOCH_S + 10}.5`, 10_500],
    ['a date of ISO 8601', 'x-ratelimit-reset', '2026-11-21T10:00:10Z', 10_000],
    ['a date of HTTP', 'x-ratelimit-reset', 'Sat, 21 Nov 2026 10:00:10 GMT', 10_000],
    ['the name without an X', 'ratelimit-reset', '10', 10_000],
    ['the name in three words', 'x-rate-limit-reset', '10', 10_000],
    ['Reset-After', 'x-ratelimit-reset-after', '1.2', 1200],
    ['a name of a window', 'x-ratelimit-reset-minute', '12', 12_000],
    ['a name of what is counted', 'x-ratelimit-reset-requests', '17ms', 17],
  ])('%s', (_, name, text, wait_ms) => {
    const remaining = name.replace(/reset(-after)?/, 'remaining')
    expect(said({ [name]: text, [remaining]: '0' })).toEqual({ wait_ms })
    // No wait is needed as long as requests are left.
    expect(said({ [name]: text, [remaining]: '100' }).wait_ms).toBeUndefined()
  })

  test('a reset is an instant by the clock of the service', () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(EPOCH_S + 602) }
    expect(said({ ...headers, date: 'Sat, 21 Nov 2026 10:10:00 GMT' })).toEqual({ wait_ms: 2000 })
    expect(said(headers)).toEqual({ wait_ms: 602_000 })
  })

  test('a reset is the wait of a 429 without other headers; with Retry-After the longer wait counts', () => {
    expect(said({ 'x-ratelimit-reset': '9' }, 429)).toEqual({ wait_ms: 9000 })
    expect(said({ 'x-ratelimit-reset': '9' })).toEqual({})
    const both = { 'retry-after': '3', 'x-ratelimit-reset': '9', 'x-ratelimit-remaining': '0' }
    expect(said(both, 429)).toEqual({ wait_ms: 9000 })
  })

  test('the limit that is used up counts among several limits', () => {
    const headers = { 'x-ratelimit-reset-minute': '50', 'x-ratelimit-remaining-minute': '7' }
    const day = { 'x-ratelimit-reset-day': '5000', 'x-ratelimit-remaining-day': '0' }
    expect(said({ ...headers, ...day }).wait_ms).toBe(5_000_000)
    expect(said({ ...headers, 'x-ratelimit-remaining-tokens': '0' }).wait_ms).toBeUndefined()
  })
})

test.each<[string, Record<string, string>, Announced]>([
  ['nothing', {}, {}],
  ['a policy', { 'ratelimit-policy': '"default";q=100;w=60' }, { perSecond: 100 / 60 }],
  ['a policy of the older form', { 'ratelimit-policy': '100;w=60' }, { perSecond: 100 / 60 }],
  [
    'two policies, of which the long one is no pace',
    { 'ratelimit-policy': '"burst";q=100;w=10,"daily";q=86400;w=86400' },
    { perSecond: 10 },
  ],
  ['a policy of bytes', { 'ratelimit-policy': '"b";q=1000;w=1;qu="content-bytes"' }, {}],
  ['a number of requests left', { ratelimit: '"default";r=50;t=30' }, { perSecond: 50 / 30 }],
  ['nothing left', { ratelimit: '"default";r=0;t=30' }, { wait_ms: 30_000 }],
  [
    'nothing left, in the older form',
    { ratelimit: 'limit=9, remaining=0, reset=5' },
    { wait_ms: 5000 },
  ],
  [
    'the older names',
    { 'ratelimit-limit': '100, 100;w=60', 'ratelimit-remaining': '7', 'ratelimit-reset': '5' },
    { perSecond: 7 / 5 },
  ],
  [
    'a limit that names its window',
    { 'x-ratelimit-limit-minute': '120', 'x-ratelimit-remaining-minute': '100' },
    { perSecond: 2 },
  ],
  [
    'a day of which nearly all is left',
    { 'ratelimit-policy': '"day";q=10000;w=86400', ratelimit: '"day";r=9990;t=80000' },
    {},
  ],
  [
    'a day of which little is left',
    { 'ratelimit-policy': '"day";q=10000;w=86400', ratelimit: '"day";r=80;t=160' },
    { sparing: 0.5 },
  ],
  [
    'a long reset of which nearly all is left',
    { 'x-ratelimit-limit': '10000', 'x-ratelimit-remaining': '9990', 'x-ratelimit-reset': '80000' },
    {},
  ],
  [
    'a long reset of an unknown limit',
    { 'x-ratelimit-remaining': '40', 'x-ratelimit-reset': '80000' },
    {},
  ],
  [
    'the rest of an unknown limit',
    { 'x-ratelimit-remaining': '10', 'x-ratelimit-reset': '100' },
    { sparing: 0.1 },
  ],
  [
    'an instant that has passed',
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1700000000', date: DATE },
    {},
  ],
  [
    'nonsense',
    {
      'x-ratelimit-remaining': '-1',
      'ratelimit-limit': 'many;w=0',
      'ratelimit-policy': '"a";q=5;w=0',
      ratelimit: '"a";r=x;t=-4',
    },
    {},
  ],
])('the headers of a limit are understood: %s', (_name, headers, announced) => {
  expect(said(headers)).toEqual(announced)
})
