/** Opens DuckDB with the lake attached: a DuckLake catalog and its Parquet files. */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { type Extension, extensionFolder, loadExtensions } from './extensions.ts'
import { lakeCause } from './lake-cause.ts'
import { cantBeLake, lostLake, RACE } from './lake-errors.ts'
import { makeFolder } from './make-folder.ts'
import { migrate, refuseUnknown } from './migrate.ts'
import { quoted } from './sql-literal.ts'
import { CATALOG_SECRET, createSecrets } from './secrets.ts'
import { withRetries } from './transact.ts'
import { type Lake } from './lake.ts'

export interface OpenOptions {
  /** False: a lake that isn't there yet is an error, so that a typo can't make an empty one. */
  create?: boolean
  /** True: nothing can be written through it, and an older schema is taken as it is. */
  readOnly?: boolean
  say?: (line: string) => void
}

/** Opens the lake and brings its schema up to date. Throws lake_unreachable, lake_locked or extension_missing. */
export async function openLake(settings: LakeSettings, options: OpenOptions = {}): Promise<Lake> {
  const say = options.say ?? (() => {})
  if (options.create === false && !isThere(settings)) throw noLake(settings.folder)
  if (options.readOnly !== true) prepareFolders(settings)
  const instance = await DuckDBInstance.create(':memory:', instanceOptions(settings))
  try {
    const first = await instance.connect()
    await first.run("SET GLOBAL TimeZone = 'UTC'")
    await loadExtensions(first, extensionsFor(settings), say)
    await createSecrets(first, settings)
    await attach(first, settings, options)
    await (options.readOnly === true ? refuseUnknown(first) : migrate(first))
    first.closeSync()
    return { settings, connect: () => connect(instance), close: () => instance.closeSync() }
  } catch (error) {
    instance.closeSync()
    throw lostLake(error) ?? error
  }
}

async function connect(instance: DuckDBInstance): Promise<DuckDBConnection> {
  const connection = await instance.connect()
  await connection.run('SET ducklake_max_retry_count = 50')
  await connection.run('SET ducklake_retry_wait_ms = 50')
  return connection
}

/** False where a local catalog was never made: opening it would make it. */
export function isThere({ catalog }: LakeSettings): boolean {
  const file = catalog.replace(/^sqlite:/, '')
  return file === catalog || existsSync(file)
}

const noLake = (folder: string) =>
  new Failure('lake_unreachable', `there is no lake in ${folder}`, {
    remedy: 'name the folder of one by --lake or TIEOUT_LAKE; tieout run makes one',
  })

function prepareFolders(settings: LakeSettings): void {
  try {
    makeFolder(settings.folder)
    if (!settings.data.includes('://')) makeFolder(settings.data)
    makeFolder(scratchFolder(settings))
    chmodSync(settings.folder, 0o700)
  } catch (error) {
    throw lostLake(error) ?? cantBeLake(settings.folder, error)
  }
}

/** A DuckDB with no lake, whose spill files go to this folder. */
export async function openAside(settings: LakeSettings, folder: string): Promise<DuckDBInstance> {
  const options = { ...instanceOptions(settings), temp_directory: folder }
  const instance = await DuckDBInstance.create(':memory:', options)
  const connection = await instance.connect()
  await connection.run("SET GLOBAL TimeZone = 'UTC'")
  connection.closeSync()
  return instance
}

/** Where a process puts what it can do without when it ends. */
export const scratchFolder = (settings: LakeSettings): string => join(settings.folder, 'scratch')

function instanceOptions(settings: LakeSettings): Record<string, string> {
  const folder = extensionFolder()
  return {
    // Nothing is fetched by surprise: extensions come from lake/connection/extensions.ts alone.
    autoinstall_known_extensions: 'false',
    threads: String(settings.threads),
    memory_limit: settings.memoryLimit,
    temp_directory: scratchFolder(settings),
    // What a statement has freed goes back to the machine at once and not after eight times as much.
    allocator_flush_threshold: '16MB',
    ...(folder === undefined ? {} : { extension_directory: folder }),
  }
}

function extensionsFor(settings: LakeSettings): Extension[] {
  const catalog: Extension = settings.catalog.startsWith('postgres:')
    ? 'postgres_scanner'
    : 'sqlite_scanner'
  return ['ducklake', catalog, ...(settings.data.startsWith('s3://') ? ['httpfs' as const] : [])]
}

async function attach(
  connection: DuckDBConnection,
  settings: LakeSettings,
  { create = true, readOnly = false }: OpenOptions,
): Promise<void> {
  const sqlite = !settings.catalog.startsWith('postgres:')
  const options = [
    `DATA_PATH ${quoted(settings.data.endsWith('/') ? settings.data : `${settings.data}/`)}`,
    // Inlined rows can come back damaged on these catalogs; small files are merged instead.
    'DATA_INLINING_ROW_LIMIT 0',
    `CREATE_IF_NOT_EXISTS ${create}`,
    ...(readOnly ? ['READ_ONLY'] : []),
    ...(settings.password === undefined ? [] : [`META_SECRET ${quoted(CATALOG_SECRET)}`]),
    ...(sqlite ? ["META_JOURNAL_MODE 'WAL'", 'META_BUSY_TIMEOUT 5000'] : []),
  ]
  const attached = async (more: readonly string[] = []) =>
    connection.run(
      `ATTACH ${quoted(`ducklake:${settings.catalog}`)} AS lake (${[...options, ...more].join(', ')})`,
    )
  try {
    // Workers that open a new lake together all try to make its catalog, and only one of them does.
    await (sqlite ? attached() : withRetries(attached)).catch(async (error: unknown) => {
      if (!MOVED.test(String(error))) throw error
      await attached(['OVERRIDE_DATA_PATH true'])
      await checkMoved(connection, settings)
    })
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    throw unopened(settings, cause)
  }
}

function unopened({ catalog, folder }: LakeSettings, cause: unknown): Failure {
  const said = String(cause)
  const isLocal = !catalog.startsWith('postgres:')
  const { words, remedy } = isLocal ? {} : (lakeCause(said) ?? {})
  const lost = isLocal ? lostLake(cause) : undefined
  if (lost !== undefined) return lost
  const why = /not a database|malformed/i.test(said) ? 'its catalog is no database' : words
  return new Failure(
    RACE.test(said) ? 'lake_locked' : 'lake_unreachable',
    `the lake ${isLocal ? `in ${folder}` : `at ${catalog}`} can't be opened${why === undefined ? '' : `: ${why}`}`,
    { cause, ...(remedy === undefined ? {} : { remedy }) },
  )
}

/** The catalog remembers where its files lay when it was made. */
const MOVED = /does not match existing data path/

/** A lake may be moved or restored elsewhere; what lies at the path that was given must be its own files. */
async function checkMoved(connection: DuckDBConnection, { data }: LakeSettings): Promise<void> {
  const files = await connection.runAndReadAll(
    `select data_file from ducklake_list_files('lake', 'migration', schema => 'main') limit 1`,
  )
  const file = String(files.getRows()[0]?.[0])
  const found = await connection.runAndReadAll(`from glob(${quoted(file)})`)
  if (found.currentRowCount > 0) return
  throw new Failure('lake_unreachable', `the files of the lake are not in ${data}`, {
    remedy: 'set TIEOUT_LAKE_DATA to where they are, or put them there',
  })
}
