/**
 * Binds the inputs of models. An input is a table of the lake under a short name, such as `seen_transaction_version`
 * for `lake.seen.transaction_version`. A model names only these, so that its text runs exactly as it stands in the
 * tree. An input of landed rows has only those of the account that had landed by `known_at`. No model can forget
 * either condition.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { tableSizes, type TableSizes } from '../connection/non-empty-tables.ts'
import { atOneInstant } from '../connection/transact.ts'
import { readsOf, type Model } from './models.ts'

/** A table of the lake up to this size is copied if several models read it; a copy takes ten times as much memory. */
const SMALL_BYTES = 1_048_576

/**
 * Binds every input of the models, all as of one instant. `sizes` are those of the lake's tables.
 * 1. An empty table of the lake becomes an empty temporary table.
 * 2. A small table that several models read becomes a copy: opening a table of the lake takes some
 * 45 ms.
 * 3. Any other input becomes a view on the lake.
 */
export const bindInputs = (
  connection: DuckDBConnection,
  models: readonly Model[],
  sizes?: TableSizes,
): Promise<void> =>
  atOneInstant(connection, async () => {
    const known = sizes ?? (await tableSizes(connection))
    const bound = await boundInputs(connection)
    for (const [input, readers] of readersByInput(models)) {
      const kind = bound.get(input)
      if (kind !== undefined) await connection.run(`drop ${kind} temp.${input}`)
      const bytes = known.get(tableOf(input)) ?? Infinity
      const isTable = bytes === 0 || (bytes <= SMALL_BYTES && readers > 1)
      await connection.run(
        `create temp ${isTable ? 'table' : 'view'} ${input} as ${knownRows(input)} ${bytes === 0 ? 'limit 0' : ''}`,
      )
    }
  })

/** Returns the inputs that no model of the list replaces, with the number of models that read each. */
export function readersByInput(models: readonly Model[]): Map<string, number> {
  const made = new Set(models.map(({ name }) => name))
  const inputs = models.flatMap((model) =>
    readsOf(model).filter((name) => INPUT.test(name) && !made.has(name)),
  )
  const readers = new Map<string, number>()
  for (const input of inputs) readers.set(input, (readers.get(input) ?? 0) + 1)
  return readers
}

/** The tables of schema `result` that the models read, such as `exceptions`. */
export const resultsRead = (models: readonly Model[]): string[] =>
  [...readersByInput(models).keys()].filter((input) => input.startsWith('result_')).map(tableOf)

const INPUT = /^(seen|ops|result)_(\w+)$/

const tableOf = (input: string) => input.replace(INPUT, '$2')

/** The inputs whose rows have an account and a landing number. */
const LANDED = /^(seen_\w+|ops_(imported_file|landing|limited_sweep|sweep))$/

/** Selects the rows of an input, by the variables `account` and `known_at` of the run or of the sweep. */
export const knownRows = (input: string): string =>
  LANDED.test(input)
    ? `from ${lakeTable(input)} where account = getvariable('account') and landing_seq <= getvariable('known_at')`
    : `from ${lakeTable(input)}`

/** Maps an input such as `seen_transaction_version` to `lake.seen.transaction_version`. */
export const lakeTable = (input: string): string => input.replace(INPUT, 'lake.$1.$2')

/** Connections on which inputs were bound before. */
const binding = new WeakSet<DuckDBConnection>()

/** Returns the inputs that an earlier run on this connection has bound, each as a `view` or a `table`. */
async function boundInputs(connection: DuckDBConnection): Promise<ReadonlyMap<string, string>> {
  // The question opens every table of the lake, so a new connection is not asked.
  if (!binding.has(connection)) {
    binding.add(connection)
    return new Map()
  }
  const reader = await connection.runAndReadAll(
    `select view_name, 'view' from duckdb_views() where temporary and not internal
     union all select table_name, 'table' from duckdb_tables() where temporary`,
  )
  return new Map(reader.getRows().map(([name, kind]) => [String(name), String(kind)]))
}
