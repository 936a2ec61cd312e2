/** Proves that a store takes packs: it writes a small object and removes it. */
import { randomBytes } from 'node:crypto'
import type { OpenStore } from '../../domain/settings.ts'
import { withBucket } from './store-target.ts'

/** Throws store_unreachable. */
export const tryStore = (out: string, open: OpenStore): Promise<void> =>
  withBucket(open, async (bucket) => {
    const address = `${out}/.doctor-${randomBytes(4).toString('hex')}`
    await bucket.putText(address, 'x', { isNew: true })
    await bucket.remove(address)
  })
