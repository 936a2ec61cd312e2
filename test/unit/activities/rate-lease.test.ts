/** Goal: the lease of a worker on a credential's rate survives the end of earlier work. Method: a limiter that answers late. */
import { expect, test } from 'vitest'
import { RateLease, type Limiter } from '../../../activities/runtime/rate-lease.ts'
import { Rate } from '../../../api/rate/rate.ts'

test('work that begins before the lease of earlier work is released has a lease of its own', async () => {
  const holders = new Set<string>()
  const released: (() => void)[] = []
  const limiter: Limiter = {
    renew: ({ holder, view }) => {
      holders.add(holder)
      return Promise.resolve({ share: 1, lasts_ms: 10_000, blocked_ms: 0, view })
    },
    release: (holder) =>
      new Promise((resolve) => {
        released.push(() => {
          holders.delete(holder)
          resolve()
        })
      }),
  }
  const lease = new RateLease(new Rate(), { weight: 1 })
  const first = lease.during(limiter, () => Promise.resolve())
  await expect.poll(() => released).toHaveLength(1)
  let end = () => {}
  const second = lease.during(limiter, () => new Promise<void>((resolve) => (end = resolve)))
  released[0]?.()
  await first
  expect(holders.size).toBe(1)
  end()
  await expect.poll(() => released).toHaveLength(2)
  released[1]?.()
  await second
  expect(holders.size).toBe(0)
})
