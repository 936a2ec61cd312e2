/** Keeps the metrics of the lake fresh while somebody reads them, and no longer. */
import type { Settings } from '../../domain/settings.ts'
import { lakeStatus } from '../../lake/results/status.ts'
import { isThere } from '../../lake/connection/open.ts'
import { accountStatus, nothingYet, type AccountStatus } from '../../queries/account-status.ts'
import type { Metrics } from './metrics.ts'
import type { SharedLake } from './shared-lake.ts'

/** The lake is read again when what was read is older. */
const FRESH_MS = 30_000
/** A reader is not kept waiting for a lake that is busy; the next one is told what is known by then. */
const WAITS_MS = 5_000

/** Answers each call with the text of all metrics. */
export function createTold(
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
      metrics.lost()
    } finally {
      read_ms = Date.now()
      reading = undefined
    }
  }
  return async () => {
    if (Date.now() - read_ms > FRESH_MS) reading ??= readAgain()
    await Promise.race([reading, pause()])
    return metrics.text(Date.now())
  }
}

async function take(
  metrics: Metrics,
  shared: SharedLake,
  accounts: readonly [Settings, ...Settings[]],
): Promise<void> {
  const [{ lake }] = accounts
  // A lake that is not there must not come to be by asking.
  if (!isThere(lake)) {
    metrics.take(accounts.map(nothingYet), { landingSeq: 0, snapshots: 0, files: 0, bytes: 0 })
    return
  }
  await shared.connected(async (_lake, connection) => {
    const found: AccountStatus[] = []
    for (const settings of accounts) {
      found.push(await accountStatus(connection, settings, Date.now()))
    }
    metrics.take(found, await lakeStatus(connection))
  })
}

const pause = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, WAITS_MS).unref()
  })
