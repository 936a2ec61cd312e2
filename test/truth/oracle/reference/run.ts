/** Puts a random world on a lake, version by version, and runs every model up to the journal. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { DEFAULT_CHART } from '../../../../domain/chart.ts'
import {
  neededFor,
  prepareModels,
  readModels,
  runModels,
  type Variables,
} from '../../../../lake/run/models.ts'
import type { Row, World } from './world.ts'
import { bindViews } from '../../../support/bind-views.ts'
import { runVariables } from '../../../support/run-variables.ts'

export const AS_OF = '2026-11-21T12:00:00Z'
const CHUNK = 100_000

const DAY_MS = 86_400_000

/** A date or an instant of the lake so many days later. */
export function daysLater(text: string, days: number): string {
  const at = new Date(`${text.slice(0, 10)}T00:00:00Z`).getTime() + days * DAY_MS
  return new Date(at).toISOString().slice(0, 10) + text.slice(10)
}

const VALUES = {
  known_time: '2026-11-21 06:00:00',
  from_date: '2024-01-01',
  to_date: '2027-01-01',
  window_from: '2024-01-01',
  window_to: '2027-01-01',
  as_of: '2026-11-21 12:00:00',
  as_of_date: '2026-11-21',
}

const variablesOf = (days: number, timezone: string): Variables =>
  runVariables({
    ...Object.fromEntries(
      Object.entries(VALUES).map(([name, text]) => [name, daysLater(text, days)]),
    ),
    timezone,
  })

/** A run of the models over a world. */
export interface Judging {
  /** The models to run, after all that they need. */
  targets: readonly string[]
  /** The whole days by which the run and its sweeps are later. The rows of the world have their own times. */
  days?: number
  timezone?: string
}

const EVERYTHING: Judging = {
  targets: ['exception', 'journal_line', 'rollforward', 'pack_unsettled'],
}

/** Lands rows in the columns that they name, with what every row of the table has besides. */
async function land(connection: DuckDBConnection, table: string, rows: readonly Row[]) {
  const more = `'acme' as account, 's' as sweep_id, 1 as ordinal, '2026-11-21 05:00:00'::timestamp + to_days(getvariable('shifted_days')) as observed_at, 1 as content_hash`
  const tables = await connection.runAndReadAll(
    `select column_name from duckdb_columns() where database_name = 'lake' and schema_name = 'seen' and table_name = $1`,
    [table],
  )
  const known = new Set(tables.getRows().map(([name]) => String(name)))
  for (let i = 0; i < rows.length; i += CHUNK) {
    const names = [...new Set(rows.slice(i, i + CHUNK).flatMap((row) => Object.keys(row)))].filter(
      (name) => known.has(name),
    )
    const shape = Object.fromEntries(names.map((name) => [name, 'VARCHAR']))
    const extra = ['account', 'sweep_id', 'ordinal', 'observed_at', 'content_hash'].filter(
      (name) => known.has(name) && !names.includes(name),
    )
    await connection.run(
      `insert into lake.seen.${table} by name
       select r.*, ${extra.map((name) => `more.${name}`).join(', ')}
       from (select unnest(from_json($1, '${JSON.stringify([shape])}')) as r), (select ${more}) as more`,
      [JSON.stringify(rows.slice(i, i + CHUNK))],
    )
  }
}

/** After it the connection holds a table for each model. */
export async function reconcileWorld(
  connection: DuckDBConnection,
  world: World,
  { targets, days = 0, timezone = 'UTC' } = EVERYTHING,
): Promise<void> {
  await connection.run(`set variable shifted_days = ${days}`)
  await land(connection, 'transaction_version', world.transactions)
  await land(connection, 'settlement_version', world.settlements)
  await land(
    connection,
    'terminal_version',
    world.terminals.map((row) => ({ landing_seq: 2, ...row })),
  )
  await land(
    connection,
    'quarantine',
    world.unread.map((row) => ({
      ...row,
      subject_type: String(row['list']).slice(0, -1),
      field: 'amount',
      reason: 'no number',
      landing_seq: 2,
    })),
  )
  await connection.run(
    `insert into lake.ops.sweep
     select list, 'r', 'acme', list, null, 5, null, '2026-11-21 05:00:00'::timestamp + to_days(getvariable('shifted_days')), ended + to_days(getvariable('shifted_days')), 1, 1, 1, 0, 0, 1, 0, 'CONTIGUOUS', 'x', 8
     from (values ('transactions', '2026-11-21 05:00:00'::timestamp), ('terminals', '2026-11-21 05:00:00'), ('settlements', '2026-11-21 05:30:00')) as lists (list, ended)`,
  )
  await prepareModels(connection, variablesOf(days, timezone))
  const chart = Object.entries(DEFAULT_CHART).map(
    ([key, { account, name }]) => `('${key}', '${account}', '${name}')`,
  )
  await connection.run(
    `create or replace temp table chart as from (values ${chart.join(', ')}) as c (account_key, account, account_name)`,
  )
  const models = neededFor(readModels(), [...targets])
  await bindViews(connection, models)
  await runModels(connection, models)
}
