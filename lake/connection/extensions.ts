/**
 * The DuckDB extensions: from DuckDB's own folder, from its host, or from a folder that is filled
 * once.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Failure } from '../../domain/failure.ts'
import { cacheFolder, scratchInCache } from './cache-folder.ts'
import { isRemembered, rememberCheck } from './checked-file.ts'
import { quoted } from './sql-literal.ts'

const run = promisify(execFile)

/** Must equal the engine's version: extensions are built for exactly one. */
const ENGINE = '1.5.5'

export type Extension = 'ducklake' | 'sqlite_scanner' | 'postgres_scanner' | 'httpfs'

/** The folder of extensions in the cache. Throws config_invalid. */
const filledFolder = async () => join(await cacheFolder(), 'duckdb-extensions')

/** The folder for DuckDB to look in; undefined for its default. */
export async function extensionFolder(): Promise<string | undefined> {
  const named = process.env['DUCKDB_EXT_DIR']
  if (named !== undefined && named !== '') return named
  const filled = await filledFolder()
  return existsSync(join(filled, `v${ENGINE}`)) ? filled : undefined
}

/**
 * Loads extensions: LOAD, else from DuckDB's host into the cache, else from the signed wheels of the same version.
 * DuckDB checks a file's signature when it loads the file for the first time. `say` receives one line after a download.
 * An instance that allows unsigned extensions allows none afterwards.
 */
export async function loadExtensions(
  connection: DuckDBConnection,
  names: readonly Extension[],
  say: (line: string) => void,
): Promise<void> {
  const folder = (await extensionFolder()) ?? (await filledFolder())
  const reader = await connection.runAndReadAll(
    `select platform, current_setting('allow_unsigned_extensions') from pragma_platform()`,
  )
  const [platform, isFirst] = reader.getRows()[0] ?? []
  const fileOf = (name: Extension) =>
    join(folder, `v${ENGINE}`, String(platform), `${name}.duckdb_extension`)
  const areRemembered = names.every((name) => isRemembered(fileOf(name), SIGNED))
  if (!areRemembered) await demandSignatures(connection)
  // DuckDB does not look at the file again if the instance has loaded it before.
  const isChecking = isFirst === true && !areRemembered
  for (const name of names) {
    const load = () => succeeds(connection.run(`LOAD ${name}`))
    if (await (isChecking ? rememberCheck(fileOf(name), SIGNED, load) : load())) continue
    await demandSignatures(connection)
    if (process.env['DUCKDB_EXT_DIR'] === undefined) {
      await fetchExtension(connection, { name, file: fileOf(name), say })
    }
    await loadOrFail(connection, name)
  }
  await demandSignatures(connection)
}

/** The check of DuckDB, which hashes 70 MB for each lake that is opened. */
const SIGNED = `signed for ${ENGINE}`

/** DuckDB never allows unsigned extensions again in the same instance. */
const demandSignatures = async (connection: DuckDBConnection) =>
  connection.run('SET GLOBAL allow_unsigned_extensions = false')

async function fetchExtension(
  connection: DuckDBConnection,
  { name, file, say }: { name: Extension; file: string; say: (line: string) => void },
): Promise<void> {
  await connection.run(`SET extension_directory = ${quoted(await filledFolder())}`)
  if (existsSync(file)) return
  const target = dirname(file)
  const scratch = scratchInCache(target)
  try {
    if (await succeeds(connection.run(`INSTALL ${name}`))) {
      say(`DuckDB extension ${name}: installed in ${target}`)
    } else {
      const wheel = await unpackWheel(name, { scratch, file })
      say(`DuckDB extension ${name}: fetched as ${wheel}, stored in ${target}`)
    }
    // Several users may share a cache of programs, which holds no secret.
    await chmod(file, 0o644)
  } catch (cause) {
    throw new Failure(
      'extension_missing',
      `DuckDB extension ${name} of ${ENGINE} can't be fetched`,
      { cause, remedy: remedyFor(name) },
    )
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Fetches the wheel of an extension by pip, and moves its file into place. Returns the wheel's name. */
async function unpackWheel(
  name: Extension,
  { scratch, file }: { scratch: string; file: string },
): Promise<string> {
  const wheel = `duckdb-extension-${name.replace('_', '-')}==${ENGINE}`
  const install = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', scratch, wheel]
  await run('python3', install)
  const entries = await readdir(scratch, { recursive: true })
  const found = entries.find((path) => path.endsWith(basename(file)))
  if (found === undefined) throw new Error(`no ${basename(file)} in ${wheel}`)
  // Another process may fill the same folder, so the file appears whole or not at all.
  await cp(join(scratch, found), join(scratch, basename(file)))
  await rename(join(scratch, basename(file)), file)
  return wheel
}

const remedyFor = (name: Extension) =>
  `set DUCKDB_EXT_DIR to a folder that holds v${ENGINE}/<platform>/${name}.duckdb_extension`

async function loadOrFail(connection: DuckDBConnection, name: Extension): Promise<void> {
  try {
    await connection.run(`LOAD ${name}`)
  } catch (cause) {
    throw new Failure(
      'extension_missing',
      `DuckDB extension ${name} of ${ENGINE} can't be loaded`,
      { cause, remedy: remedyFor(name) },
    )
  }
}

const succeeds = async (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )
