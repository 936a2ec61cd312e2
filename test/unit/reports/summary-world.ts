/** The rows that the summaries show beside the files, made by their models from the rows of a small pack. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { prepareModels, readModels, runModels } from '../../../lake/run/models.ts'
import { PACK_FILES } from '../../../reports/pack/pack-files.ts'
import type { Row } from '../../../reports/pack/pack-source.ts'
import { bindViews } from '../../support/bind-views.ts'
import { runVariables } from '../../support/run-variables.ts'

export type World = Record<string, Row[]>

/** The tables that the models read beside the files, by their columns. */
const BESIDE: Record<string, string> = {
  tieout:
    'settlement_id bigint, explanation varchar, explained_cents bigint, explained_by varchar, candidates varchar',
  excluded_component: 'settlement_id bigint, component varchar',
  attribution: 'transaction_id bigint, settlement_id bigint',
  journal_line: 'account_key varchar, debit_cents bigint, credit_cents bigint',
  current_transaction:
    'transaction_id bigint, created timestamp, action varchar, status varchar, total_cents bigint, signed_cents bigint',
  previous_run:
    'run_id varchar, from_date date, to_date date, as_of timestamp, known_at bigint, is_approved boolean',
  earlier_approval:
    'seq bigint, run_id varchar, from_date date, to_date date, prepared_by varchar, approved_by varchar, approved_at varchar',
  previous_settlement:
    'settlement_id varchar, terminal_id varchar, business_date varchar, status varchar, verdict varchar, reported varchar, computed varchar',
  previous_exception:
    'exception_id varchar, code varchar, severity varchar, subject_type varchar, subject_id varchar, terminal_id varchar, amount varchar, state varchar',
}

/** The world, and the table `summary` that follows from it. Rows of the tables beside the files follow from those of the files. */
export async function summarized(world: World): Promise<World> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  try {
    await prepareModels(
      connection,
      runVariables({ from_date: '2026-02-01', to_date: '2026-03-03' }),
    )
    for (const { table, columns } of PACK_FILES) {
      const names = columns.map(({ name }) => `"${name}" varchar`).join(', ')
      await fill(connection, { name: `pack_${table}`, columns: names }, world[table] ?? [])
    }
    const given = { ...derived(world), ...world }
    for (const [name, columns] of Object.entries(BESIDE)) {
      await fill(connection, { name, columns }, given[name] ?? [])
    }
    const models = readModels().filter(({ name }) =>
      /^(?:pack_summary|changed_exception)/.test(name),
    )
    await bindViews(connection, models)
    await runModels(connection, models)
    const tables = await Promise.all(
      models.map(async ({ name }): Promise<[string, Row[]]> => {
        const reader = await connection.runAndReadAll(`select columns(*)::varchar from ${name}`)
        return [name.replace('pack_', ''), reader.getRowObjectsJson() as Row[]]
      }),
    )
    return { ...world, ...Object.fromEntries(tables) }
  } finally {
    connection.closeSync()
  }
}

const centsOf = (amount: string | null | undefined): string | null =>
  amount === null || amount === undefined ? null : amount.replace('.', '')

function derived(world: World): World {
  return {
    tieout: (world['settlements'] ?? []).map((row) => ({
      settlement_id: row['settlementId'] ?? null,
      explanation: row['explanation'] ?? null,
      explained_cents: centsOf(row['explainedAmount']),
      explained_by: row['explainedBy'] ?? null,
      candidates: null,
    })),
    attribution: (world['attributions'] ?? []).map((row) => ({
      transaction_id: row['transactionId'] ?? null,
      settlement_id: row['settlementId'] ?? null,
    })),
    journal_line: (world['settlements'] ?? [])
      .filter((row) => row['status'] === 'COMPLETE')
      .map((row) => ({
        account_key: 'cash_in_transit',
        debit_cents: centsOf(row['reportedNet']),
        credit_cents: null,
      })),
    current_transaction: (world['attributions'] ?? []).map((row) => ({
      transaction_id: row['transactionId'] ?? null,
      created: row['created']?.replace('Z', '') ?? null,
      action: row['action'] ?? null,
      status: row['status'] ?? null,
      total_cents: centsOf(row['amountTotal']),
      signed_cents: centsOf(row['signedAmount']),
    })),
  }
}

async function fill(
  connection: DuckDBConnection,
  table: { name: string; columns: string },
  rows: readonly Row[],
): Promise<void> {
  await connection.run(`create temp table ${table.name} (${table.columns})`)
  if (rows.length === 0) return
  const shape = table.columns
    .split(', ')
    .map((column) => `"${column.split(' ')[0]?.replaceAll('"', '')}":"VARCHAR"`)
  await connection.run(
    `insert into ${table.name} select unnest(from_json($1, '[{${shape.join()}}]'), recursive := true)`,
    [JSON.stringify(rows)],
  )
}
