/**
 * Large tables of a run. Where they won't all fit into memory, those with a row for most transactions go into a database file
 * of the run's own, whose pages DuckDB reads again instead of first writing them to its spill files.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { LakeSettings } from '../domain/settings.ts'
import { keptAs } from './kept.ts'
import type { Model } from './models.ts'
import { scratchFolder } from './open.ts'
import { quoted } from './quoted.ts'

const LARGE =
  /^(repeated_transaction|changed_transaction|current_transaction|flip|possible_member|observed_member|settled_transaction|clocked_transaction|candidate|settled_member|placed_transaction)$/

/** What a run holds in memory for each version of a transaction where all its tables are there, at most. */
const VERSION_BYTES = 400

/** Does the work with the name of such a database, or with undefined where everything fits into memory; then removes the file. */
export async function withScratch<T>(
  settings: LakeSettings,
  connection: DuckDBConnection,
  work: (database: string | undefined) => Promise<T>,
): Promise<T> {
  if (!(await isTooLarge(connection, settings.scratchFrom))) return work(undefined)
  const folder = scratchFolder(settings)
  removeLeft(folder)
  const database = `scratch_${process.pid}_${randomUUID().slice(0, 8)}`
  await connection.run(`attach ${quoted(join(folder, `${database}.duckdb`))} as ${database}`)
  try {
    return await work(database)
  } finally {
    await connection.run(`detach ${database}`)
    remove(folder, database)
  }
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

/** The same models as a run over everything makes them: the large ones in the database, where there is one, or laid out for memory. */
export function inScratch(models: readonly Model[], database: string | undefined): Model[] {
  const tableOf = (name: string) => `${database ?? 'temp.main'}.${name}_kept`
  const keptOf = ({ name, text }: Model) => {
    if (database === undefined) return keptAs({ name, text }, tableOf(name))
    return LARGE.test(name) ? { rows: text, view: `from ${tableOf(name)}` } : undefined
  }
  const apart = new Map(models.map((model) => [model.name, keptOf(model)]))
  return models.map((model) => {
    const kept = apart.get(model.name)
    return {
      ...model,
      ...(kept && { text: kept.rows, apart: { table: tableOf(model.name), view: kept.view } }),
      drops: model.drops?.map((name) => (apart.get(name) ? tableOf(name) : name)) ?? [],
    }
  })
}

async function isTooLarge(
  connection: DuckDBConnection,
  scratchFrom: number | undefined,
): Promise<boolean> {
  const reader = await connection.runAndReadAll(
    `select (select count(*) from lake.seen.transaction_version), current_setting('memory_limit')`,
  )
  const [versions, limit] = reader.getRows()[0] ?? []
  return Number(versions) >= (scratchFrom ?? bytesOf(String(limit)) / VERSION_BYTES)
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

/** Of a size as DuckDB says it, such as `7.4 GiB`. */
function bytesOf(size: string): number {
  const [number = '', unit = ''] = size.split(' ')
  return Number(number) * 1024 ** UNITS.indexOf(unit)
}
