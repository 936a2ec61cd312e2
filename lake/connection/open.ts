/** The opening of DuckDB with the lake attached: a DuckLake catalog and its Parquet files. */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import { isObjectAddress } from '../../domain/object-address.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { type Extension, extensionFolder, loadExtensions } from './extensions.ts'
import { lakeCause } from './lake-cause.ts'
import {
  cantBeLake,
  isMissing,
  isUnreadable,
  lakeDamaged,
  lakeFailure,
  RACE,
} from './lake-errors.ts'
import { checkCatalog } from './check-lake.ts'
import { CATALOG, makeRecord } from './commit-record.ts'
import { makeFolder } from './make-folder.ts'
import { checkSchema, hasTables, makeTables, schemaOf } from './migrate.ts'
import { isLocal, isReadOnly, withCatalogCopy } from './read-only-copy.ts'
import { hasCatalog, refuseSetAside } from './set-aside.ts'
import { deleteLeftovers } from './process-mark.ts'
import { quoted, quotedFolder } from './sql-literal.ts'
import { CATALOG_SECRET, createSecrets } from './secrets.ts'
import { renewSecret } from './renew-secret.ts'
import { withRetries } from './with-retries.ts'
import { type Lake } from './lake.ts'
import { hasRows } from './has-rows.ts'

export interface OpenOptions {
  /** False: a missing lake is an error, so that a typo can't make an empty one. */
  create?: boolean
  readOnly?: boolean
  /** True: an older lake and one without tables stay so, for an upgrade or a restore. */
  asItIs?: boolean
  say?: (line: string) => void
}

/**
 * Opens the lake. A lake without tables gets them. A lake without write access is read as it is, unless the caller may
 * create one. Throws lake_unreachable, lake_outdated, lake_locked or extension_missing.
 */
export async function openLake(settings: LakeSettings, options: OpenOptions = {}): Promise<Lake> {
  if (options.create === false) refuseMissing(settings)
  else refuseSetAside(settings)
  if (options.create !== false || !isReadOnly(settings)) return openAt(settings, options)
  const copy = withCatalogCopy(settings)
  try {
    const lake = await openAt(copy.settings, { ...options, readOnly: true })
    const close = () => {
      lake.close()
      copy.remove()
    }
    return { ...lake, settings, close }
  } catch (error) {
    copy.remove()
    throw error
  }
}

async function openAt(settings: LakeSettings, options: OpenOptions): Promise<Lake> {
  const say = options.say ?? (() => {})
  if (options.readOnly !== true) prepareFolders(settings)
  const instance = await DuckDBInstance.create(':memory:', {
    ...(await instanceOptions(settings)),
    // Until loadExtensions has loaded those whose signature was checked before.
    allow_unsigned_extensions: 'true',
  })
  try {
    const first = await instance.connect()
    await first.run("SET GLOBAL TimeZone = 'UTC'")
    await loadExtensions(first, extensionsFor(settings), say)
    const expiresAt_ms = await createSecrets(first, settings)
    await attach(first, settings, options)
    await prepareTables(first, options).catch(async (error: unknown) => {
      throw (await damageOfCatalog(first, settings, error)) ?? error
    })
    first.closeSync()
    const renewal = renewSecret(instance, settings, expiresAt_ms)
    const close = () => {
      renewal.stop()
      instance.closeSync()
    }
    return {
      ...{ settings, say, isReadOnly: options.readOnly === true, close },
      connect: () => connect(instance, settings.threads),
    }
  } catch (error) {
    instance.closeSync()
    throw lakeFailure(error) ?? error
  }
}

/** The damage that the first reads of the catalog failed of, such as a column whose type no engine knows. */
async function damageOfCatalog(
  connection: DuckDBConnection,
  { data }: LakeSettings,
  error: unknown,
): Promise<Failure | undefined> {
  if (lakeFailure(error) !== undefined || !isUnreadable(error)) return undefined
  return checkCatalog(connection, data).then(
    () => undefined,
    (found: unknown) => (found instanceof Failure ? found : undefined),
  )
}

async function prepareTables(
  connection: DuckDBConnection,
  { readOnly, asItIs, say }: OpenOptions,
): Promise<void> {
  if (asItIs === true) await schemaOf(connection)
  else if (readOnly === true) await checkSchema(connection)
  else await makeTables(connection, undefined, say)
  if (readOnly !== true) await makeRecord(connection)
}

