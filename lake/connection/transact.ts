/** One transaction on the lake, tried again from its start whenever it lost a race or a connection. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../domain/failure.ts'
import { RACE } from './lake-errors.ts'
import { newFiles } from './new-files.ts'
import type { Lake } from './lake.ts'

/** What else a transaction may hear that can be begun anew. */
const WORTH_A_TRY =
  /conflict|exceeded the maximum retry|server closed the connection|terminating connection|failed to execute query "rollback"|already exists/i

/** What this process did to its lake; it only grows. */
export const lakeCounters = { commits: 0, retries: 0 }

/** Runs `body` until it doesn't lose a race. It must be harmless when run twice. */
export async function withRetries<T>(body: () => Promise<T>, tries = 40): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await body()
    } catch (error) {
      if (error instanceof Failure) throw error
      if (![RACE, WORTH_A_TRY].some((told) => told.test(String(error)))) throw error
      if (attempt >= tries) {
        throw new Failure('lake_locked', 'the lake is being written by somebody else', {
          cause: error,
        })
      }
      lakeCounters.retries += 1
      await sleep(10 + Math.random() * Math.min(1000, 20 * 2 ** attempt))
    }
  }
}

/** Runs `body` in one transaction; new Parquet files reach the disk before the catalog names them. */
export async function transact<T>(
  lake: Lake,
  connection: DuckDBConnection,
  body: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  return withRetries(async () => {
    const since_ms = Date.now()
    await connection.run('begin')
    try {
      const result = await body(connection)
      await syncNewFiles(lake.settings.data, since_ms)
      await connection.run('commit')
      lakeCounters.commits += 1
      return result
    } catch (error) {
      await connection.run('rollback').catch(() => {})
      throw error
    }
  })
}

/**
 * Runs `work`, which reads the lake, in one transaction: all of it sees one instant, and the catalog is opened once and not
 * for each statement. Within such work it is the same instant still. Nothing in it may be retried by itself.
 */
export async function atOneInstant<T>(
  connection: DuckDBConnection,
  work: () => Promise<T>,
): Promise<T> {
  if (atInstant.has(connection)) return work()
  await connection.run('begin')
  atInstant.add(connection)
  try {
    const result = await work()
    await connection.run('commit')
    return result
  } catch (error) {
    await connection.run('rollback').catch(() => {})
    throw error
  } finally {
    atInstant.delete(connection)
  }
}

const atInstant = new WeakSet<DuckDBConnection>()

/** Raises the fence and gives its number: whoever raises it second conflicts and starts again. */
export async function raiseFence(connection: DuckDBConnection): Promise<bigint> {
  await connection.run('update lake.ops.fence set n = n + 1')
  return currentFence(connection)
}

/** The fence's number. Throws what is worth another try where it can't be seen. */
export async function currentFence(connection: DuckDBConnection): Promise<bigint> {
  const reader = await connection.runAndReadAll('select n from lake.ops.fence')
  const [n] = reader.getRows()[0] ?? []
  // It always has its one row: a transaction that begins while another one commits may see its old file gone and not yet the new one.
  if (n === undefined) throw new Error('transaction conflict: another writer was raising the fence')
  return BigInt(String(n))
}

/** The disk is waited for beside whatever else the process does. */
async function syncNewFiles(folder: string, since_ms: number): Promise<void> {
  if (folder.includes('://') || !existsSync(folder)) return
  const files = [...newFiles(folder, since_ms)]
  await Promise.all(files.map(syncPath))
  await Promise.all([...new Set(files.map(dirname))].map(syncPath))
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(gone)
  try {
    await handle?.sync()
  } finally {
    await handle?.close()
  }
}

/** Another writer that lost a race has removed what it made. */
function gone(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
