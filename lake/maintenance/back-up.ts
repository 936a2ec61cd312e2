/** A copy of a lake in a folder, taken while other processes read and write it. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { existsSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { copyFile, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import { attemptAt, deleteAttempts } from '../../domain/leftovers.ts'
import type { BackedUp } from '../../domain/maintenance.ts'
import { isWithin, realPath } from '../../domain/real-path.ts'
import { reasonOf } from '../../domain/reason.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { checkLake } from '../connection/check-lake.ts'
import { asOnlyWriter, CATALOG, recordMaintenance } from '../connection/commit-record.ts'
import { loadExtensions } from '../connection/extensions.ts'
import { inTransaction } from '../connection/in-transaction.ts'
import { diskFault } from '../connection/lake-errors.ts'
import { makeFolder } from '../connection/make-folder.ts'
import { openLake } from '../connection/open.ts'
import { type Lake } from '../connection/lake.ts'
import { withLake } from '../connection/read-lake.ts'
import { isLocal } from '../connection/read-only-copy.ts'
import { quoted } from '../connection/sql-literal.ts'
import { withRetries } from '../connection/with-retries.ts'
import { copyRows } from './catalog-rows.ts'
import { copyFiles } from './copy-files.ts'
import { recordBackup } from './last-backup.ts'

/** The key of the hashes belongs to the lake; without it no card can be recognised again. */
const BESIDE = ['hash.key']
export const CATALOG_FILE = 'catalog.sqlite'
export const PARQUET = 'parquet'

/**
 * Copies catalog, key and Parquet into a new folder, which then is a complete lake. Then it opens the copy and checks
 * every file of it against the catalog. Throws would_overwrite, config_invalid for a folder that can't be written, and
 * lake_damaged for an incomplete copy.
 */
export async function backUp(
  lake: Lake,
  connection: DuckDBConnection,
  { folder, signal }: { folder: string; signal?: AbortSignal },
): Promise<BackedUp> {
  if (existsSync(folder)) throw exists(folder)
  refuseWithin(lake.settings.data, folder)
  await checkLake(lake, connection)
  // Temporal may run the same order twice at once.
  const partial = attemptAt(folder)
  makeScratch(partial, folder)
  let isCopied = false
  try {
    // Copies the catalog first: its files exist already and never change.
    await copyCatalog(lake, connection, partial)
    signal?.throwIfAborted()
    const to = join(partial, PARQUET)
    await copyFiles(connection, { from: lake.settings.data, to, signal })
    for (const name of BESIDE.filter((file) => existsSync(join(lake.settings.folder, file)))) {
      await copyFile(join(lake.settings.folder, name), join(partial, name))
    }
    signal?.throwIfAborted()
    isCopied = true
    if (!isLocal(lake.settings)) await recordAnew(lakeIn(lake.settings, partial))
    const { files, bytes } = await checkCopy(lakeIn(lake.settings, partial))
    await rename(partial, folder)
    await deleteAttempts(folder)
    // The copy is complete. Without the record only the alert about an old backup stays.
    const record = { at: new Date().toISOString(), folder: resolve(folder) }
    await recordBackup(connection, record).catch(() => {})
    return { folder, files, bytes }
  } catch (error) {
    // A disk that takes no more may refuse this, too.
    await rm(partial, { recursive: true, force: true }).catch(() => {})
    if (existsSync(folder)) throw exists(folder, error)
    const fault = isCopied || names(error, partial) ? diskFault(error) : undefined
    throw fault === undefined ? error : unwritable(folder, fault, error)
  }
}

/** Maintenance deletes unknown Parquet files below the folder of the lake's own, and so would delete the copy. */
function refuseWithin(data: string, folder: string): void {
  if (data.includes('://') || !isWithin(realPath(data), realPath(folder))) return
  throw new Failure(
    'config_invalid',
    `the backup ${folder} would lie below ${data}, where maintenance deletes files that the lake does not know`,
    { remedy: 'choose another --backup' },
  )
}

