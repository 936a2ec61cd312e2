/** The failures of a lake's disk, or of the network that leads to it. */
import { Failure } from '../../domain/failure.ts'
import { lakeCause } from './lake-cause.ts'
import { reasonOf, systemCode } from '../../domain/reason.ts'

/**
 * DuckDB's messages for an object store or PostgreSQL that stops answering. A statement fails without a reason if its
 * connection broke before the answer. DuckLake ignores some of these breaks; its next question to the catalog fails.
 */
const UNREACHABLE =
  /from DuckLake: Current transaction is aborted|HTTP Error|error for HTTP|unable to connect to postgres|connection to server|server closed the connection|terminating connection|the database system is|Failed to execute query "[^]*":\s*$/i

/** Messages of DuckDB, SQLite and the system for a disk without write access. */
const READ_ONLY = /Read-only file system|EROFS|EACCES|EPERM|Permission denied|readonly database/i

/** The same for a disk that fails, and for too many open files. */
const DISK_FAILURES = [
  {
    // DuckDB names max_temp_directory_size if its spill files would fill the disk.
    said: /No space left on device|ENOSPC|disk is full|EDQUOT|quota exceeded|max_temp_directory_size/i,
    ...{ code: 'ENOSPC', what: 'the disk is full', isAtPath: true },
    remedy: 'free some space',
  },
  {
    // SQLite also says so if a full disk can't take its shared memory.
    said: /disk I\/O error|Input\/output error|\bEIO\b/i,
    ...{ code: 'EIO', what: "the disk can't be read or written", isAtPath: true },
    remedy: 'check the disk and its free space',
  },
  {
    said: /Too many open files|EMFILE|ENFILE/i,
    ...{ code: 'EMFILE', what: 'this process has too many open files', isAtPath: false },
    remedy: 'raise the limit of open files (ulimit -n)',
  },
]

/** The system's codes for a disk that takes no more. */
const TAKES_NO_MORE = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO']

/** The fault of a disk in words, such as `the disk is full (ENOSPC)`; undefined for any other error. */
export function diskFault(error: unknown): string | undefined {
  if (TAKES_NO_MORE.includes(systemCode(error) ?? '')) return reasonOf(error)
  const text = textOf(error instanceof Failure ? error.cause : error)
  const disk = DISK_FAILURES.find(({ said, isAtPath }) => isAtPath && said.test(text))
  return disk === undefined ? undefined : `${disk.what} (${disk.code})`
}

/** PostgreSQL's messages for missing rights, which are not those of a disk. */
const REFUSED_TABLES =
  /permission denied for (?:database|schema|sequence|table)|read-only transaction/i

/** DuckDB's and SQLite's messages for a file that is missing, cut or altered. */
const DAMAGED =
  /mismatches requested range|No magic bytes|Invalid footer|Footer length|don't know what type|disk image is malformed|TProtocolException|Failed to decompress|ZSTD Decompression|Snappy decompression|out of buffer|Invalid Parquet|Parquet.*corrupt/is

/** The same for a file or an object that is not there. A bucket that does not exist has a remedy of its own. */
const MISSING =
  /Cannot open file "[^"]*\.parquet".*No such file|reading '[^']*\.parquet'[^']*'[^']*' \(HTTP 404\b(?!.*NoSuchBucket)/is

/** The messages of a catalog to the loser of a race. */
export const RACE = /transaction conflict|database is locked|could not serialize|deadlock/i

/** Reports that another object is in the way, such as a file. */
export const cantBeLake = (folder: string, cause: unknown) =>
  new Failure('lake_unreachable', `the folder ${folder} can't be written: ${reasonOf(cause)}`, {
    cause,
    remedy: 'name a folder that you may write with --lake or TIEOUT_LAKE',
  })

/** Reports a lake that this user can't read, or a path that can't lead to one. */
export const lakeUnreadable = (folder: string, cause: unknown) =>
  new Failure('lake_unreachable', `the lake in ${folder} can't be read: ${reasonOf(cause)}`, {
    cause,
    remedy: 'name a lake that you may read with --lake or TIEOUT_LAKE',
  })

/** An error of DuckDB, such as `IO Error: `. Changed bytes have many kinds; a cancelled statement is none of them. */
const UNREADABLE = /(?<!\bINTERRUPT) Error: /

