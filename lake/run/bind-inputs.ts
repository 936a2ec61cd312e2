/**
 * The inputs of models: tables of the lake, each under one name such as `seen_transaction_version` for
 * `lake.seen.transaction_version`. A model names only these, so that its text runs as it stands in the tree.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { atOneInstant } from '../connection/transact.ts'
import { readsOf, type Model } from './models.ts'

/** A table of the lake up to this size is copied if several models read it; a copy takes ten times as much memory. */
const SMALL_BYTES = 1_048_576

/**
 * Binds every input of the models, all as of one instant.
 * 1. An empty table of the lake becomes nothing.
 * 2. A small table that several models read becomes a copy: opening a table of the lake takes some
 * 45 ms.
 * 3. Any other input becomes a view on the lake.
 */
export const bindInputs = (connection: DuckDBConnection, models: readonly Model[]): Promise<void> =>
  atOneInstant(connection, async () => {
    const sizes = await sizesInBytes(connection)
    const bound = await boundInputs(connection)
    for (const [input, readers] of readersByInput(models)) {
      const bytes = sizes.get(tableOf(input)) ?? Infinity
      await unbind(connection, input, bound)
      const from = `from ${lakeTable(input)}`
      if (bytes === 0) await connection.run(`create temp table ${input} as ${from} limit 0`)
      else if (bytes <= SMALL_BYTES && readers > 1) {
        await connection.run(`create temp table ${input} as ${from}`)
      } else await connection.run(`create temp view ${input} as ${from}`)
    }
  })

/** Binds every input to a view on the lake, whatever its size. */
export async function bindViews(
  connection: DuckDBConnection,
  models: readonly Model[],
): Promise<void> {
  const bound = await boundInputs(connection)
  for (const input of readersByInput(models).keys()) {
    await unbind(connection, input, bound)
    await connection.run(`create temp view ${input} as from ${lakeTable(input)}`)
  }
}

/** The inputs of models that no model of the list stands for, with the number of models that read each. */
export function readersByInput(models: readonly Model[]): Map<string, number> {
  const made = new Set(models.map(({ name }) => name))
  const inputs = models.flatMap((model) =>
    readsOf(model).filter((name) => INPUT.test(name) && !made.has(name)),
  )
  const readers = new Map<string, number>()
  for (const input of inputs) readers.set(input, (readers.get(input) ?? 0) + 1)
  return readers
}

const INPUT = /^(seen|ops|result)_(\w+)$/

const tableOf = (input: string) => input.replace(INPUT, '$2')

/** Maps an input such as `seen_transaction_version` to `lake.seen.transaction_version`. */
export const lakeTable = (input: string): string => input.replace(INPUT, 'lake.$1.$2')

/** What an earlier run on this connection has bound: a `view` or a `table` by name. */
async function boundInputs(connection: DuckDBConnection): Promise<ReadonlyMap<string, string>> {
  const reader = await connection.runAndReadAll(
    `select view_name, 'view' from duckdb_views() where temporary and not internal
     union all select table_name, 'table' from duckdb_tables() where temporary`,
  )
  return new Map(reader.getRows().map(([name, kind]) => [String(name), String(kind)]))
}

async function unbind(
  connection: DuckDBConnection,
  input: string,
  bound: ReadonlyMap<string, string>,
): Promise<void> {
  const kind = bound.get(input)
  if (kind !== undefined) await connection.run(`drop ${kind} temp.${input}`)
}

async function sizesInBytes(connection: DuckDBConnection): Promise<ReadonlyMap<string, number>> {
  const reader = await connection.runAndReadAll(
    `select table_name, sum(file_size_bytes)::double from ducklake_table_info('lake') group by all`,
  )
  return new Map(reader.getRows().map(([table, bytes]) => [String(table), Number(bytes)]))
}