function makeScratch(partial: string, folder: string): void {
  try {
    makeFolder(partial)
  } catch (cause) {
    throw unwritable(folder, reasonOf(cause), cause)
  }
}

/** True for an error about a file of the copy. Before the copy is complete, any other is about the lake. */
const names = (error: unknown, partial: string): boolean =>
  error instanceof Error && (error.message.includes(partial) || names(error.cause, partial))

const unwritable = (folder: string, why: string, cause: unknown) =>
  new Failure('config_invalid', `the backup ${folder} can't be written: ${why}`, {
    cause,
    remedy: 'choose another --backup',
  })

/** A copy gets its name once it is complete. Its worker may have been killed just then, and another one tries again. */
function exists(folder: string, cause?: unknown): Failure {
  const isCopy = existsSync(join(folder, CATALOG_FILE))
  const remedy = 'name a folder that does not exist yet'
  return isCopy
    ? new Failure('would_overwrite', `${folder} exists, and holds a complete backup`, {
        cause,
        remedy: `if a worker was killed during this backup, keep it; otherwise ${remedy}`,
      })
    : new Failure('would_overwrite', `${folder} exists`, { cause, remedy })
}

/** The places of a lake that lies in a folder, as a backup does. */
export const copyIn = (folder: string) => ({
  folder,
  catalog: `sqlite:${join(folder, CATALOG_FILE)}`,
  data: join(folder, PARQUET),
})

/** The settings of such a lake, without the credentials of a shared one. */
export function lakeIn(settings: LakeSettings, folder: string): LakeSettings {
  const { password: _password, store: _store, ...rest } = settings
  return { ...rest, ...copyIn(folder) }
}

async function copyCatalog(lake: Lake, connection: DuckDBConnection, to: string): Promise<void> {
  if (!isLocal(lake.settings)) return copyCatalogRows(lake, connection, to)
  const from = lake.settings.catalog.slice('sqlite:'.length)
  await withRetries(() => copyCatalogFile(connection, from, join(to, CATALOG_FILE)))
}

/** Copies the catalog and its write-ahead log while no other process can write to either. */
const copyCatalogFile = (connection: DuckDBConnection, from: string, to: string): Promise<void> =>
  asOnlyWriter(connection, async () => {
    await copyFile(from, to)
    if (existsSync(`${from}-wal`)) await copyFile(`${from}-wal`, `${to}-wal`)
  })

/** Copies the rows of PostgreSQL at one instant, which its transactions see, into a new SQLite catalog. */
async function copyCatalogRows(
  lake: Lake,
  connection: DuckDBConnection,
  folder: string,
): Promise<void> {
  const made = await openLake(lakeIn(lake.settings, folder), { asItIs: true })
  made.close()
  await withAttached(connection, join(folder, CATALOG_FILE), (to) =>
    inTransaction(connection, () => copyRows(connection, { from: CATALOG, to })),
  )
}

/** Records the catalog of a copy whose rows came from another kind of database. Its files are there. */
const recordAnew = (settings: LakeSettings): Promise<void> =>
  withLake(settings, AS_IT_IS, (copy) => recordMaintenance(copy, settings.data))

const AS_IT_IS = { create: false, asItIs: true }

/** Runs `work` while a SQLite catalog is attached. Its name is new, because all work of a process shares the names. */
export async function withAttached<T>(
  connection: DuckDBConnection,
  file: string,
  work: (name: string) => Promise<T>,
): Promise<T> {
  await loadExtensions(connection, ['sqlite_scanner'], () => {})
  const name = `catalog_${randomBytes(4).toString('hex')}`
  await connection.run(`attach ${quoted(file)} as ${name} (type sqlite)`)
  try {
    return await work(name)
  } finally {
    await connection.run(`detach ${name}`)
  }
}

/** Opens a copy and checks every file of it. Throws lake_damaged. */
export const checkCopy = (settings: LakeSettings): Promise<{ files: number; bytes: number }> =>
  withLake(settings, AS_IT_IS, async (connection, copy) => {
    const { files, bytes } = await checkLake(copy, connection)
    connection.closeSync()
    return { files, bytes }
  })
