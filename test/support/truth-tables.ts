/** The simulator's truth beside the results of a run, as tables that SQL can compare. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Truth } from '../../simulator/world/truth.ts'

/** Makes `truth_settlement`, `truth_member` and `truth_planted` on the connection. */
export async function loadTruth(connection: DuckDBConnection, truth: Truth): Promise<void> {
  const load = async (table: string, shape: Record<string, string | string[]>, rows: object[]) => {
    await connection.run(
      `create or replace temp table ${table} as
       select r.* from (select unnest(from_json($1, '${JSON.stringify([shape])}')) as r)`,
      [JSON.stringify(rows)],
    )
  }
  await load(
    'truth_settlement',
    {
      settlement_id: 'VARCHAR',
      created: 'VARCHAR',
      ties: 'BOOLEAN',
      status: 'VARCHAR',
      touched: 'BOOLEAN',
    },
    truth.settlements.map((settlement) => ({
      settlement_id: settlement.settlementId,
      created: settlement.created,
      ties: settlement.ties,
      status: settlement.status,
      touched: settlement.touchedBy.length > 0,
    })),
  )
  await load(
    'truth_member',
    { settlement_id: 'VARCHAR', transaction_id: 'VARCHAR' },
    truth.settlements.flatMap(({ settlementId, members }) =>
      members.map((transaction_id) => ({ settlement_id: settlementId, transaction_id })),
    ),
  )
  await load(
    'truth_planted',
    {
      code: 'VARCHAR',
      subject_id: 'VARCHAR',
      cause: 'VARCHAR',
      visible: 'VARCHAR',
      cents: 'BIGINT',
      transaction_ids: ['VARCHAR'],
    },
    truth.planted.map((planted) => ({
      code: planted.code,
      subject_id: planted.subjectId,
      cause: planted.cause,
      visible: planted.from,
      cents: planted.amountCents,
      transaction_ids: planted.transactionIds,
    })),
  )
}
