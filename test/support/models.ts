/** Runs one model, or a chain of them, on tables that are written as text. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { DEFAULT_CHART } from '../../domain/chart.ts'
import {
  makeEnumType,
  neededFor,
  prepareModels,
  readChecks,
  readModels,
  runModels,
  type Model,
} from '../../lake/run/models.ts'
import { type RunValues, runVariables } from './run-variables.ts'

/**
 * Tables by name. The first line holds `name type | name type | …`, each further line a row;
 * an empty cell and `null` are NULL.
 */
export type Tables = Record<string, string>

/** A row as the model made it: every value is text, or null. */
export type Row = Record<string, string | null>

/**
 * Runs models such as `pending_stale`, after the models that they read and that no given table replaces. The answer
 * is the rows of the last named model.
 */
export async function run(
  model: string | readonly string[],
  tables: Tables,
  values: RunValues = {},
): Promise<Row[]> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  try {
    await prepareModels(connection, runVariables(values))
    const given = { chart: CHART, ...NOTHING_DECIDED, ...tables }
    for (const [name, text] of Object.entries(given)) await createTable(connection, name, text)
    await makeEnumType(connection)
    const names = [model].flat()
    await runModels(connection, modelsFrom(Object.keys(given), names))
    const reader = await connection.runAndReadAll(`select columns(*)::varchar from ${names.at(-1)}`)
    return reader.getRowObjectsJson() as Row[]
  } finally {
    connection.closeSync()
  }
}

const CHART = [
  'account_key varchar | account varchar | account_name varchar',
  ...Object.entries(DEFAULT_CHART).map(
    ([key, { account, name }]) => `${key} | ${account} | ${name}`,
  ),
].join('\n')

/** No period is closed, no pack was approved, nothing was found before and nothing decided. */
const NOTHING_DECIDED: Tables = {
  exception_history:
    'exception_id varchar | code varchar | severity varchar | certainty varchar | subject_type varchar | subject_id varchar | terminal_id bigint | amount_cents bigint | detail varchar | subject_created timestamp | was_found boolean | returned_audit_seq bigint | last_seen timestamp',
  cleared_variance:
    'settlement_id bigint | terminal_id bigint | account_key varchar | entry_date date | amount_cents bigint',
  manual_member:
    'transaction_id bigint | settlement_id bigint | terminal_id bigint | signed_cents bigint',
  exception_decision:
    'exception_id varchar | seq bigint | action varchar | actor varchar | acted_at varchar | reason varchar | amount_cents bigint | event_seq bigint | until_date date | clear_to varchar | clear_date date | assignee varchar',
  entry_decision: 'entry_id varchar | decided varchar',
  closed_period: 'period varchar | opens_on date',
  enum_value: 'value varchar\nCHARGE\nREFUND\nVERIFY\nCAPTURE\nHOLD\nVOID\nCARD\nACH',
  exported_entry:
    'entry_id varchar | audit_seq bigint | entry_date date | source varchar | settlement_id bigint',
  exported_line:
    'entry_id varchar | origin_id varchar | entry_date date | account_key varchar | ledger_account varchar | account_name varchar | amount_cents bigint | memo varchar | settlement_id bigint | terminal_id bigint | source varchar',
}

/** The named models, and all that they read except the given tables, in the order in which they run. */
export function modelsFrom(given: readonly string[], names: readonly string[]): Model[] {
  const all = [...readModels(), ...readChecks()]
  for (const name of names) {
    if (!all.some((model) => model.name === name)) throw new Error(`there is no model ${name}`)
  }
  return neededFor(
    all.filter(({ name }) => names.includes(name) || !given.includes(name)),
    names,
  )
}

async function createTable(connection: DuckDBConnection, name: string, text: string) {
  const [head = [], ...rows] = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('|').map((cell) => cell.trim()))
  await connection.run(`create temp table ${name} (${head.join(', ')})`)
  for (const row of rows) {
    if (row.length !== head.length) throw new Error(`${name}: ${row.join(' | ')} has other columns`)
    await connection.run(
      `insert into ${name} values (${row.map((_, i) => `$${i + 1}`).join(', ')})`,
      row.map((cell) => (cell === '' || cell === 'null' ? null : cell)),
    )
  }
}
