/** Queries that somebody may give up. */
import type { DuckDBConnection } from '@duckdb/node-api'

/** Once doesn't do: an interruption that comes between two queries, or two reads of one, is heard by neither. */
const AGAIN_MS = 100

/** Runs `work`; once the signal is set, what runs on these connections is interrupted until the work has ended. */
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
