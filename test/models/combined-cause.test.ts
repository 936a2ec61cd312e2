import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { prepareModels, runModels } from '../../lake/run/models.ts'
import { modelsFrom } from '../support/models.ts'

/** Sets found for a settlement that is off by 100,000,001 cents and has so many members of equal amounts. */
async function setsAmong(members: number): Promise<number> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  try {
    await prepareModels(connection, {})
    const tables = {
      unexplained_settlement: `select 900 as settlement_id, 7 as terminal_id, 100000001 as difference_cents,
          timestamp '2026-11-01' as begins_at, timestamp '2026-11-02' as ends_at`,
      single_cause: `select 900 as settlement_id, 5 as effect_cents`,
      attribution: `select i as transaction_id, 900 as settlement_id, 2000 as signed_cents from range(${members}) as r (i)
          union all values (-1, 900, 40000001), (-2, 900, 60000000)`,
      unattributed_transaction: `select 0 as transaction_id, 8 as terminal_id, 5 as signed_cents, timestamp '2026-11-01' as clock_at`,
    }
    for (const [name, rows] of Object.entries(tables)) {
      await connection.run(`create temp table ${name} as ${rows}`)
    }
    await runModels(connection, modelsFrom(Object.keys(tables), ['combined_cause']))
    const reader = await connection.runAndReadAll(
      'select coalesce(sum(sets), 0)::integer from combined_cause',
    )
    return Number(reader.getRows()[0]?.[0])
  } finally {
    connection.closeSync()
  }
}

test('a set of two explains a difference among few members; no set is claimed among 600,000, where chance would find one', async () => {
  expect(await setsAmong(3)).toBe(1)
  expect(await setsAmong(600_000)).toBe(0)
})
