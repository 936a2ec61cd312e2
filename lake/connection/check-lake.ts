/** The check of a lake against the record of its commits: a damaged catalog or file never becomes a number. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../domain/failure.ts'
import { reasonOf } from '../../domain/reason.ts'
import {
  asOnlyWriter,
  CATALOG,
  hashOf,
  hasFutureEnd,
  isOverwrittenChanged,
  maintenanceMarks,
  OVERWRITTEN,
  recordCommits,
  recordMaintenance,
  viewCatalog,
} from './commit-record.ts'
import { lakeDamaged, lakeFailure } from './lake-errors.ts'
import { hasRows } from './has-rows.ts'
import type { Lake } from './lake.ts'
import { withRetries } from './with-retries.ts'

/** Maintenance adds a mark more often than this. After this time without a new one its process was killed. */
const MAINTENANCE_MS = 60_000
const POLL_MS = 500
const WAITING = `waiting for maintenance of the lake, or for ${MAINTENANCE_MS / 1000} seconds if it was killed`

/**
 * Checks the catalog's rows and every file of its tables against the record, and returns the number of files and
 * their bytes. `limits` leaves out files that the caller does not read. Throws lake_damaged.
 */
export async function checkLake(
  lake: Lake,
  connection: DuckDBConnection,
  limits: FileLimits = {},
): Promise<{ files: number; bytes: number }> {
  const { data } = lake.settings
  await checkCatalog(connection, data, lake.say)
  const isReader = lake.isReadOnly === true
  for (let attempt = 0; ; attempt += 1) {
    // Records what a killed process committed and could not record. A reader can't, and leaves it out.
    if (!isReader) await withRetries(() => recordCommits(connection, data))
    const listed = await listFiles(connection, limits)
    const files = isReader
      ? listed.filter(({ sha256, isNew }) => sha256 !== undefined || !isNew)
      : listed
    const isLast = attempt === ATTEMPTS
    // Another account may have committed a file just now and not yet recorded it.
    const isComplete = isReader || files.every(({ sha256 }) => sha256 !== undefined)
    if (!isComplete && !isLast) continue
    try {
      return await checkFiles(connection, files)
    } catch (error) {
      // Maintenance of another process may have replaced and removed files since they were listed.
      const listedNow = new Set((await listFiles(connection, limits)).map(({ path }) => path))
      if (isLast || files.every(({ path }) => listedNow.has(path))) throw error
    }
  }
}

/**
 * Checks the catalog's rows and every file that the record has. A file without a record may be one that a commit has just
 * added. Throws lake_damaged.
 */
export async function checkRecorded(connection: DuckDBConnection, data: string): Promise<void> {
  await checkCatalog(connection, data)
  const files = await listFiles(connection)
  await checkFiles(
    connection,
    files.filter(({ sha256 }) => sha256 !== undefined),
  )
}

/**
 * Checks the catalog's rows: each snapshot wrote what the record says, and the rows that every commit overwrites are
 * those of the last one. `say` receives a line if it waits for maintenance of another process. Throws lake_damaged.
 */
export async function checkCatalog(
  connection: DuckDBConnection,
  data: string,
  say: (line: string) => void = () => {},
): Promise<void> {
  await viewCatalog(connection, data)
  if (!(await maintenanceEnds(connection, say))) {
    return recordInterrupted(connection, data)
  }
  for (let attempt = 0; ; attempt += 1) {
    const snapshot = await changedSnapshot(connection)
    if (snapshot === undefined) return
    // Maintenance of another process may rewrite the catalog right now.
    if (attempt < ATTEMPTS) await sleep(1000)
    else throw lakeDamaged(changed(snapshot))
  }
}

/** Records the catalog as killed maintenance left it. Throws lake_locked on a lake that is only read. */
async function recordInterrupted(connection: DuckDBConnection, data: string): Promise<void> {
  const readOnly = `from duckdb_databases() where database_name = 'lake' and readonly`
  if (await hasRows(connection, readOnly)) {
    throw new Failure('lake_locked', 'maintenance of this lake was interrupted', {
      remedy: 'run tieout doctor --deep on the lake itself, as a user who may write there',
    })
  }
  await withRetries(() => recordMaintenance(connection, data))
}

/** Waits for the end of maintenance of another process. Returns false if that process was killed. */
async function maintenanceEnds(
  connection: DuckDBConnection,
  say: (line: string) => void,
): Promise<boolean> {
  let [known, since_ms] = [0, Date.now()]
  for (;;) {
    const marks = await maintenanceMarks(connection)
    if (marks === 0) return true
    if (known === 0) say(WAITING)
    if (marks !== known) [known, since_ms] = [marks, Date.now()]
    if (Date.now() - since_ms > MAINTENANCE_MS) return false
    await sleep(POLL_MS)
  }
}

/**
 * Checks the catalog's rows and every file of its tables in the caller's transaction, as that transaction would store
 * them. The connection has the views of the catalog. Throws lake_damaged.
 */
export async function checkWithin(
  connection: DuckDBConnection,
): Promise<{ files: number; bytes: number }> {
  const snapshot = await changedSnapshot(connection)
  if (snapshot !== undefined) throw lakeDamaged(changed(snapshot))
  return checkFiles(connection, await listFiles(connection))
}

const ATTEMPTS = 3

/**
 * Checks the rows that a commit is about to overwrite and to record again: damage of them must not become part of the
 * record. Throws lake_damaged.
 */
