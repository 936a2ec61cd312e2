/** Restores a backup into an empty database of PostgreSQL, and its files into the place of the data. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import type { Restored } from '../../domain/maintenance.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { checkWithin } from '../connection/check-lake.ts'
import { CATALOG, recordAll, viewCatalog } from '../connection/commit-record.ts'
import { inTransaction } from '../connection/in-transaction.ts'
import type { Lake } from '../connection/lake.ts'
import { makeFolder } from '../connection/make-folder.ts'
import { schemaOf } from '../connection/migrate.ts'
import { openLake, scratchFolder } from '../connection/open.ts'
import { ownSessions } from '../connection/other-sessions.ts'
import { ownName } from '../connection/process-mark.ts'
import { quotedFolder } from '../connection/sql-literal.ts'
import { CATALOG_FILE, checkCopy, lakeIn, PARQUET, withAttached } from './back-up.ts'
import { copyRows } from './catalog-rows.ts'
import { copyFiles, filesBelow } from './copy-files.ts'

export interface RestoreOrder {
  backup: string
  /** Instant of the restore, part of the name of the folder that the earlier lake gets. */
  now: Date
  signal?: AbortSignal
}

/**
 * Checks the backup and copies its files. Then fills the catalog in one transaction, which ends with a check of every
 * file in its new place. Throws would_overwrite for a catalog that has a lake, and lake_damaged.
 */
export async function restoreShared(
  settings: LakeSettings,
  { backup, signal }: RestoreOrder,
): Promise<Restored> {
  makeFolder(scratchFolder(settings))
  const scratch = await mkdtemp(join(scratchFolder(settings), `restore-${ownName()}-`))
  try {
    // Opening a catalog writes beside it, and a backup stays as it is.
    for (const name of [CATALOG_FILE, `${CATALOG_FILE}-wal`]) {
      if (existsSync(join(backup, name))) await copyFile(join(backup, name), join(scratch, name))
    }
    const data = join(backup, PARQUET)
    const own = ownSessions(settings)
    const lake = await openLake(own.settings, { asItIs: true })
    const connection = await lake.connect()
    try {
      const ensureEmpty = async () => {
        signal?.throwIfAborted()
        await refuseFilled(connection, settings)
        await own.refuseOthers(connection)
      }
      await ensureEmpty()
      await refuseOthers(connection, { from: data, to: settings.data })
      await checkCopy({ ...lakeIn(settings, scratch), data })
      await copyFiles(connection, { from: data, to: settings.data, signal })
      const from = join(scratch, CATALOG_FILE)
      const checked = await fillCatalog(lake, connection, { from, ensureEmpty })
      return { folder: settings.catalog, backup, ...checked }
    } finally {
      // An open connection would hold its session of PostgreSQL.
      connection.closeSync()
      lake.close()
    }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** An interrupted restore leaves a catalog without tables, which is empty as well. */
async function refuseFilled(
  connection: DuckDBConnection,
  { catalog }: LakeSettings,
): Promise<void> {
  const { version } = await schemaOf(connection)
  if (version === 0) return
  throw new Failure('would_overwrite', `the catalog at ${catalog} has a lake`, {
    remedy: 'create an empty database, and name it in TIEOUT_LAKE',
  })
}

/** Refuses a place with files that the backup does not have, which maintenance of the restored lake would delete. */
async function refuseOthers(
  connection: DuckDBConnection,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const known = new Set(await filesBelow(connection, from))
  const other = (await filesBelow(connection, to)).find((path) => !known.has(path))
  if (other === undefined) return
  throw new Failure('would_overwrite', `${to} has files that the backup lacks, such as ${other}`, {
    remedy: 'name an empty bucket or prefix in TIEOUT_LAKE_DATA',
  })
}

/** The copy of the files takes long, so that the last look at the database comes after it. */
function fillCatalog(
  lake: Lake,
  connection: DuckDBConnection,
  { from: file, ensureEmpty }: { from: string; ensureEmpty: () => Promise<void> },
): Promise<{ files: number; bytes: number }> {
  const { data } = lake.settings
  return withAttached(connection, file, async (from) => {
    await viewCatalog(connection, data)
    return inTransaction(connection, async () => {
      await ensureEmpty()
      await copyRows(connection, { from, to: CATALOG })
      await connection.run(
        `update ${CATALOG}.ducklake_metadata set value = ${quotedFolder(data)} where key = 'data_path'`,
      )
      await recordAll(connection)
      return checkWithin(connection)
    })
  })
}
