/** What a lake's disk, or the network that leads to it, does to the work. */
import { Failure } from '../../domain/failure.ts'
import { lakeCause } from './lake-cause.ts'
import { reasonOf } from '../../domain/reason.ts'

/** What DuckDB says where the object store or PostgreSQL stops answering. */
const LOST =
  /HTTP Error|error for HTTP|unable to connect to postgres|connection to server|server closed the connection|terminating connection|the database system is/i

/** What DuckDB, SQLite and the system say of a disk that takes no more, and of one that takes nothing. */
const FULL = /No space left on device|ENOSPC|disk is full|EDQUOT|quota exceeded/i
const READ_ONLY = /Read-only file system|EROFS|EACCES|EPERM|Permission denied|readonly database/i

/** PostgreSQL's words for rights, which are not those of a disk. */
const REFUSED_TABLES =
  /permission denied for (?:database|schema|sequence|table)|read-only transaction/i

const TOO_MANY_FILES = /Too many open files|EMFILE|ENFILE/i

/** What a catalog says to whoever came second. */
export const RACE = /transaction conflict|database is locked|could not serialize|deadlock/i

/** Something else is in the way, such as a file. */
export const cantBeLake = (folder: string, cause: unknown) =>
  new Failure('lake_unreachable', `the folder ${folder} can't be written: ${reasonOf(cause)}`, {
    cause,
    remedy: 'name a folder that you may write by --lake or TIEOUT_LAKE',
  })

/** The failure that an error, or what caused it, tells of; undefined where the lake was there all the time. */
export function lostLake(error: unknown): Failure | undefined {
  const said = whatWasSaid(error)
  const refused = (what: string, remedy: string) =>
    new Failure('lake_unreachable', what, { cause: error, remedy })
  const place = placeIn(error)
  if (FULL.test(said)) {
    const where = place === undefined ? '' : ` at ${place}`
    const what = `the disk is full${where} (ENOSPC); what was landed is kept`
    return refused(what, 'make room, then run the same command again')
  }
  if (TOO_MANY_FILES.test(said)) {
    const what = 'this process has too many open files (EMFILE); what was landed is kept'
    return refused(
      what,
      'raise the limit of open files (ulimit -n), then run the same command again',
    )
  }
  if (REFUSED_TABLES.test(said)) return lostStore(error, said)
  if (READ_ONLY.test(said)) {
    const code = ['EROFS', 'EPERM'].find((name) => said.includes(name))
    const why = code ?? (/read-?only/i.test(said) ? 'EROFS' : 'EACCES')
    return refused(
      `${place ?? 'the lake or the output'} can't be written (${why})`,
      'give this user the right to write there, then run the same command again',
    )
  }
  return LOST.test(said) ? lostStore(error, said) : undefined
}

/** What may pass by itself is tried again. */
function lostStore(error: unknown, said: string): Failure {
  const { words, remedy } = lakeCause(said) ?? {}
  const why = words === undefined ? '' : `: ${words}`
  if (remedy !== undefined) {
    const what = `the lake can't be used${why}`
    return new Failure('lake_unreachable', what, { cause: error, remedy })
  }
  const what = `the catalog or the object store of the lake does not answer${why}`
  return new Failure('lake_lost', what, { cause: error })
}

/** The path at fault, where the system or DuckDB names it. */
function placeIn(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('path' in at && typeof at.path === 'string') return at.path
    const named = /(?:file|directory) "([^"]+)"/.exec(at.message)?.[1]
    if (named !== undefined) return named
  }
  return undefined
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