/** True for an error of the engine that changed bytes may have caused, also if it is the cause of a bug. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof Failure
    ? error.code === 'bug' && isUnreadable(error.cause)
    : UNREADABLE.test(String(error))

/** Reports what is missing or changed since the lake was written. */
export const lakeDamaged = (what: string, cause?: unknown) =>
  new Failure('lake_damaged', `the lake is damaged: ${what}`, { cause })

/** The failure of a machine or a setting that gives too little: disk, open files or memory. */
export function shortageFailure(error: unknown): Failure | undefined {
  const text = textOf(error)
  const again = 'then run the same command again'
  const disk = DISK_FAILURES.find(({ said }) => said.test(text))
  if (disk !== undefined) {
    const path = pathIn(error)
    const where = path === undefined || !disk.isAtPath ? '' : ` at ${path}`
    const what = `${disk.what}${where} (${disk.code}); landed records are saved`
    const remedy = `${disk.remedy}, ${again}`
    return new Failure('lake_unreachable', what, { cause: error, remedy })
  }
  if (!/\bOut of Memory Error: /.test(text)) return undefined
  const what =
    'the work needs more memory than duckdb.memory_limit allows; landed records are saved'
  const remedy = `raise duckdb.memory_limit in the config file, ${again}`
  return new Failure('config_invalid', what, { cause: error, remedy })
}

/** The failure behind an error or its cause; undefined if the lake was available all the time. */
export function lakeFailure(error: unknown): Failure | undefined {
  const shortage = shortageFailure(error)
  if (shortage !== undefined) return shortage
  const text = textOf(error)
  if (REFUSED_TABLES.test(text)) return storeFailure(error, text)
  if (READ_ONLY.test(text)) {
    const code = ['EROFS', 'EPERM'].find((name) => text.includes(name))
    const why = code ?? (/read-?only/i.test(text) ? 'EROFS' : 'EACCES')
    const what = `${pathIn(error) ?? 'the lake or the output'} can't be written (${why})`
    const remedy = 'give this user the right to write there, then run the same command again'
    return new Failure('lake_unreachable', what, { cause: error, remedy })
  }
  return (
    damagedFile(error, text) ?? (UNREACHABLE.test(text) ? storeFailure(error, text) : undefined)
  )
}

function damagedFile(error: unknown, text: string): Failure | undefined {
  const isGone = MISSING.test(text)
  if (!isGone && !DAMAGED.test(text)) return undefined
  const path = pathIn(error)
  const what = path === undefined ? 'one of its files' : `its file ${path}`
  return lakeDamaged(`${what} ${isGone ? 'is missing' : "can't be read"}`, error)
}

/** True for an error about a Parquet file that does not exist. */
export const isMissing = (error: unknown): boolean => MISSING.test(textOf(error))

/** Allows a retry of faults that may pass by themselves. */
function storeFailure(error: unknown, text: string): Failure {
  const { words, remedy } = lakeCause(text) ?? {}
  const why = words === undefined ? '' : `: ${words}`
  if (remedy !== undefined) {
    const what = `the lake can't be used${why}`
    return new Failure('lake_unreachable', what, { cause: error, remedy })
  }
  const what = `the catalog or the object store of the lake does not answer${why}`
  return new Failure('lake_lost', what, { cause: error })
}

/** The faulty path, if the system or DuckDB names it. */
function pathIn(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('path' in at && typeof at.path === 'string') return at.path
    const named = /(?:file|directory|reading) ["']([^"']+)["']/.exec(at.message)?.[1]
    if (named !== undefined) return named
  }
  return undefined
}

/**
 * The failure of work that lost a race and could not retry by itself; a retry of the whole may
 * help.
 */
export function raceFailure(error: unknown): Failure | undefined {
  if (!RACE.test(textOf(error))) return undefined
  return new Failure('lake_locked', 'another process was writing the lake at the same time', {
    cause: error,
  })
}

/** The text of an error; empty for our own failures. */
function textOf(error: unknown): string {
  if (error instanceof Failure && error.code !== 'bug') return ''
  const cause = error instanceof Error ? error.cause : undefined
  return `${String(error)} ${String(cause ?? '')}`
}
