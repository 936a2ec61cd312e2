/** An empty lake with all its tables, made once and copied: making one takes as long as a small reconciliation. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { LakeSettings } from '../../domain/settings.ts'
import { openLake } from '../../lake/connection/open.ts'
import { tablesOf } from '../../lake/connection/tables.ts'
import { atOneInstant } from '../../lake/connection/transact.ts'
import { projectFiles, ROOT } from '../house/project-files.ts'

/** Folders of tests all have names of one length, so that one can stand for another inside the catalog. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'tieout-test-'))

/**
 * Settings of a lake in a folder, where nothing need be. A single thread takes less work
 * than two for the small statements of a test. Tests that start commands have as many threads as a user.
 */
export const lakeSettingsIn = (folder: string): LakeSettings => ({
  catalog: `sqlite:${join(folder, 'catalog.sqlite')}`,
  data: join(folder, 'parquet'),
  folder,
  memoryLimit: '1GB',
  threads: 1,
})

/** Makes the template before all tests, unless one of the same schema exists. */
export async function setup(): Promise<void> {
  const template = templateFolder()
  if (existsSync(template)) return
  const folder = newFolder()
  try {
    const lake = await openLake(lakeSettingsIn(join(folder, 'lake')))
    const connection = await lake.connect()
    await fillAndEmpty(connection)
    connection.closeSync()
    lake.close()
    writeFileSync(join(folder, 'made-in'), folder)
    mkdirSync(dirname(template), { recursive: true })
    const scratch = mkdtempSync(`${template}-`)
    cpSync(folder, scratch, { recursive: true })
    if (existsSync(template)) rmSync(scratch, { recursive: true, force: true })
    else renameSync(scratch, template)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Every table has had a row once. DuckLake has no statistics for a table that never had one. Then it searches the
 * catalog for each column that a statement reads, which takes ten times as long as reading rows.
 */
async function fillAndEmpty(connection: DuckDBConnection): Promise<void> {
  const info = await connection.runAndReadAll(
    `select table_name from ducklake_table_info('lake') where file_count = 0`,
  )
  const unfilled = new Set(info.getRows().map(([table]) => String(table)))
  const tables = (await tablesOf(connection)).filter(({ table }) => unfilled.has(table))
  for (const statement of [
    ({ schema, table }: Table) => `insert into lake.${schema}.${table} default values`,
    ({ schema, table }: Table) => `delete from lake.${schema}.${table}`,
  ]) {
    await atOneInstant(connection, async () => {
      for (const table of tables) await connection.run(statement(table))
    })
  }
  await connection.run(`call ducklake_expire_snapshots('lake', older_than => now())`)
  await connection.run(`call ducklake_cleanup_old_files('lake', cleanup_all => true)`)
}

interface Table {
  schema: string
  table: string
}

/**
 * Puts an empty lake into a folder that `newFolder` made, as if it had just been opened there for the first time. Its
 * folder is `lake`, or `data` for commands that run there.
 */
export function emptyLakeIn(folder: string, name: 'lake' | 'data' = 'lake'): LakeSettings {
  const template = templateFolder()
  const madeIn = readFileSync(join(template, 'made-in'), 'latin1')
  if (madeIn.length !== folder.length) throw new Error(`${folder} is no folder of a test`)
  const target = join(folder, name)
  cpSync(join(template, 'lake'), target, { recursive: true })
  const catalog = join(target, 'catalog.sqlite')
  const named = readFileSync(catalog, 'latin1').replaceAll(join(madeIn, 'lake'), target)
  writeFileSync(catalog, named, 'latin1')
  return lakeSettingsIn(target)
}

const TEMPLATE = 'test/support/lake-template.ts'

/** Another schema, another way of opening a lake, of making this one, or another DuckDB is another template. */
function templateFolder(): string {
  const hash = createHash('sha256').update(tmpdir())
  for (const { path, text } of projectFiles('sql/schema')) hash.update(path).update(text)
  for (const file of [
    'lake/connection/open.ts',
    'lake/connection/migrate.ts',
    'package.json',
    TEMPLATE,
  ]) {
    hash.update(readFileSync(join(ROOT, file)))
  }
  return join(ROOT, '.cache', 'empty-lake', hash.digest('hex').slice(0, 16))
}
