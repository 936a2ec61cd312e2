/** Runs one model, or a chain of them, on tables that are written as text. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { DEFAULT_CHART } from '../../domain/chart.ts'
import {
  type Model,
  makeEnumType,
  neededFor,
  prepareModels,
  readChecks,
  readModels,
  runModels,
  type Variables,
} from '../../lake/run/models.ts'

/**
 * Tables by name. The first line holds `name type | name type | …`, each further line a row;
 * an empty cell and `null` are NULL.
 */
export type Tables = Record<string, string>

/** A row as the model made it: every value is text, or null. */
export type Row = Record<string, string | null>

/** A day of the account `acme` in UTC; a test replaces what it is about. */
const VARIABLES = {
  account: 'acme',
  window_from: '2026-11-01',
  window_to: '2026-12-01',
  from_date: '2026-11-01',
  to_date: '2026-12-01',
  as_of: '2026-11-30 12:00:00',
  as_of_date: '2026-11-30',
  known_at: '10',
  audit_seq: '0',
  exception_scan: '0',
  known_time: '2026-11-30 06:00:00',
  timezone: 'UTC',
  currency: 'USD',
  pending_stale_days: '3',
  unsettled_days: '5',
  cutoff_tolerance_hours: '12',
}

const TYPES: Record<string, string> = {
  window_from: 'timestamp',
  window_to: 'timestamp',
  from_date: 'date',
  to_date: 'date',
  as_of: 'timestamp',
  as_of_date: 'date',
  known_at: 'bigint',
  exception_scan: 'bigint',
  audit_seq: 'bigint',
  known_time: 'timestamp',
  pending_stale_days: 'bigint',
  unsettled_days: 'bigint',
  cutoff_tolerance_hours: 'bigint',
}

/**
 * Runs models such as `pending_stale` in the given order, and before them those that they need and that no table stands for.
 * The answer is the rows of the last.
 */
export async function run(
  model: string | readonly string[],
  tables: Tables,
  variables: Partial<typeof VARIABLES> = {},
): Promise<Row[]> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  try {
    await prepareModels(connection, typed({ ...VARIABLES, ...variables }))
    const given = { chart: CHART, ...NOTHING_DECIDED, ...tables }
    for (const [name, text] of Object.entries(given)) await createTable(connection, name, text)
    await makeEnumType(connection)
    const names = [model].flat()
    await runModels(connection, modelsFor(names, Object.keys(given)))
    const reader = await connection.runAndReadAll(`select columns(*)::varchar from ${names.at(-1)}`)
    return reader.getRowObjectsJson() as Row[]
  } finally {
    connection.closeSync()
  }
}

const typed = (values: Record<string, string>): Variables =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      { type: TYPES[name] ?? 'varchar', value },
    ]),
  )

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
    'settlement_id bigint | terminal_id bigint | account_key varchar | entry_date date | audit_seq bigint | amount_cents bigint',
  manual_member:
    'transaction_id bigint | settlement_id bigint | terminal_id bigint | signed_cents bigint',
  exception_decision:
    'exception_id varchar | seq bigint | action varchar | actor varchar | acted_at varchar | reason varchar | amount_cents bigint | until_date date | clear_to varchar | clear_date date',
  closed_period: 'period varchar | opens_on date',
  enum_value: 'value varchar\nCHARGE\nREFUND\nVERIFY\nCAPTURE\nHOLD\nVOID\nCARD\nACH',
  exported_entry: 'entry_id varchar',
  exported_line:
    'entry_id varchar | origin_id varchar | entry_date date | account_key varchar | ledger_account varchar | account_name varchar | amount_cents bigint | memo varchar | settlement_id bigint | terminal_id bigint | source varchar',
}

/** Those models, and those that they need beside the given tables, in the order of the pipeline. */
function modelsFor(names: readonly string[], given: readonly string[]): Model[] {
  const all = [...readModels(), ...readChecks()]
  const unknown = names.find((name) => !all.some((model) => model.name === name))
  if (unknown !== undefined) throw new Error(`there is no model ${unknown}`)
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
