/** A shared lake is reached over a network, which may fail where a local one can't. */
import { Failure } from '../domain/failure.ts'

/** What DuckDB says where the object store or PostgreSQL stops answering. */
const LOST =
  /HTTP Error|error for HTTP|unable to connect to postgres|connection to server|server closed the connection|terminating connection|the database system is/i

/** The failure that an error, or what caused it, tells of; undefined where the lake was there all the time. */
export function lostLake(error: unknown): Failure | undefined {
  if (error instanceof Failure && error.code !== 'bug') return undefined
  const cause = error instanceof Error ? error.cause : undefined
  if (!LOST.test(`${String(error)} ${String(cause)}`)) return undefined
  return new Failure('lake_lost', 'the catalog or the object store of the lake does not answer', {
    cause: error,
  })
}
