/** Queries that a signal interrupts. */
import type { DuckDBConnection } from '@duckdb/node-api'

/**
 * Interrupts again and again, because an interruption between two queries or reads has no effect.
 */
const AGAIN_MS = 100

/**
 * Runs `work`. After the signal, it interrupts the queries of these connections until the work has
 * ended.
 */
export async function interruptible<T>(
  connections: readonly DuckDBConnection[],
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  let again: NodeJS.Timeout | undefined
  const interrupt = () => {
    const all = () => connections.forEach((connection) => connection.interrupt())
    all()
    again ??= setInterval(all, AGAIN_MS)
  }
  if (signal?.aborted === true) interrupt()
  signal?.addEventListener('abort', interrupt)
  try {
    return await work()
  } finally {
    signal?.removeEventListener('abort', interrupt)
    clearInterval(again)
  }
}
