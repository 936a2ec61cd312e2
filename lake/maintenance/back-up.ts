/** A copy of a local lake, taken while other processes read and write it. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { constants, existsSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { copyFile, cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import type { BackedUp } from '../../domain/maintenance.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { checkLake } from '../connection/check-lake.ts'
import { asOnlyWriter } from '../connection/commit-record.ts'
import { openLake } from '../connection/open.ts'
import { type Lake } from '../connection/lake.ts'
import { withRetries } from '../connection/with-retries.ts'
import { recordBackup } from './last-backup.ts'

/** The key of the hashes belongs to the lake; without it no card can be recognised again. */
const BESIDE = ['hash.key']
export const CATALOG_FILE = 'catalog.sqlite'
export const PARQUET = 'parquet'

/**
 * Copies catalog, key and Parquet into a new folder. Then it opens the copy and checks every file of
 * it against the catalog. Throws would_overwrite, usage for a lake that is not
 * local, and lake_unreachable for an incomplete copy.
 */
export async function backUp(
  lake: Lake,
  connection: DuckDBConnection,
  { folder, signal }: { folder: string; signal?: AbortSignal },
): Promise<BackedUp> {
  const catalog = catalogFile(lake.settings)
  if (existsSync(folder)) throw exists(folder)
  await checkLake(lake, connection)
  // Temporal may run the same order twice at once, so each attempt has a folder of its own.
  const partial = `${folder}.${randomBytes(4).toString('hex')}.partial`
  await mkdir(partial, { recursive: true, mode: 0o700 })
  try {
    // Copies the catalog first: its files exist already and never change.
    await withRetries(() => copyCatalog(connection, catalog, join(partial, CATALOG_FILE)))
    signal?.throwIfAborted()
    await cp(lake.settings.data, join(partial, PARQUET), {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
    })
    for (const name of BESIDE.filter((file) => existsSync(join(dirname(catalog), file)))) {
      await copyFile(join(dirname(catalog), name), join(partial, name))
    }
    signal?.throwIfAborted()
    const { files, bytes } = await checkCopy({ ...lake.settings, ...copyIn(partial) })
    await rename(partial, folder)
    await removeLeftovers(folder)
    // The copy is complete. Without the record only the alert about an old backup stays.
    const record = { at: new Date().toISOString(), folder: resolve(folder) }
    await recordBackup(lake.settings, record).catch(() => {})
    return { folder, files, bytes }
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw existsSync(folder) ? exists(folder, error) : error
  }
}

const exists = (folder: string, cause?: unknown) =>
  new Failure('would_overwrite', `${folder} exists`, {
    cause,
    remedy: 'name a folder that does not exist yet',
  })

/** Deletes what other attempts at the same copy have left. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(dirname(folder))) {
    if (!name.startsWith(`${basename(folder)}.`) || !name.endsWith('.partial')) continue
    // An attempt that still writes there deletes its folder itself.
    await rm(join(dirname(folder), name), { recursive: true, force: true }).catch(() => {})
  }
}

/** The settings of a lake that lies in a folder, as a backup does. */
export const copyIn = (folder: string) => ({
  folder,
  catalog: `sqlite:${join(folder, CATALOG_FILE)}`,
  data: join(folder, PARQUET),
})

function catalogFile({ catalog, data }: LakeSettings): string {
  if (catalog.startsWith('sqlite:') && !data.includes('://')) return catalog.slice('sqlite:'.length)
  throw new Failure('usage', 'tieout can only copy a local lake', {
    remedy: 'back up PostgreSQL with pg_dump, then the bucket: docs/operations.md',
  })
}

/** Copies the catalog and its write-ahead log while no other process can write to either. */
const copyCatalog = (connection: DuckDBConnection, from: string, to: string): Promise<void> =>
  asOnlyWriter(connection, async () => {
    await copyFile(from, to)
    if (existsSync(`${from}-wal`)) await copyFile(`${from}-wal`, `${to}-wal`)
  })

/** Opens a copy and checks every file of it. Throws lake_damaged. */
export async function checkCopy(settings: LakeSettings): Promise<{ files: number; bytes: number }> {
  const copy = await openLake(settings, { create: false })
  try {
    const connection = await copy.connect()
    const { files, bytes } = await checkLake(copy, connection)
    connection.closeSync()
    return { files, bytes }
  } finally {
    copy.close()
  }
}
