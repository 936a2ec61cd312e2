/**
 * Large tables of a run. Where they won't all fit into memory, those with a row for most transactions go into a database file
 * of the run's own, whose pages DuckDB reads again instead of first writing them to its spill files.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { LakeSettings } from '../../domain/settings.ts'
import { headerOf, type Model, type Part } from './models.ts'
import { scratchFolder } from '../connection/open.ts'
import { quoted } from '../connection/sql-literal.ts'

/** A row for most transactions and many columns, or an unknown number of rows. */
const WIDE = 'transactions, wide'
/** A row for most transactions and few columns. */
const NARROW = 'transactions'

/** What a run holds in memory for each version of a transaction at most: where all its tables are there, and without the wide ones. */
const ALL_BYTES = 400
const NARROW_BYTES = 200

/** Of `memory_limit` for each version that is put in order at once: twice what sorting holds of it. */
const SORTED_BYTES = 160

/** To read the rows through once for each part costs more at some point. */
const MOST_PARTS = 16

/** Tables that don't fit into memory go here. */
export interface Scratch {
  /** The name of the database. */
  database: string
  /** Sizes, as headers of models say them, of the tables that go into it. */
  sizes: readonly string[]
  /** In so many parts transactions are put in order, a power of two. */
  parts: number
}

/** Does the work with such a database, or with undefined where everything fits into memory; then removes the file. */
export async function withScratch<T>(
  settings: LakeSettings,
  connection: DuckDBConnection,
  work: (scratch: Scratch | undefined) => Promise<T>,
): Promise<T> {
  const version_bytes = await bytesForVersion(connection, settings.scratchFrom)
  if (version_bytes > ALL_BYTES) return work(undefined)
  const folder = scratchFolder(settings)
  removeLeft(folder)
  const database = `scratch_${process.pid}_${randomUUID().slice(0, 8)}`
  await connection.run(`attach ${quoted(join(folder, `${database}.duckdb`))} as ${database}`)
  try {
    return await work({ database, ...heldAt(version_bytes) })
  } finally {
    await connection.run(`detach ${database}`)
    remove(folder, database)
  }
}

/** What goes into the database where there are so many bytes of memory for each version of a transaction. */
export function heldAt(version_bytes: number): Omit<Scratch, 'database'> {
  if (version_bytes > NARROW_BYTES) return { sizes: [WIDE], parts: 1 }
  const parts = 2 ** Math.ceil(Math.log2(SORTED_BYTES / version_bytes))
  return { sizes: [WIDE, NARROW], parts: Math.max(1, Math.min(parts, MOST_PARTS)) }
}

/** Files of processes that ended before they could remove them. */
function removeLeft(folder: string): void {
  for (const file of readdirSync(folder)) {
    const [database, pid] = /^scratch_(\d+)_\w+/.exec(file) ?? []
    if (database !== undefined && !isRunning(Number(pid))) remove(folder, database)
  }
}

function remove(folder: string, database: string): void {
  for (const ending of ['duckdb', 'duckdb.wal']) {
    rmSync(join(folder, `${database}.${ending}`), { force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The same models, the large ones of which go into the database, where there is one. */
export function inScratch(models: readonly Model[], scratch: Scratch | undefined): Model[] {
  if (scratch === undefined) return [...models]
  return models.map((model) => {
    if (!scratch.sizes.includes(headerOf(model, 'size') ?? '')) return model
    const split = headerOf(model, 'split')
    if (split === undefined || scratch.parts === 1) return { ...model, database: scratch.database }
    return { ...model, database: scratch.database, parts: partsOf(split, scratch.parts) }
  })
}

/** Parts of the terminals, which fit into memory one after the other. The model itself takes even and odd ids apart. */
const partsOf = (input: string, parts: number): Part[] =>
  Array.from({ length: parts }, (_, part) => ({
    input,
    where: `(terminal_id >> 1) & ${parts - 1} = ${part}`,
  }))

/** Of `memory_limit`; as if versions fitted up to `scratchFrom` of them, where it says so. */
async function bytesForVersion(
  connection: DuckDBConnection,
  scratchFrom: number | undefined,
): Promise<number> {
  const reader = await connection.runAndReadAll(
    `select (select count(*) from lake.seen.transaction_version), current_setting('memory_limit')`,
  )
  const [versions, limit] = reader.getRows()[0] ?? []
  const bytes = scratchFrom === undefined ? bytesOf(String(limit)) : scratchFrom * ALL_BYTES
  return bytes / Number(versions)
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

/** Of a size as DuckDB says it, such as `7.4 GiB`. */
function bytesOf(size: string): number {
  const [number = '', unit = ''] = size.split(' ')
  return Number(number) * 1024 ** UNITS.indexOf(unit)
}
