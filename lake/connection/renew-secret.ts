/** Replaces the keys of an open lake's object store before they expire. */
import type { DuckDBInstance } from '@duckdb/node-api'
import type { LakeSettings } from '../../domain/settings.ts'
import { createStoreSecret } from './secrets.ts'

/** A request that begins shortly before the end must still arrive in time. Amazon's library fetches new keys then. */
const AHEAD_MS = 5 * 60_000
const LEAST_WAIT_MS = 1000
/** The longest wait of a timer in Node. */
const MOST_WAIT_MS = 2 ** 31 - 1

/** Renews the keys until `stop`. A failure is tried again; the store's own answer then reports the old keys. */
export function renewSecret(
  instance: DuckDBInstance,
  settings: LakeSettings,
  expiresAt_ms: number | undefined,
): { stop: () => void } {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const wait = (until_ms: number | undefined) => {
    if (until_ms === undefined || isStopped) return
    timer = setTimeout(() => void renew(until_ms), waitUntil(until_ms)).unref()
  }
  const renew = async (until_ms: number) => {
    const next_ms = await renewed(instance, settings, () => isStopped).catch(() => until_ms)
    wait(next_ms)
  }
  wait(expiresAt_ms)
  return {
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** Keys of a short life are renewed after half of it. */
function waitUntil(expiresAt_ms: number): number {
  const left_ms = expiresAt_ms - Date.now()
  const wait_ms = Math.max(left_ms - AHEAD_MS, Math.min(left_ms / 2, AHEAD_MS))
  return Math.min(Math.max(wait_ms, LEAST_WAIT_MS), MOST_WAIT_MS)
}

async function renewed(
  instance: DuckDBInstance,
  settings: LakeSettings,
  isStopped: () => boolean,
): Promise<number | undefined> {
  // The keys are fetched first, since the lake may be closed meanwhile.
  const keys = await settings.store?.keys()
  if (keys === undefined || isStopped()) return undefined
  const connection = await instance.connect()
  try {
    await createStoreSecret(connection, settings, keys)
    return keys.expiresAt_ms
  } finally {
    connection.closeSync()
  }
}
