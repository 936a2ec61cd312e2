/** What a lake's disk, or the network that leads to it, does to the work. */
import { Failure } from '../domain/failure.ts'

/** What DuckDB says where the object store or PostgreSQL stops answering. */
const LOST =
  /HTTP Error|error for HTTP|unable to connect to postgres|connection to server|server closed the connection|terminating connection|the database system is/i

/** What DuckDB, SQLite and the system say of a disk that takes no more, and of one that takes nothing. */
const FULL = /No space left on device|ENOSPC|disk is full|EDQUOT|quota exceeded/i
const READ_ONLY = /Read-only file system|EROFS|EACCES|EPERM|Permission denied|readonly database/i

/** What a catalog says to whoever came second. */
export const RACE = /transaction conflict|database is locked|could not serialize|deadlock/i

/** Something else is in the way, such as a file. */
export const cantBeLake = (folder: string, cause: unknown) =>
  new Failure('lake_unreachable', `the folder ${folder} can't be written`, {
    cause,
    remedy: 'name a folder that you may write by --lake or TIEOUT_LAKE',
  })

/** The failure that an error, or what caused it, tells of; undefined where the lake was there all the time. */
export function lostLake(error: unknown): Failure | undefined {
  const said = whatWasSaid(error)
  if (FULL.test(said)) {
    return new Failure('lake_unreachable', 'the disk is full; what was landed is kept', {
      cause: error,
      remedy: 'make room, then run the same command again',
    })
  }
  if (READ_ONLY.test(said)) {
    return new Failure('lake_unreachable', "the lake or the output can't be written", {
      cause: error,
      remedy: 'give this user the right to write there, then run the same command again',
    })
  }
  if (!LOST.test(said)) return undefined
  return new Failure('lake_lost', 'the catalog or the object store of the lake does not answer', {
    cause: error,
  })
}

/** The failure of work that lost a race which it could not try again by itself; the whole of it can. */
export function lostRace(error: unknown): Failure | undefined {
  if (!RACE.test(whatWasSaid(error))) return undefined
  return new Failure('lake_locked', 'somebody else was writing the lake meanwhile', {
    cause: error,
  })
}

/** Empty for what is told as it is. */
function whatWasSaid(error: unknown): string {
  if (error instanceof Failure && error.code !== 'bug') return ''
  const cause = error instanceof Error ? error.cause : undefined
  return `${String(error)} ${String(cause)}`
}
