/**
 * The opening of the lake for a person's SQL: read-only, without files and network, with only the
 * views.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { shortageFailure } from '../connection/lake-errors.ts'
import { openLake } from '../connection/open.ts'
import { quoted, quotedFolder } from '../connection/sql-literal.ts'
import { createViews, LATEST } from './views.ts'

export interface ReadOnlyLake {
  connection: DuckDBConnection
  close(): void
}

/**
 * Opens and locks the lake: only the files of `writes` can be written besides its own Parquet, and
 * no setting can change. Throws lake_unreachable, lake_locked or extension_missing.
 */
export async function openReadOnly(
  settings: LakeSettings,
  writes: readonly string[] = [],
): Promise<ReadOnlyLake> {
  const lake = await openLake(settings, { create: false, readOnly: true })
  try {
    const connection = await lake.connect()
    await createViews(connection)
    await connection.run(`use memory.${LATEST}`)
    await lockDown(connection, settings, writes)
    return {
      connection,
      close: () => {
        connection.closeSync()
        lake.close()
      },
    }
  } catch (cause) {
    lake.close()
    if (cause instanceof Failure) throw cause
    const what = 'the lake has other tables than this program, or is damaged'
    throw shortageFailure(cause) ?? new Failure('lake_unreachable', what, { cause })
  }
}

/** DuckDB enforces these itself for every statement; lake/query/statement.ts closes the rest. */
async function lockDown(
  connection: DuckDBConnection,
  { data }: LakeSettings,
  writes: readonly string[],
): Promise<void> {
  await connection.run(`set allowed_directories = [${quotedFolder(data)}]`)
  await connection.run(`set allowed_paths = [${writes.map(quoted).join(', ')}]`)
  await connection.run('set enable_external_access = false')
  await connection.run('set lock_configuration = true')
}
