/** Proves that a store takes packs: it writes a small object and removes it. */
import { randomBytes } from 'node:crypto'
import { Failure } from '../../domain/failure.ts'
import type { OpenStore } from '../../domain/settings.ts'
import { withBucket } from './store-target.ts'

/** Throws store_unreachable, also for a store that writes over an object in spite of If-None-Match. */
export const tryStore = (out: string, open: OpenStore): Promise<void> =>
  withBucket(open, async (bucket) => {
    const address = `${out}/.doctor-${randomBytes(4).toString('hex')}`
    await bucket.putText(address, 'x', { isNew: true })
    const isReplaced = await bucket.putText(address, 'y', { isNew: true })
    await bucket.remove(address)
    if (isReplaced) throw noCondition(out)
  })

const noCondition = (out: string) =>
  new Failure(
    'store_unreachable',
    `${out}: the store ignores If-None-Match, so that a pack could replace another`,
    {
      remedy: 'use another store, or name a folder with --out',
      retry: false,
    },
  )
