import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Rate } from '../../api/rate/rate.ts'
import { lease, LEASE_MS, newLeaseBook } from '../../domain/rate.ts'
import { randomFrom } from '../../simulator/world/random.ts'
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

test('a worker stays below a limit that the service announces', async () => {
  const { refused, ratio } = await drive({ ...FORTY, announces: true })
  expect(refused).toBe(0)
  expect(ratio).toBeLessThan(1.05)
})

/** A rate on a virtual clock; what is done with it ends at once. */
async function rated(work: (rate: Rate, clock: VirtualClock) => Promise<void>): Promise<void> {
  const clock = new VirtualClock(randomFrom(1, 1))
  const rate = new Rate({ startPerSecond: 20 }, clock)
  await clock.run(work(rate, clock))
}

test('an outage does not change the rate: after ten minutes of it the next request is as fast as before', () =>
  rated(async (rate, clock) => {
    const turn = await rate.queue()()
    rate.heard(turn, 'refused', { wait_ms: 1000 })
    const before = rate.perSecond
    for (let n = 0; n < 600; n += 1) {
      await clock.sleep(1000)
      rate.heard({ sentAt_ms: clock.now_ms() }, 'broken')
    }
    expect(rate.perSecond).toBe(before)
    rate.heard({ sentAt_ms: clock.now_ms() }, 'passed')
    expect(rate.perSecond).toBe(before)
  }))

test('the rate does not grow during an outage', () =>
  rated(async (rate, clock) => {
    rate.heard(await rate.queue()(), 'broken')
    const turns = Array.from({ length: 40 }, () => rate.queue()())
    await Promise.all(turns)
    expect(rate.perSecond).toBe(20)
    expect(clock.now_ms()).toBeGreaterThan(1000)
  }))

test('a request that goes first is sent before those that wait already', () =>
  rated(async (rate) => {
    const order: string[] = []
    const sent = (name: string, goesFirst = false) =>
      rate
        .queue(Infinity, goesFirst)()
        .then(() => order.push(name))
    const pages = Array.from({ length: 40 }, (_, at) => sent(`page ${at}`))
    await Promise.all([...pages, sent('length', true)])
    // Only those that were sent at once are before it.
    expect(order.indexOf('length')).toBeLessThan(10)
  }))

test('a wait is announced with its length, its end and its reason, and nothing is sent before its end', () =>
  rated(async (rate, clock) => {
    expect(rate.lastWait).toBeUndefined()
    rate.heard(await rate.queue()(), 'passed', { wait_ms: 30_000 })
    expect(rate.lastWait).toMatch(
      /^waiting 30 s, until [-0-9]+T[:0-9]+Z: the service says: nothing is left of its limit of requests$/,
    )
    expect((await rate.queue(60_000)()).sentAt_ms).toBeGreaterThanOrEqual(30_000)
    await clock.sleep(10_000)
    expect(rate.lastWait).toBeUndefined()
  }))

test('a wait longer than the time for tries fails at once, and the error names its end', () =>
  rated(async (rate, clock) => {
    const waiting = rate.queue(120_000)
    rate.heard(await rate.queue()(), 'passed', { wait_ms: 3_600_000 })
    await expect(waiting()).rejects.toMatchObject({
      code: 'source_throttled',
      retry: false,
      retry_after_ms: 3_600_000,
      message: expect.stringMatching(
        /^the service allows no request before [-0-9]+T[:0-9]+Z, and source.retry_budget_ms allows a wait of 120 s at most$/,
      ),
    })
    expect(clock.now_ms()).toBeLessThan(1000)
  }))

test('a nearly used long window gets one request at regular intervals, until it allows more', () =>
  rated(async (rate) => {
    rate.heard(await rate.queue()(), 'passed', { sparing: 0.5 })
    expect(rate.perSecond).toBe(0.5)
    expect(rate.lastWait).toContain('one is sent every 2 s')
    rate.heard(await rate.queue()(), 'passed', { sparing: 0.001 })
    expect(rate.perSecond).toBe(0.2)
    rate.heard(await rate.queue()(), 'passed', {})
    expect(rate.perSecond).toBe(20)
  }))

test('the sum of all leased shares never exceeds the whole, whichever workers join, leave or stay away', () => {
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

test('a worker that loses contact uses its share until the lease ends, and then a tenth of it', () => {
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
