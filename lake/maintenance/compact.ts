/**
 * The compaction of the lake: merges small files, expires old snapshots and deletes unused files.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { setTimeout as sleep } from 'node:timers/promises'
import { RETENTION, type Retention, type Compacted } from '../../domain/maintenance.ts'
import { checkLake } from '../connection/check-lake.ts'
import { announceMaintenance, recordMaintenance } from '../connection/commit-record.ts'
import { isMissing } from '../connection/lake-errors.ts'
import { isLocal } from '../connection/read-only-copy.ts'
import type { Lake } from '../connection/lake.ts'
import { tablesOf } from '../connection/tables.ts'
import { withRetries } from '../connection/with-retries.ts'

interface Compaction extends Retention {
  onStep?: (step: string) => void
}

/**
 * Compacts a lake while other processes use it; `onStep` receives each step. Files with deleted
 * rows stay: rewriting them would put new statistics on old snapshots, and the log deletes very
 * little.
 */
export async function compact(
  lake: Lake,
  connection: DuckDBConnection,
  { snapshots_days, files_days, onStep = () => {} }: Compaction = RETENTION,
): Promise<Compacted> {
  const count = async (call: string) => {
    const reader = await withRetries(() => connection.runAndReadAll(call))
    return reader.currentRowCount
  }
  await checkLake(lake, connection)
  // Short steps of one new file each: a run that starts meanwhile waits for the step, but not for long.
  const rewrite = async (step: () => Promise<number>) => {
    await announceMaintenance(connection)
    const changes = await marked(lake, step)
    await withRetries(() => recordMaintenance(connection, lake.settings.data))
    return changes
  }
  const before = await sizeOf(connection)
  for (const { schema, table } of await tablesOf(connection)) {
    onStep(`merging ${schema}.${table}`)
    const merge = `call ducklake_merge_adjacent_files('lake', '${table}', schema => '${schema}', max_compacted_files => 1)`
    while ((await rewrite(() => count(merge))) > 0);
  }
  onStep('expiring old snapshots')
  const snapshotsExpired = await rewrite(() =>
    count(`call ducklake_expire_snapshots('lake', ${older(snapshots_days)})`),
  )
  onStep('removing files')
  const replaced = await count(`call ducklake_cleanup_old_files('lake', ${older(files_days)})`)
  const about = { data: lake.settings.data, files: before.files, files_days }
  const orphaned = await removeOrphans(connection, about)
  const after = await sizeOf(connection)
  return {
    files: { before: before.files, after: after.files },
    bytes: { before: before.bytes, after: after.bytes },
    snapshotsExpired,
    filesRemoved: replaced + orphaned,
  }
}

/** The time between two marks of a step. A reader takes a step without a new mark for killed after a minute. */
const MARK_MS = 15_000

/**
 * Runs a step, and marks now and then that it is under way. A mark that fails is left to the next one. A SQLite file has
 * one writer, so that a mark would make the step start again.
 */
export async function marked<T>(
  lake: Lake,
  step: () => Promise<T>,
  every_ms: number = MARK_MS,
): Promise<T> {
  if (isLocal(lake.settings)) return step()
  const connection = await lake.connect()
  const ended = new AbortController()
  const marking = (async () => {
    while (!ended.signal.aborted) {
      await sleep(every_ms, undefined, { signal: ended.signal })
      await announceMaintenance(connection).catch(() => {})
    }
  })().catch(() => {})
  try {
    return await step()
  } finally {
    ended.abort()
    await marking
    connection.closeSync()
  }
}

const older = (days: number) => `older_than => now() - interval ${days} day`

/** The form of DuckLake's file names, with the folders of a partitioned table. */
const OURS = /^([^/=]+=[^/]*\/)*ducklake-[0-9a-f-]{36}(-delete)?\.parquet$/

/**
 * Deletes files without a catalog entry, which a killed process leaves. A file of another name or folder, or too many
 * of them, mean that the folder is shared, for example with another lake. Then it deletes nothing.
 */
async function removeOrphans(
  connection: DuckDBConnection,
  { data, files, files_days }: { data: string; files: number; files_days: number },
): Promise<number> {
  const call = (dry: boolean) =>
    withRetries(() =>
      connection
        .runAndReadAll(
          `call ducklake_delete_orphaned_files('lake', dry_run => ${dry}, ${older(files_days)})`,
        )
        .catch((cause: unknown) => {
          // A writer that lost a race removes its files, also those that the search has just listed.
          throw isMissing(cause)
            ? new Error('transaction conflict: a file is gone', { cause })
            : cause
        }),
    )
  const found = (await call(true)).getRows().map(([path]) => String(path))
  if (found.length > MOST_ORPHANS + files / 10) return 0
  const folders = (await tablesOf(connection)).map(({ schema, table }) => `${schema}/${table}/`)
  const isOurs = (path: string) => {
    const below = path.startsWith(data) ? path.slice(data.length).replace(/^\/+/, '') : ''
    const folder = folders.find((one) => below.startsWith(one))
    return folder !== undefined && OURS.test(below.slice(folder.length))
  }
  return found.every(isOurs) ? (await call(false)).currentRowCount : 0
}

/** More than a few killed processes leave. */
const MOST_ORPHANS = 200

async function sizeOf(connection: DuckDBConnection): Promise<{ files: number; bytes: number }> {
  const reader = await connection.runAndReadAll(
    `select sum(file_count + delete_file_count)::bigint, sum(file_size_bytes + delete_file_size_bytes)::bigint
     from ducklake_table_info('lake')`,
  )
  const [files, bytes] = reader.getRows()[0] ?? []
  return { files: Number(files), bytes: Number(bytes) }
}
