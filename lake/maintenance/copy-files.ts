/** The copy of a lake's Parquet files between folders and object stores. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { constants } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { quoted, quotedFile } from '../connection/sql-literal.ts'

export interface CopyFiles {
  /** A folder, or the address of one in an object store that the connection has credentials for. */
  from: string
  to: string
  signal?: AbortSignal | undefined
}

const isAddress = (place: string) => place.includes('://')

/** Copies all files below a place, with their paths below it. */
export async function copyFiles(
  connection: DuckDBConnection,
  { from, to, signal }: CopyFiles,
): Promise<void> {
  if (!isAddress(from) && !isAddress(to)) {
    await cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE })
    return
  }
  const root = from.endsWith('/') ? from : `${from}/`
  const reader = await connection.runAndReadAll(
    `select file from glob(${quoted(`${root}**/*.parquet`)}) order by file`,
  )
  for (const [file] of reader.getRows()) {
    signal?.throwIfAborted()
    const path = String(file)
    const target = `${to.replace(/\/$/, '')}/${path.slice(root.length)}`
    if (!isAddress(target)) await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await connection.run(
      `copy (select content from read_blob(${quotedFile(path)})) to ${quoted(target)} (format blob)`,
    )
  }
}