/**
 * Statements on fewer versions of transactions take less time with one thread than with two (decision 0070).
 */
const FEW_VERSIONS = 300_000

async function connect(instance: DuckDBInstance, threads: number): Promise<DuckDBConnection> {
  const connection = await instance.connect()
  if (threads > 1) await takeThreads(connection, threads)
  await connection.run('SET ducklake_max_retry_count = 50')
  await connection.run('SET ducklake_retry_wait_ms = 50')
  return connection
}

async function takeThreads(connection: DuckDBConnection, threads: number): Promise<void> {
  // A catalog that can't be read is reported by the work on it.
  const versions = await versionsIn(connection).catch(() => Infinity)
  await connection.run(`SET threads = ${versions < FEW_VERSIONS ? 1 : threads}`)
}

/** The number of versions of transactions in the lake's files, without opening them. */
async function versionsIn(connection: DuckDBConnection): Promise<number> {
  const reader = await connection.runAndReadAll(
    `select coalesce(sum(record_count), 0) from ${CATALOG}.ducklake_data_file
     where end_snapshot is null
       and table_id in (select table_id from ${CATALOG}.ducklake_table where table_name = 'transaction_version')`,
  )
  return Number(reader.getRows()[0]?.[0])
}

/**
 * Returns false if a local catalog does not exist, because opening would make it. Throws lake_unreachable if a restore
 * has moved it aside, or if this user can't read it.
 */
export function isThere(settings: LakeSettings): boolean {
  refuseSetAside(settings)
  return hasCatalog(settings)
}

/** Throws lake_unreachable if there is no lake, for work that must not make one. */
export function refuseMissing(settings: LakeSettings): void {
  if (!isThere(settings)) throw new NoLake(settings)
}

/** There is no lake in a folder, or in a database that answers. */
export class NoLake extends Failure {
  constructor(settings: LakeSettings) {
    const [place, choice] = isLocal(settings)
      ? [settings.folder, 'the folder of a lake with --lake or TIEOUT_LAKE']
      : [settings.catalog, 'the database of a lake with TIEOUT_LAKE']
    super('lake_unreachable', `there is no lake in ${place}`, {
      remedy: `name ${choice}; tieout run makes one`,
    })
  }
}

function prepareFolders(settings: LakeSettings): void {
  try {
    makeFolder(settings.folder)
    if (!settings.data.includes('://')) makeFolder(settings.data)
    makeFolder(scratchFolder(settings))
    deleteLeftovers(scratchFolder(settings))
    chmodSync(settings.folder, 0o700)
  } catch (error) {
    throw lakeFailure(error) ?? cantBeLake(settings.folder, error)
  }
}

/** Opens a DuckDB without a lake, whose spill files go to this folder. */
export async function openAside(settings: LakeSettings, folder: string): Promise<DuckDBInstance> {
  const options = { ...(await instanceOptions(settings)), temp_directory: folder }
  const instance = await DuckDBInstance.create(':memory:', options)
  const connection = await instance.connect()
  await connection.run("SET GLOBAL TimeZone = 'UTC'")
  connection.closeSync()
  return instance
}

/** The folder for files that a process doesn't need after its end. */
export const scratchFolder = (settings: LakeSettings): string => join(settings.folder, 'scratch')

async function instanceOptions(settings: LakeSettings): Promise<Record<string, string>> {
  const folder = await extensionFolder()
  return {
    // Extensions come only from lake/connection/extensions.ts, so that no download is a surprise.
    autoinstall_known_extensions: 'false',
    threads: String(settings.threads),
    memory_limit: settings.memoryLimit,
    temp_directory: scratchFolder(settings),
    // Memory that a statement has freed returns to the machine at once, not after eight times as
    // much.
    allocator_flush_threshold: '16MB',
    // DuckDB would hold a copy of local files in memory, which grows with each night. The operating system caches them.
    enable_external_file_cache: String(isObjectAddress(settings.data)),
    ...(folder === undefined ? {} : { extension_directory: folder }),
  }
}

function extensionsFor(settings: LakeSettings): Extension[] {
  const catalog: Extension = settings.catalog.startsWith('postgres:')
    ? 'postgres_scanner'
    : 'sqlite_scanner'
  return ['ducklake', catalog, ...(isObjectAddress(settings.data) ? ['httpfs' as const] : [])]
}

