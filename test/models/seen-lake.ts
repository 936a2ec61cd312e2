/** A lake in memory that is written as text tables, and the rows that one finding makes of it. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { neededFor, prepareModels, readModels, runModels } from '../../lake/run/models.ts'
import { memoryLake } from '../support/memory-lake.ts'
import { rowsOf } from '../support/temp-lake.ts'
import { bindViews } from '../support/bind-views.ts'
import { runVariables } from '../support/run-variables.ts'

export const SWEEPS =
  'sweep_id | list | started_seq | covers_from | started_at | ended_at | certificate | landing_seq'
export const PRESENCE = 'list | subject_id | present | observed_at | landing_seq'
export const TRANSACTIONS =
  'transaction_id | terminal_id | action | status | settled | created | total_cents | tip_cents | sweep_id | ordinal | observed_at | landing_seq'
export const SETTLEMENTS =
  'settlement_id | terminal_id | created | net_cents | sweep_id | ordinal | observed_at | landing_seq'

/**
 * Fills a lake in memory with text tables, their names without `lake.`, and runs one finding on it with all models that it needs. Rows are
 * of the account `acme` unless they name another. The answer is the finding's rows as text, by subject.
 */
export const found = (finding: string, tables: Record<string, string>, known_at = 99n) =>
  read(
    `select subject_type, subject_id, terminal_id::varchar as terminal_id, amount_cents::varchar as cents, detail, subject_created::varchar as created
     from ${finding} order by subject_type, subject_id`,
    { finding, tables, known_at },
  )

/** The same for any model: its rows as they are. */
export const modelOn = (model: string, tables: Record<string, string>) =>
  read(`select columns(*)::varchar from ${model}`, { finding: model, tables, known_at: 99n })

interface On {
  finding: string
  tables: Record<string, string>
  known_at: bigint
}

async function read(select: string, { finding, tables, known_at }: On) {
  const connection = await memoryLake()
  try {
    for (const [name, text] of Object.entries(tables)) await fill(connection, name, text)
    await prepareModels(connection, runVariables({ known_at: known_at }))
    const models = neededFor(readModels(), [finding])
    await bindViews(connection, models)
    await runModels(connection, models)
    return await rowsOf(connection, select)
  } finally {
    connection.closeSync()
  }
}

async function fill(connection: DuckDBConnection, name: string, text: string) {
  const [head = [], ...rows] = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('|').map((cell) => cell.trim()))
  const columns = head.includes('account') ? head : ['account', ...head]
  for (const row of rows) {
    const values = head.includes('account') ? row : ['acme', ...row]
    if (values.length !== columns.length) throw new Error(`${name}: ${row.join(' | ')}`)
    await connection.run(
      `insert into lake.${name} (${columns.join(', ')}) values (${columns.map((_, i) => `$${i + 1}`).join(', ')})`,
      values.map((cell) => (cell === '' ? null : cell)),
    )
  }
}

export const subjects = (rows: Record<string, unknown>[]) => rows.map((row) => row['subject_id'])
