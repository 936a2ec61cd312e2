import { expect, test } from 'vitest'
import { neededFor, prepareModels, readModels, runModels } from '../../lake/run/models.ts'
import { memoryLake } from '../support/memory-lake.ts'
import { bindViews } from '../support/bind-views.ts'
import { runVariables } from '../support/run-variables.ts'

const ASKED_FOR = ['current_transaction', 'refunded_card', 'transaction_change']

/** Runs `sql` on the current transactions of a lake that holds what `rows` inserts. */
async function current(rows: string, sql: string, timezone = 'UTC'): Promise<unknown[][]> {
  const connection = await memoryLake()
  try {
    await connection.run(
      `insert into lake.seen.transaction_version by name
       select 'acme' as account, 7 as terminal_id, 'CHARGE' as action, 'CAPTURE' as status, true as approved, false as settled, 100 as total_cents, timestamp '2026-11-30' as observed_at, *
       from (${rows})`,
    )
    await prepareModels(connection, runVariables({ known_at: 9n, timezone: timezone }))
    const models = neededFor(readModels(), ASKED_FOR)
    await bindViews(connection, models)
    await runModels(connection, models)
    return (await connection.runAndReadAll(sql)).getRowsJson()
  } finally {
    connection.closeSync()
  }
}

test.each(['Asia/Kolkata', 'Europe/London', 'America/St_Johns', 'Pacific/Apia'])(
  'the business date in %s is that of each transaction’s own instant, also where the clock jumps within an hour',
  async (zone) => {
    const [row] = await current(
      `select i as transaction_id, timestamp '2009-10-01' + to_minutes(i * 7) as created, 1 as landing_seq, 1 as ordinal from range(200000) as r(i)`,
      `select count(*)::integer, (count(*) filter (where business_date <> business_date(created)))::integer, count(distinct business_date)::integer
       from current_transaction`,
      zone,
    )
    expect(row?.slice(0, 2)).toEqual([200_000, 0])
    expect(Number(row?.[2])).toBeGreaterThan(960)
  },
)

test('a date with a mistyped year has its business date too, and other dates stay right', async () => {
  expect(
    await current(
      `select transaction_id, created, 1 as landing_seq, transaction_id as ordinal
       from (values (1, timestamp '0026-11-01 23:30'), (2, timestamp '1969-12-31 23:59:59.999999'), (3, timestamp '2026-11-01 23:29:59.999999'),
         (4, timestamp '2026-11-01 18:30'), (5, timestamp '2026-11-02'), (6, timestamp '9026-11-01 18:30')) as v (transaction_id, created)`,
      'select business_date::varchar from current_transaction order by transaction_id',
      'Asia/Kolkata',
    ),
  ).toEqual([
    ['0026-11-02'],
    ['1970-01-01'],
    ['2026-11-02'],
    ['2026-11-02'],
    ['2026-11-02'],
    ['9026-11-02'],
  ])
  expect(
    await current(
      "select 1 as transaction_id, 1 as landing_seq, 1 as ordinal, timestamp '2026-11-01' as created limit 0",
      'from current_transaction',
    ),
  ).toEqual([])
})

test('the last landed version of a record counts, and within a landing the last listed one', async () => {
  expect(
    await current(
      `select *, timestamp '2026-11-01' as created
       from (values (1, 1, 1, 5), (1, 2, 1, 6), (32, 1, 1, 1), (33, 1, 1, 1), (33, 1, 2, 2), (33, 10, 1, 9)) as v (transaction_id, landing_seq, ordinal, tip_cents)`,
      'select transaction_id::integer, tip_cents::integer from current_transaction order by all',
    ),
  ).toEqual([
    [1, 6],
    [32, 1],
    [33, 2],
  ])
})

test('a card is identified by brand, last four digits and billing identity, and nothing else is a card', async () => {
  const rows = await current(
    `select row_number() over () as transaction_id, *, timestamp '2026-11-01' as created, 1 as landing_seq, 1 as ordinal
     from (values ('CARD', 'VISA', '1234', 5), ('CARD', 'VISA', '1234', 6), ('CARD', 'VISA', '1234', null), ('CARD', 'VISA', '1235', 5),
       ('CARD', null, null, null), ('ACH', 'VISA', '1234', 5), (null, 'VISA', '1234', 5), ('CARD', 'VISA', '1234', 5)) as v (vault_type, account_type, last_four, billing_key)`,
    `select (dense_rank() over (order by first_coarse))::integer, (dense_rank() over (order by first_fine))::integer, coarse_key is null
     from (select *, min(transaction_id) over (partition by coarse_key) as first_coarse, min(transaction_id) over (partition by fine_key) as first_fine from current_transaction)
     order by transaction_id`,
  )
  expect(rows).toEqual([
    [1, 1, false],
    [1, 2, false],
    [1, 3, false],
    [2, 4, false],
    [3, 5, false],
    [4, 6, true],
    [4, 6, true],
    [1, 1, false],
  ])
})
