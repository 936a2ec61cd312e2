/** Reads a lake without write access, such as a mounted backup. */
import { accessSync, constants, copyFileSync, existsSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { LakeSettings } from '../../domain/settings.ts'
import { temporaryFolder } from '../../domain/temporary-folder.ts'
import { CATALOG } from './commit-record.ts'
import { quoted } from './sql-literal.ts'

const SQLITE = 'sqlite:'

/** True for a lake in a folder, with its catalog in SQLite. */
export const isLocal = ({ catalog }: LakeSettings): boolean => catalog.startsWith(SQLITE)

/** True for a local catalog in a folder without write access. */
export function isReadOnly({ catalog }: LakeSettings): boolean {
  if (!catalog.startsWith(SQLITE)) return false
  try {
    accessSync(dirname(catalog.slice(SQLITE.length)), constants.W_OK)
    return false
  } catch {
    return existsSync(catalog.slice(SQLITE.length))
  }
}

/** False for a user of PostgreSQL who may not write the rows of the catalog. */
export async function mayInsert(
  connection: DuckDBConnection,
  settings: LakeSettings,
): Promise<boolean> {
  if (isLocal(settings)) return true
  const question = "select has_table_privilege('ducklake_snapshot', 'insert')"
  const answer = await connection.runAndReadAll(
    `from postgres_query(${quoted(CATALOG)}, ${quoted(question)})`,
  )
  return answer.getRows()[0]?.[0] === true
}

/**
 * Copies the catalog to a temporary folder, because SQLite writes a file beside a catalog even to read it. The Parquet
 * files are read where they are. `remove` deletes the copy.
 */
export function withCatalogCopy(settings: LakeSettings): {
  settings: LakeSettings
  remove: () => void
} {
  const from = settings.catalog.slice(SQLITE.length)
  const folder = temporaryFolder('catalog')
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    for (const ending of ['', '-wal']) {
      if (existsSync(from + ending)) copyFileSync(from + ending, join(folder, `catalog${ending}`))
    }
  } catch (error) {
    remove()
    throw error
  }
  return {
    settings: { ...settings, folder, catalog: `${SQLITE}${join(folder, 'catalog')}` },
    remove,
  }
}
