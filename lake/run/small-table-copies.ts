/** Small tables of the lake, read once for all models of a run: to open one costs far more than to read its rows. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Model } from './models.ts'
import { atOneInstant } from '../connection/transact.ts'

/** Bytes in the lake of a table that is still copied; in memory it takes some ten times as many. */
const SMALL_BYTES = 1_048_576

const READ = /\blake\.(\w+)\.(\w+)\b(\s+as\b)?/g

/**
 * Copies tables that are empty, or small and read by several of the models, into tables of the connection, all as of one
 * instant; answers with the models as they read the copies.
 */
export async function readNear(
  connection: DuckDBConnection,
  models: readonly Model[],
): Promise<Model[]> {
  const near = await atOneInstant(connection, async () => {
    const found = await worthCopying(connection, models)
    for (const [table, { copy, isEmpty }] of found) {
      await connection.run(
        `create or replace temp table ${copy} as from ${table} ${isEmpty ? 'limit 0' : ''}`,
      )
    }
    return found
  })
  return models.map((model) => ({ ...model, text: readingCopies(model.text, near) }))
}

interface Near {
  copy: string
  isEmpty: boolean
}

/** By their names in the lake. */
async function worthCopying(
  connection: DuckDBConnection,
  models: readonly Model[],
): Promise<Map<string, Near>> {
  const sizes = await connection.runAndReadAll(
    `select table_name, sum(file_size_bytes)::double from ducklake_table_info('lake') group by all`,
  )
  const bytes = new Map(sizes.getRows().map(([table, size]) => [String(table), Number(size)]))
  const near = new Map<string, Near>()
  for (const [table, times] of timesRead(models)) {
    const [, schema = '', name = ''] = table.split('.')
    const size = bytes.get(name) ?? Infinity
    const isEmpty = size === 0
    if (!isEmpty && (times < 2 || size > SMALL_BYTES)) continue
    near.set(table, { copy: `near_${schema}_${name}`, isEmpty })
  }
  return near
}

function timesRead(models: readonly Model[]): Map<string, number> {
  const times = new Map<string, number>()
  for (const { text } of models) {
    const select = text.replaceAll(/^--.*$/gm, '')
    for (const [, schema, name] of select.matchAll(READ)) {
      const table = `lake.${schema}.${name}`
      times.set(table, (times.get(table) ?? 0) + 1)
    }
  }
  return times
}

const readingCopies = (text: string, near: ReadonlyMap<string, Near>): string =>
  text.replaceAll(READ, (read, ...[schema, name, alias]: (string | undefined)[]) => {
    const found = near.get(`lake.${schema}.${name}`)
    return found === undefined ? read : `${found.copy}${alias ?? ` as ${name}`}`
  })
