/** Records the calls of methods, in milliseconds since the start of this process. */
import { DuckDBConnection } from '@duckdb/node-api'

export function traced(prototype, methods, nameOf) {
  const spans = []
  for (const method of methods) {
    const before = prototype[method]
    prototype[method] = async function trace(...args) {
      const from = performance.now()
      try {
        return await before.apply(this, args)
      } finally {
        spans.push({ from, to: performance.now(), name: nameOf(this, args) })
      }
    }
  }
  return spans
}

/** Records the head of every statement from now on. */
export const recordStatements = () =>
  traced(DuckDBConnection.prototype, ['run', 'stream'], (_connection, [sql]) =>
    String(sql).slice(0, 200),
  )
