/** The metrics of the lake, refreshed only while a monitor reads them. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Settings } from '../../domain/settings.ts'
import { isThere } from '../../lake/connection/open.ts'
import { lastBackup } from '../../lake/maintenance/last-backup.ts'
import { nothingYet, statusOf } from '../../queries/account-status.ts'
import type { Metrics } from './metrics.ts'
import type { SharedLake } from './shared-lake.ts'

/** An older reading is replaced by a new one. */
const FRESH_MS = 30_000
/** The longest wait for a busy lake; the next reader gets its figures. */
const WAITS_MS = 5_000

/** Returns a function that answers with the text of all metrics. */
export function createMetricsText(
  metrics: Metrics,
  shared: SharedLake,
  accounts: readonly [Settings, ...Settings[]],
): () => Promise<string> {
  let read_ms = -Infinity
  let reading: Promise<void> | undefined
  const readAgain = async () => {
    try {
      await take(metrics, shared, accounts)
    } catch {
      metrics.markUnreadable()
    } finally {
      read_ms = Date.now()
      reading = undefined
    }
  }
  return async () => {
    if (Date.now() - read_ms > FRESH_MS) reading ??= readAgain()
    await Promise.race([reading, pause(WAITS_MS, undefined, { ref: false })])
    return metrics.text(Date.now())
  }
}

async function take(
  metrics: Metrics,
  shared: SharedLake,
  accounts: readonly [Settings, ...Settings[]],
): Promise<void> {
  const [{ lake }] = accounts
  // A reading must not create a missing lake.
  if (!isThere(lake)) {
    metrics.takeBackup(undefined)
    metrics.take(accounts.map(nothingYet), { landingSeq: 0, snapshots: 0, files: 0, bytes: 0 })
    return
  }
  await shared.connected(async (_lake, connection) => {
    metrics.takeBackup((await lastBackup(connection))?.at)
    const { accounts: found, lake: state } = await statusOf(connection, accounts, Date.now())
    metrics.take(found, state)
  })
}
