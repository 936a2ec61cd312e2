import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { prepareModels, readModels, runModels } from '../../lake/run/models.ts'

/** With these sizes `lead over ()` before the join gave one block twice in about one run of six, on two threads. */
const [ROWS, TERMINALS, ROUNDS] = [58_731, 20, 25]

test('each run lists every transaction once for each clock, with the running sums of its own terminal', async () => {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect()
  try {
    await prepareModels(connection, {})
    await connection.run(
      `create temp table unplaced_settled_transaction as
       select i as transaction_id, (hash(i * 7) % ${TERMINALS})::bigint as terminal_id, (hash(i * 11) % 4000)::bigint - 300 as signed_cents, made_at as created,
         case when hash(i * 7) % ${TERMINALS} < 17 and hash(i * 5) % 1000 = 0
           and (hash(i * 7) % ${TERMINALS} > 7 or made_at < timestamp '2026-10-02') then made_at + interval 2 days else made_at end as modified
       from (select i, timestamp '2026-10-01' + to_seconds((hash(i * 3) % 900000)::bigint) as made_at from range(${ROWS}) as numbers (i))`,
    )
    await connection.run(
      `create temp table expected as
       with clocks as (
         select clock_value('created') as clock, terminal_id, transaction_id, created as clock_at, created, signed_cents from unplaced_settled_transaction
         union all
         select clock_value('modified'), terminal_id, transaction_id, modified, created, signed_cents from unplaced_settled_transaction
         where terminal_id in (select terminal_id from unplaced_settled_transaction where modified <> created))
       select clock, terminal_id, transaction_id, clock_at, row_number() over in_order as position, lead(clock_at) over in_order as next_at,
         (sum(signed_cents) over (in_order rows unbounded preceding))::bigint as running_cents, signed_cents
       from clocks window in_order as (partition by clock, terminal_id order by clock_at, created, transaction_id)`,
    )
    const model = readModels().filter(({ name }) => name === 'ordered_transaction')
    const counts: unknown[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      await runModels(connection, model)
      counts.push(await only(connection, 'select count(*)::integer from ordered_transaction'))
    }
    const wanted = await only(connection, 'select count(*)::integer from expected')
    expect(counts).toEqual(counts.map(() => wanted))
    const other = 'from ordered_transaction except all from expected'
    expect(await only(connection, `select count(*)::integer from (${other})`)).toBe(0)
  } finally {
    connection.closeSync()
  }
})

/** The one value of an answer. */
async function only(connection: DuckDBConnection, sql: string): Promise<unknown> {
  return (await connection.runAndReadAll(sql)).getRowsJson()[0]?.[0]
}
