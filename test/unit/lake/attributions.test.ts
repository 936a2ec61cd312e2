import type { DuckDBConnection } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { ATTRIBUTIONS, storeAttributions } from '../../../lake/results/attribution-rows.ts'
import { readModels, runModels } from '../../../lake/run/models.ts'
import { rowsOf, tempLake } from '../../support/temp-lake.ts'
import { bindViews } from '../../support/bind-views.ts'

const LISTED: Record<string, string> = {
  a: `(1, 900, 7, timestamp '2026-11-02 10:00:00', 'CHARGE', 'CAPTURE', 500, 500, 'WINDOW')`,
  b: `(2, 900, 7, timestamp '2026-11-02 11:00:00', 'REFUND', 'CAPTURE', 200, -200, 'WINDOW')`,
  c: `(3, 901, 7, timestamp '2026-11-03 10:00:00', 'CHARGE', 'CAPTURE', 700, 700, 'ALIGNED')`,
  d: `(4, 901, 7, timestamp '2026-11-03 11:00:00', 'CHARGE', 'VOID', 100, 0, 'ALIGNED')`,
}

const COLUMNS =
  'transaction_id, settlement_id, terminal_id, created, action, status, total_cents, signed_cents, method'

/** Stores what a run lists, as a run does, and records the run. */
async function stores(
  connection: DuckDBConnection,
  runId: string,
  rows: readonly string[],
  account = 'acme',
): Promise<void> {
  await connection.run(`set variable account = '${account}'`)
  await connection.run(
    `create or replace temp table listed_attribution as from (values ${rows.join(', ')}) as listed (${COLUMNS})`,
  )
  await connection.run(
    'create or replace temp table listed_settlement as select distinct settlement_id from listed_attribution',
  )
  // A settlement that is no longer in listed_settlement is no longer listed, as in the model.
  const models = readModels()
    .filter(({ name }) => name === 'listed_fingerprint' || name === 'pack_attributions')
    .map((model) => ({
      ...model,
      text: model.text.replace(
        'from listed_attribution',
        'from (from listed_attribution semi join listed_settlement using (settlement_id)) as listed_attribution',
      ),
    }))
  await bindViews(connection, models)
  await runModels(connection, models)
  await storeAttributions(connection, { runId, account })
  await connection.run(
    `insert into lake.ops.run (run_id, account, recorded_at) values ('${runId}', '${account}', now()::timestamp)`,
  )
}

const written = async (connection: DuckDBConnection, runId: string): Promise<string> => {
  const rows = await rowsOf(
    connection,
    `select "transactionId"::varchar as id from lake.result.attributions where run_id = '${runId}' order by 1`,
  )
  return rows.map(({ id }) => String(id)).join(' ')
}

const stored = (connection: DuckDBConnection, runId: string) =>
  rowsOf(
    connection,
    `select * exclude (run_id) replace (created::varchar as created) from ${ATTRIBUTIONS} where run_id = '${runId}' order by "settlementId", "created", "transactionId"`,
  )

test('a run writes the attributions of settlements whose members changed, and can read all of them', async () => {
  const { connection } = await tempLake()
  const { a = '', b = '', c = '', d = '' } = LISTED
  await stores(connection, 'first', [a, b, c, d])
  expect(await written(connection, 'first')).toBe('1 2 3 4')

  await stores(connection, 'same', [d, b, a, c])
  expect(await written(connection, 'same')).toBe('')
  const all = await stored(connection, 'first')
  expect(all).toHaveLength(4)
  expect(await stored(connection, 'same')).toEqual(all)

  const changes = {
    status: [a, b, c, d.replace('VOID', 'HOLD')],
    method: [a, b, c.replace('ALIGNED', 'MANUAL'), d],
    total: [a, b, c, d.replace('100, 0', '101, 0')],
    created: [a, b, c.replace('10:00:00', '10:00:01'), d],
    gone: [a, b, c],
    // Each word is there as often as before, at another transaction.
    swapped: [a, b, c.replace('CAPTURE', 'VOID'), d.replace('VOID', 'CAPTURE')],
  }
  for (const [runId, rows] of Object.entries(changes)) {
    await stores(connection, runId, rows)
    expect(await written(connection, runId)).toBe(runId === 'gone' ? '3' : '3 4')
    const [first, second, ...others] = await stored(connection, runId)
    expect([first, second]).toEqual(all.slice(0, 2))
    expect(others).toHaveLength(runId === 'gone' ? 1 : 2)
    expect(others).not.toEqual(all.slice(2))
  }

  // The rows are those of the first run, which is not the previous one.
  await stores(connection, 'again', [a, b, c, d])
  expect(await written(connection, 'again')).toBe('')
  expect(await stored(connection, 'again')).toEqual(all)

  await stores(connection, 'elsewhere', [a, b, c, d], 'other')
  expect(await written(connection, 'elsewhere')).toBe('1 2 3 4')
})
