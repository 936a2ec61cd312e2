import fc from 'fast-check'
import { expect, test } from 'vitest'
import { announcedRate } from '../../api/announced-rate.ts'
import { Rate } from '../../api/rate.ts'
import { lease, LEASE_MS, newLeaseBook } from '../../domain/rate.ts'
import { randomFrom } from '../../simulator/random.ts'
import { drive, type Drive } from './limited-service.ts'
import { VirtualClock } from './virtual-clock.ts'

const FORTY: Drive = { allowed: () => 40, answers: 2000, workers: 1, retryAfter_ms: 1000 }

test.each([
  ['one worker', {}],
  ['three workers', { workers: 3 }],
  ['a service that names no wait', { retryAfter_ms: undefined }],
  ['a worker that comes later', { workers: 2, joinsAfter_ms: 10_000 }],
  ['a slow service', { latency_ms: 400 }],
])('2000 pages at 40 per second take little longer than they must: %s', async (_name, more) => {
  const { ratio, refusedLater, perSecond } = await drive({ ...FORTY, ...more })
  expect(ratio).toBeLessThan(1.15)
  expect(refusedLater).toBeLessThan(0.01)
  // The service lets a burst of one second's requests through.
  expect(Math.max(...perSecond)).toBeLessThanOrEqual(80)
})

test.each([40, 43, 46])(
  'a limit that falls to a quarter and rises to six times as much after %i seconds is found within seconds',
  async (rises_s) => {
    const { perSecond, refusedLater, ratio } = await drive({
      ...FORTY,
      allowed: (second) => (second < 20 ? 40 : second < rises_s ? 10 : 60),
      answers: 5000,
    })
    const mean = (from: number, to: number) =>
      perSecond.slice(from, to).reduce((sum, count) => sum + count, 0) / (to - from)
    expect(mean(25, rises_s)).toBeGreaterThan(8)
    expect(mean(25, rises_s)).toBeLessThan(11)
    expect(mean(rises_s + 20, rises_s + 35)).toBeGreaterThan(50)
    expect(mean(rises_s + 20, rises_s + 35)).toBeLessThan(66)
    expect(refusedLater).toBeLessThan(0.01)
    expect(ratio).toBeLessThan(1.16)
  },
)

test('a limit that the service announces is never met', async () => {
  const { refused, ratio } = await drive({ ...FORTY, announces: true })
  expect(refused).toBe(0)
  expect(ratio).toBeLessThan(1.05)
})

test.each([
  ['nothing', {}, {}],
  ['a policy', { 'ratelimit-policy': '"default";q=100;w=60' }, { perSecond: 100 / 60 }],
  [
    'two policies, of which the tighter counts',
    { 'ratelimit-policy': '"burst";q=100;w=10,"daily";q=86400;w=86400' },
    { perSecond: 1 },
  ],
  ['what is left', { ratelimit: '"default";r=50;t=30' }, { remaining: 50, reset_ms: 30_000 }],
  [
    'the older names',
    { 'ratelimit-limit': '100, 100;w=60', 'ratelimit-remaining': '7', 'ratelimit-reset': '5' },
    { remaining: 7, reset_ms: 5000, perSecond: 100 / 60 },
  ],
  [
    'an instant instead of a span',
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1800000010' },
    { remaining: 0, reset_ms: 10_000 },
  ],
  [
    'an instant that has passed',
    { 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': '1700000000' },
    { remaining: 3 },
  ],
  [
    'nonsense',
    {
      'x-ratelimit-remaining': '-1',
      'ratelimit-limit': 'many;w=0',
      'ratelimit-policy': '"a";q=5;w=0',
    },
    {},
  ],
])('the headers of a limit are understood: %s', (_name, headers, announced) => {
  expect(announcedRate(headers, new Date(1_800_000_000_000))).toEqual(announced)
})

test('whoever comes, goes and stays away, the shares that are out never exceed the whole', () => {
  const step = fc.record({
    holder: fc.constantFrom('a', 'b', 'c', 'd'),
    weight: fc.integer({ min: 1, max: 5 }),
    wait_ms: fc.integer({ min: 0, max: 6000 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let book = newLeaseBook()
      let now_ms = 0
      const out = new Map<string, { share: number; until_ms: number }>()
      for (const { holder, weight, wait_ms } of steps) {
        now_ms += wait_ms
        const view = { version: 0, perSecond: 10, known: null }
        const [after, given] = lease(book, { holder, weight, view, blocked_ms: 0 }, now_ms)
        book = after
        out.set(holder, { share: given.share, until_ms: now_ms + LEASE_MS })
        const sum = [...out.values()].reduce(
          (all, { share, until_ms }) => all + (until_ms > now_ms ? share : 0),
          0,
        )
        expect(sum).toBeLessThanOrEqual(1 + 1e-9)
      }
    }),
  )
})

test('a worker that hears nothing of its lease any more keeps its share to the end, and then a tenth', () => {
  const clock = new VirtualClock(randomFrom(1, 1))
  const rate = new Rate({ startPerSecond: 20 }, clock)
  const view = { version: 1, perSecond: 40, known: 40 }
  rate.take({ share: 0.5, lasts_ms: 1000, blocked_ms: 0, view })
  expect(rate.perSecond).toBe(20)
  return clock.run(
    clock.sleep(1000).then(() => {
      expect(rate.perSecond).toBe(4)
      return undefined
    }),
  )
})
