/** The copy of a lake's Parquet files between folders and object stores. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { constants, existsSync } from 'node:fs'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { quoted, quotedFile } from '../connection/sql-literal.ts'

export interface CopyFiles {
  /** A folder, or the address of one in an object store that the connection has credentials for. */
  from: string
  to: string
  signal?: AbortSignal | undefined
}

const isAddress = (place: string) => place.includes('://')

/**
 * Copies all Parquet files below a place, with their paths below it. Leaves out a file that disappears meanwhile: another
 * process has undone its transaction or has cleaned up. The check of the copy finds a file that should be there.
 */
export async function copyFiles(
  connection: DuckDBConnection,
  { from, to, signal }: CopyFiles,
): Promise<void> {
  for (const path of await filesBelow(connection, from)) {
    signal?.throwIfAborted()
    const [source, target] = [below(from, path), below(to, path)]
    try {
      await copyFrom(connection, source, target)
    } catch (error) {
      if (await exists(connection, source)) throw error
    }
  }
}

const below = (place: string, path: string) => `${place.replace(/\/$/, '')}/${path}`

/** The paths of the Parquet files below a place. */
export async function filesBelow(connection: DuckDBConnection, place: string): Promise<string[]> {
  if (!isAddress(place)) {
    const names = await readdir(place, { recursive: true })
    return names.filter((name) => name.endsWith('.parquet')).toSorted()
  }
  const files = await matches(connection, below(place, '**/*.parquet'))
  return files.map((file) => file.slice(below(place, '').length))
}

async function matches(connection: DuckDBConnection, pattern: string): Promise<string[]> {
  const reader = await connection.runAndReadAll(
    `select file from glob(${quoted(pattern)}) order by file`,
  )
  return reader.getRows().map(([file]) => String(file))
}

const exists = async (connection: DuckDBConnection, file: string) =>
  isAddress(file) ? (await matches(connection, file)).length > 0 : existsSync(file)

async function copyFrom(connection: DuckDBConnection, from: string, to: string): Promise<void> {
  if (!isAddress(to)) await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  if (!isAddress(from) && !isAddress(to)) {
    await copyFile(from, to, constants.COPYFILE_FICLONE)
    return
  }
  await connection.run(
    `copy (select content from read_blob(${quotedFile(from)})) to ${quoted(to)} (format blob)`,
  )
}
