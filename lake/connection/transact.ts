/** Runs a transaction on the lake. A lost race or connection makes it start again. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { checkBeforeCommit } from './check-lake.ts'
import { announceFiles, hashesOf, recordCommits } from './commit-record.ts'
import { inTransaction } from './in-transaction.ts'
import { newFiles } from './new-files.ts'
import { lakeCounters, withRetries } from './with-retries.ts'
import type { Lake } from './lake.ts'

/**
 * Runs `body` in one transaction; new Parquet files reach the disk before the catalog names them. Transactions of one
 * process take turns, so `body` must begin no other one. Throws lake_damaged for a catalog that is not as the last
 * commit recorded it.
 */
export function transact<T>(
  lake: Lake,
  connection: DuckDBConnection,
  body: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  // Most of them raise the fence. Side by side, all but one would lose the race and do their work again.
  const before = lastTurns.get(lake) ?? Promise.resolve()
  const turn = before.then(() => retried(lake, connection, body))
  // A turn that fails ends as well.
  lastTurns.set(lake, Promise.allSettled([turn]))
  return turn
}

/** The end of the last transaction that each lake of this process has been asked for. */
const lastTurns = new WeakMap<Lake, Promise<unknown>>()

function retried<T>(
  lake: Lake,
  connection: DuckDBConnection,
  body: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  return withRetries(async () => {
    const since_ms = Date.now()
    await checkBeforeCommit(connection, lake.settings.data)
    const result = await inTransaction(connection, async () => {
      const done = await body(connection)
      const files = await syncNewFiles(lake.settings.data, since_ms)
      if (files.length > 0) await announceFiles(connection, await hashesOf(files))
      return done
    })
    lakeCounters.commits += 1
    await recordCommits(connection, lake.settings.data).catch(leaveToTheNext)
    return result
  }, lake.say)
}

/**
 * Runs `work`, which reads the lake, in one transaction. All its reads see the same instant, and the catalog is
 * opened once instead of once per statement. Nested calls share the transaction, so that no part of `work` may be
 * retried alone.
 */
export async function atOneInstant<T>(
  connection: DuckDBConnection,
  work: () => Promise<T>,
): Promise<T> {
  if (atInstant.has(connection)) return work()
  atInstant.add(connection)
  try {
    return await inTransaction(connection, work)
  } finally {
    atInstant.delete(connection)
  }
}

const atInstant = new WeakSet<DuckDBConnection>()

/** Raises the fence of landings and returns its number. A second writer conflicts and starts again. */
export async function raiseFence(connection: DuckDBConnection): Promise<bigint> {
  await raiseFenceOf(connection, 'fence')
  return currentFence(connection)
}

/** Raises a fence. A second writer that raises the same fence conflicts, and its transaction starts again. */
export async function raiseFenceOf(
  connection: DuckDBConnection,
  fence: 'audit_fence' | 'fence' | 'run_fence',
): Promise<void> {
  const raised = await connection.run(`update lake.ops.${fence} set n = n + 1`)
  // The table always has one row. During another commit a new transaction may miss both the old and the new file.
  if (raised.rowsChanged !== 1)
    throw new Error(`transaction conflict: another writer was raising the ${fence}`)
}

/** The newest landing sequence number. Throws a retryable error if it can't be seen. */
export async function currentFence(connection: DuckDBConnection): Promise<bigint> {
  const reader = await connection.runAndReadAll('select n from lake.ops.fence')
  const [n] = reader.getRows()[0] ?? []
  // The one row can be missed during another commit.
  if (n === undefined) throw new Error('transaction conflict: another writer was raising the fence')
  return BigInt(String(n))
}

/** Flushes new files to disk without blocking the process. */
async function syncNewFiles(folder: string, since_ms: number): Promise<string[]> {
  if (folder.includes('://') || !existsSync(folder)) return []
  const files = [...newFiles(folder, since_ms)]
  await Promise.all(files.map(syncPath))
  await Promise.all([...new Set(files.map(dirname))].map(syncPath))
  return files
}

/** The commit stands, so a fault of its record must not repeat it. The next commit, or the next run, records it. */
const leaveToTheNext = (): void => {}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(ignoreMissing)
  try {
    await handle?.sync()
  } finally {
    await handle?.close()
  }
}

/** Ignores a file that another writer removed after a lost race. */
function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
