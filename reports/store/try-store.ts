/** Proves that a store takes packs or files of a lake: it writes a small object and removes it. */
import { randomBytes } from 'node:crypto'
import { Failure } from '../../domain/failure.ts'
import type { OpenStore } from '../../domain/settings.ts'
import { withBucket } from './store-target.ts'

/** Throws store_unreachable, also for a store that writes over a pack in spite of If-None-Match. */
export const tryStore = (place: string, open: OpenStore, isForPacks = true): Promise<void> =>
  withBucket(open, async (bucket) => {
    const address = `${place}/.doctor-${randomBytes(4).toString('hex')}`
    await bucket.putText(address, 'x', { isNew: isForPacks })
    const isReplaced = isForPacks && (await bucket.putText(address, 'y', { isNew: true }))
    await bucket.remove(address)
    if (isReplaced) throw noCondition(place)
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
