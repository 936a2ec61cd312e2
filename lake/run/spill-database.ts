/**
 * The spill database of a run. If its large tables exceed the memory, those with a row for most
 * transactions go into a database file of the run. DuckDB reads its pages again instead of writing
 * spill files first.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { LakeSettings } from '../../domain/settings.ts'
import { headerOf, type Model, type Part } from './models.ts'
import { scratchFolder } from '../connection/open.ts'
import { ownName } from '../connection/process-mark.ts'
import { quoted } from '../connection/sql-literal.ts'

/** A row for most transactions and many columns, or an unknown number of rows. */
const WIDE = 'transactions, wide'
/** A row for most transactions and few columns. */
const NARROW = 'transactions'

/**
 * The most memory of a run for each version of a transaction: with all its tables, and without the
 * wide ones.
 */
const ALL_BYTES = 400
const NARROW_BYTES = 200

/** Share of `memory_limit` for each version that is sorted at once: twice what sorting needs. */
const SORTED_BYTES = 160

/** Reading the rows once for each part costs more beyond this. */
const MOST_PARTS = 16

/** The database for tables that don't fit into memory. */
export interface Scratch {
  /** The name of the database. */
  database: string
  /** Sizes, as the models' headers name them, of the tables that go into it. */
  sizes: readonly string[]
  /** The number of parts in which transactions are sorted, a power of two. */
  parts: number
}

/**
 * Runs the work with such a database, or with undefined if everything fits into memory; then
 * deletes the file.
 */
export async function withScratch<T>(
  settings: LakeSettings,
  connection: DuckDBConnection,
  work: (scratch: Scratch | undefined) => Promise<T>,
): Promise<T> {
  const version_bytes = await bytesForVersion(connection, settings.scratchFrom)
  if (version_bytes > ALL_BYTES) return work(undefined)
  const folder = scratchFolder(settings)
  const database = `scratch_${ownName()}_${randomUUID().slice(0, 8)}`
  await connection.run(`attach ${quoted(join(folder, `${database}.duckdb`))} as ${database}`)
  try {
    return await work({ database, ...tablesInSpill(version_bytes) })
  } finally {
    await connection.run(`detach ${database}`)
    remove(folder, database)
  }
}

/** The tables for the database, given the bytes of memory for each version of a transaction. */
export function tablesInSpill(version_bytes: number): Omit<Scratch, 'database'> {
  if (version_bytes > NARROW_BYTES) return { sizes: [WIDE], parts: 1 }
  const parts = 2 ** Math.ceil(Math.log2(SORTED_BYTES / version_bytes))
  return { sizes: [WIDE, NARROW], parts: Math.max(1, Math.min(parts, MOST_PARTS)) }
}

function remove(folder: string, database: string): void {
  for (const ending of ['duckdb', 'duckdb.wal']) {
    rmSync(join(folder, `${database}.${ending}`), { force: true })
  }
}

/** Returns the same models; the large ones write into the database, if there is one. */
export function withLargeInSpill(models: readonly Model[], scratch: Scratch | undefined): Model[] {
  if (scratch === undefined) return [...models]
  return models.map((model) => {
    if (!scratch.sizes.includes(headerOf(model, 'size') ?? '')) return model
    const split = headerOf(model, 'split')
    if (split === undefined || scratch.parts === 1) return { ...model, database: scratch.database }
    return { ...model, database: scratch.database, parts: partsOf(split, scratch.parts) }
  })
}

/**
 * Parts of the terminals, each of which fits into memory. The model itself separates even and odd
 * ids.
 */
const partsOf = (input: string, parts: number): Part[] =>
  Array.from({ length: parts }, (_, part) => ({
    input,
    where: `(terminal_id >> 1) & ${parts - 1} = ${part}`,
  }))

/**
 * The bytes of `memory_limit` for each version; with `scratchFrom`, as if that many versions
 * fitted.
 */
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

/** The bytes of a size in DuckDB's form, such as `7.4 GiB`. */
function bytesOf(size: string): number {
  const [number = '', unit = ''] = size.split(' ')
  return Number(number) * 1024 ** UNITS.indexOf(unit)
}