async function attach(
  connection: DuckDBConnection,
  settings: LakeSettings,
  { create = true, readOnly = false }: OpenOptions,
): Promise<void> {
  const sqlite = !settings.catalog.startsWith('postgres:')
  const options = [
    `DATA_PATH ${quotedFolder(settings.data)}`,
    // Inlined rows can come back damaged from these catalogs; small files are merged instead.
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
    // Several workers may open a new lake together and try to make its catalog; one succeeds.
    await (sqlite ? attached() : withRetries(attached)).catch(async (error: unknown) => {
      if (!MOVED.test(String(error))) throw error
      await attached(['OVERRIDE_DATA_PATH true'])
      if (await hasTables(connection)) await checkMoved(connection, settings)
      else if (!readOnly) await takePlace(connection, settings)
    })
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    throw unopened(settings, cause)
  }
}

/** DuckLake's message for a database without a lake, which local catalogs are asked for before. */
const ABSENT = /DuckLake at metadata catalog .* does not exist/

function unopened(settings: LakeSettings, cause: unknown): Failure {
  const text = String(cause)
  if (ABSENT.test(text)) return new NoLake(settings)
  const isShared = settings.catalog.startsWith('postgres:')
  const { words, remedy } = isShared ? (lakeCause(text) ?? {}) : {}
  const failure = lakeFailure(cause)
  if (!isShared && failure !== undefined) return failure
  const why = /not a database|malformed/i.test(text) ? 'its catalog is not a database' : words
  return new Failure(
    RACE.test(text) ? 'lake_locked' : 'lake_unreachable',
    cantBeOpened(isShared ? `at ${settings.catalog}` : `in ${settings.folder}`, why),
    {
      cause,
      ...(failure?.code === 'lake_lost' ? { retry: true } : {}),
      remedy,
    },
  )
}

const cantBeOpened = (place: string, why: string | undefined) =>
  `the lake ${place} can't be opened${why === undefined ? '' : `: ${why}`}`

/** The catalog remembers the path of its files. */
const MOVED = /does not match existing data path/

/** Gives a catalog without tables another place for its files, since it has none yet. */
const takePlace = (connection: DuckDBConnection, { data }: LakeSettings): Promise<unknown> =>
  connection.run(
    `update ${CATALOG}.ducklake_metadata set value = ${quotedFolder(data)} where key = 'data_path'`,
  )

/**
 * Checks that the files at the given path are the lake's own, since a lake may be moved or restored
 * elsewhere. Throws lake_unreachable for another folder, and lake_damaged if only the file that it looks for is missing.
 */
async function checkMoved(connection: DuckDBConnection, { data }: LakeSettings): Promise<void> {
  const files = await connection.runAndReadAll(
    `select data_file from ducklake_list_files('lake', 'migration', schema => 'main') limit 1`,
  )
  const file = String(files.getRows()[0]?.[0])
  if (await isFile(connection, file)) return
  if (await hasOtherFiles(connection, data)) throw lakeDamaged(`its file ${file} is missing`)
  throw new Failure('lake_unreachable', `the files of the lake are not in ${data}`, {
    remedy: 'set TIEOUT_LAKE_DATA to their folder, or move them there',
  })
}

/** True if one of some other files of the catalog is in the folder, so that it is the right one. */
async function hasOtherFiles(connection: DuckDBConnection, data: string): Promise<boolean> {
  if (isObjectAddress(data) || !existsSync(data)) return false
  const reader = await connection.runAndReadAll(
    'select path from __ducklake_metadata_lake.ducklake_data_file where end_snapshot is null limit 20',
  )
  const names = new Set(reader.getRows().map(([path]) => basename(String(path))))
  const found = readdirSync(data, { recursive: true, encoding: 'utf8' })
  return found.some((path) => names.has(basename(path)))
}

async function isFile(connection: DuckDBConnection, file: string): Promise<boolean> {
  if (!isObjectAddress(file)) {
    return hasRows(connection, `from glob(${quoted(file)})`)
  }
  // For an object, glob answers with its argument.
  return connection.run('from lake.main.migration limit 1').then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false
      throw lakeFailure(error) ?? error
    },
  )
}