export async function checkBeforeCommit(connection: DuckDBConnection, data: string): Promise<void> {
  await viewCatalog(connection, data)
  // Without the lock, a commit of another process may look like a change.
  const isCertain = async (isChanged: (connection: DuckDBConnection) => Promise<boolean>) =>
    (await isChanged(connection)) && (await asOnlyWriter(connection, () => isChanged(connection)))
  if (await isCertain(isOverwrittenChanged)) throw lakeDamaged(changed(String(OVERWRITTEN)))
  if (await isCertain(hasFutureEnd))
    throw lakeDamaged('rows of its catalog end in a snapshot that does not exist')
}

const changed = (snapshot: string) =>
  snapshot === String(OVERWRITTEN)
    ? 'the statistics of its tables in the catalog were changed after they were written'
    : `snapshot ${snapshot} in the catalog was changed after it was written`

/**
 * The first snapshot whose rows are not those of the record; -1 for the rows that every commit overwrites. Only the
 * newest snapshots may lack a record, of which a killed process made the last ones.
 */
async function changedSnapshot(connection: DuckDBConnection): Promise<string | undefined> {
  if (await unlessUnreadable(isOverwrittenChanged(connection))) return String(OVERWRITTEN)
  const reader = await unlessUnreadable(
    connection.runAndReadAll(
      `select snapshot::varchar
       from (from ${CATALOG}.tieout_digest where snapshot >= 0) as recorded
         full join catalog_digest as found using (snapshot)
       where recorded.sha256 is distinct from found.sha256
         and (recorded.sha256 is not null
           or snapshot <= (select coalesce(max(snapshot), -1) from ${CATALOG}.tieout_digest)
           or snapshot > (select max(snapshot_id) from ${CATALOG}.ducklake_snapshot))
       order by snapshot limit 1`,
    ),
  )
  const [snapshot] = reader.getRows()[0] ?? []
  return snapshot === undefined ? undefined : String(snapshot)
}

const unlessUnreadable = <T>(reading: Promise<T>): Promise<T> =>
  reading.catch((cause: unknown) => {
    throw unavailable(cause) ?? lakeDamaged(`the catalog can't be read`, cause)
  })

/** The failure of a disk, a network or a right, which may pass. */
function unavailable(cause: unknown): Failure | undefined {
  const failure = lakeFailure(cause)
  return failure?.code === 'lake_damaged' ? undefined : failure
}

interface ListedFile {
  path: string
  /** The file is of a snapshot that no record has yet. */
  isNew: boolean
  /** Absent for a file that no commit has recorded. */
  bytes?: number
  sha256?: string
}

/** The tables whose files count; absent: all do. */
export interface FileLimits {
  schemas?: readonly string[]
  /** Tables of schema `result`. */
  results?: readonly string[]
  /** Leaves out the files of schema `result` that have no row of this run. */
  runId?: string
}

async function listFiles(
  connection: DuckDBConnection,
  { schemas, results, runId }: FileLimits = {},
): Promise<ListedFile[]> {
  const reader = await connection.runAndReadAll(
    `with other_run as (
       select data_file_id from ${CATALOG}.ducklake_file_column_stats inner join ${CATALOG}.ducklake_column using (table_id, column_id)
       where column_name = 'run_id' and not $3::varchar between min_value and max_value)
     select path, recorded.bytes::varchar, sha256,
       begin_snapshot > (select coalesce(max(snapshot), -1) from ${CATALOG}.tieout_digest)
     from lake_file left join ${CATALOG}.tieout_file as recorded using (name)
     where end_snapshot is null
       and (schema_name <> 'result' or $1::varchar is null
         or list_contains(from_json($1, '["VARCHAR"]'), table_name))
       and ($2::varchar is null or list_contains(from_json($2, '["VARCHAR"]'), schema_name))
       and (schema_name <> 'result' or data_file_id not in (from other_run))`,
    [
      ...[results, schemas].map((names) => (names === undefined ? null : JSON.stringify(names))),
      runId ?? null,
    ],
  )
  return reader.getRows().map(([path, bytes, sha256, isNew]) => ({
    path: String(path),
    isNew: isNew === true,
    ...(bytes === null ? {} : { bytes: Number(bytes) }),
    ...(sha256 === null ? {} : { sha256: String(sha256) }),
  }))
}

async function checkFiles(
  connection: DuckDBConnection,
  files: readonly ListedFile[],
): Promise<{ files: number; bytes: number }> {
  let bytes = 0
  for (const file of files) {
    await checkFile(connection, file)
    bytes += file.bytes ?? 0
  }
  return { files: files.length, bytes }
}

async function checkFile(
  connection: DuckDBConnection,
  { path, bytes, sha256 }: ListedFile,
): Promise<void> {
  if (bytes === undefined) throw lakeDamaged(`no commit has recorded its file ${path}`)
  if (!path.includes('://')) {
    const found = statSync(path, { throwIfNoEntry: false })?.size
    if (found === undefined) throw lakeDamaged(`its file ${path} is missing`)
    if (found !== bytes) {
      throw lakeDamaged(`its file ${path} has ${found} bytes instead of ${bytes}`)
    }
  }
  const found = await hashOf(connection, path).catch((cause: unknown) => {
    throw (
      lakeFailure(cause) ?? lakeDamaged(`its file ${path} can't be read: ${reasonOf(cause)}`, cause)
    )
  })
  if (found !== sha256) throw lakeDamaged(`its file ${path} was changed after it was written`)
}
