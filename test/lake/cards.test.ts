import { DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import {
  askCards,
  COVERED,
  IS_CHARGED,
  nameCards,
  onAskedCoarseCards,
  STRETCH,
} from '../../lake/cards.ts'
import { nameWords, prepareModels, readModels, runModels } from '../../lake/models.ts'

test.each([
  ['of new refunds', 'is_current'],
  // Windows end in the quiet past as well.
  ['of new and of old ones', 'is_current or transaction_id % 37 = 0'],
])(
  'what coarse cards were charged is the same from sums of stretches and single charges at their ends as from all: %s',
  async (_, isAsked) => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    onTestFinished(() => connection.closeSync())
    await prepareModels(connection, {})
    for (const statement of [
      `create temp table word as select unnest(['CHARGE', 'REFUND', 'CAPTURE', 'VOID']) as word`,
      // Three cards with a record every three hours of 500 days, on each the newest tenth not quiet; some at the very start of a stretch.
      `create temp table made as
     select i as transaction_id, (i % 3)::ubigint as coarse_key, (i % 3)::ubigint as fine_key, 1 + hash(i) % 900 as cents,
       case when i % 50 = 0 then make_timestamp(((${STRETCH.replace('created', 'made_at')}) << 37)) else made_at end as created,
       case when hash(i * 3) % 10 = 0 then 'REFUND' else 'CHARGE' end as action, hash(i * 5) % 20 <> 0 as approved,
       case when hash(i * 7) % 20 = 0 then 'VOID' else 'CAPTURE' end as status, i > 3600 as is_current
     from (select i, timestamp '2025-06-01' + to_hours(3 * i) + to_milliseconds((hash(i * 11) % 9000000)::bigint) as made_at from range(4000) as numbers (i))`,
      'create temp view record as select * exclude (cents), cents::bigint as total_cents from made',
      `create temp table sealed_quiet_card as select * exclude (is_current, action, status, approved) from record where not is_current and ${IS_CHARGED}`,
      `create temp table sealed_quiet_charge as
     select coarse_key, ${STRETCH} as stretch, sum(total_cents)::bigint as charged_cents from sealed_quiet_card group by all`,
      'create temp table everything as select * replace (known_word(action) as action, known_word(status) as status) from record',
      'create temp table part as from everything where is_current',
      `create temp table asked_refund as
     select transaction_id, coarse_key, created, created - interval 12 months as window_start from record
     where action = 'REFUND' and (${isAsked})`,
    ]) {
      if (statement.startsWith('create temp table everything')) await nameWords(connection)
      await connection.run(statement)
    }
    const [model] = readModels().filter(({ name }) => name === 'charged_coarse')
    if (model === undefined) throw new Error('there is no model of coarse cards')
    const summed = async (rows: string) => {
      await connection.run(`create or replace temp table current_transaction as ${rows}`)
      const text = model.text.replaceAll(/\brefund_at_risk\b/g, 'asked_refund')
      await runModels(connection, [{ ...model, text }])
      const reader = await connection.runAndReadAll(
        'select transaction_id, charged_coarse_cents from charged_coarse order by all',
      )
      return reader.getRowsJson()
    }
    const all = await summed('from everything')
    await connection.run('create or replace temp table current_transaction as from part')
    const asked = await onAskedCoarseCards(connection, true)
    await connection.run(`create temp table asked as ${asked}`)
    const [count] = (
      await connection.runAndReadAll('select count(*)::integer from asked')
    ).getRowsJson()
    // Sums stand for most.
    expect(Number(count?.[0])).toBeLessThan(2500)
    expect(all.length).toBeGreaterThan(30)
    expect(await summed('from asked')).toEqual(all)
  },
)

test('of cards that are not judged again no refund since they were touched exceeds what was charged', async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  onTestFinished(() => connection.closeSync())
  await prepareModels(connection, {
    sealed_from: { type: 'timestamp', value: '2026-08-30' },
    opens_at: { type: 'timestamp', value: '2026-08-28' },
  })
  for (const statement of [
    `create temp table word as select unnest(['CHARGE', 'REFUND', 'CAPTURE', 'VOID']) as word`,
    // Cards with five charges of up to two years before, some of them all after the seal, and two refunds of about half as much: some old, some new,
    // one in eight farther from the seal than its cover holds.
    `create temp table made as
     select i as transaction_id, 1::bigint as terminal_id, (i // 7)::ubigint as fine_key, (i // 700)::ubigint as coarse_key,
       case when i % 7 < 5 then 'CHARGE' else 'REFUND' end as action, true as approved, 'CAPTURE' as status, null::varchar as invoice_number,
       (1 + hash(i) % 900)::bigint as total_cents,
       case when i % 7 < 5 then timestamp '2026-09-20' - to_hours((hash(i * 3) % (24 * case when i // 7 % 20 = 0 then 20 else 730 end))::bigint)
         when hash(i * 5) % 8 = 0 then timestamp '2026-11-20'
         else timestamp '2026-09-20' - to_hours((hash(i * 3) % (24 * 40))::bigint) end as created
     from range(70000) as numbers (i)`,
    `create temp table current_transaction as from made where created >= getvariable('opens_at')`,
    `create temp table sealed_quiet_card as from made where created < getvariable('opens_at') and ${IS_CHARGED}`,
    `create temp table sealed_quiet_refund as from made where created < getvariable('opens_at') and action = 'REFUND'`,
    `create temp table sealed_quiet_cover as select fine_key, sum(${COVERED})::bigint as covered_cents from sealed_quiet_card group by fine_key`,
    // Touched by what landed: most by something new, some by what is older than the seal.
    `create temp table changed_version as
     select fine_key, action, created from made where created >= case when fine_key % 9 = 0 then timestamp '2026-08-01' else timestamp '2026-09-05' end`,
    `create temp table touched_fine_key as select fine_key, min(created) as touched_at from changed_version group by fine_key`,
    `set variable touched_from = (select min(touched_at) from touched_fine_key)`,
  ])
    await connection.run(statement)
  await nameWords(connection)
  await nameCards(connection, true)
  await askCards(connection, true)
  await connection.run(
    `create or replace temp table current_transaction as select * replace (known_word (action) as action, known_word (status) as status) from made`,
  )
  await runModels(
    connection,
    readModels().filter(({ name }) => name === 'refund_at_risk'),
  )
  const reader = await connection.runAndReadAll(
    `select (select count(*) from touched_card)::integer as touched, (select count(*) from asked_card)::integer as asked,
       (select count(*) from asked_card where not is_quiet)::integer as fresh,
       count(*) filter (where fine_key in (select fine_key from asked_card))::integer as found,
       count(*) filter (where fine_key not in (select fine_key from asked_card))::integer as missed
     from refund_at_risk inner join touched_card using (fine_key) where created >= touched_at`,
  )
  const [counts] = reader.getRowObjectsJson()
  expect(counts).toMatchObject({ missed: 0 })
  const { touched = 0, asked = 0, fresh = 0, found = 0 } = counts as Record<string, number>
  expect([found, fresh, asked, touched - asked].map((n) => n > 300)).toEqual([
    true,
    true,
    true,
    true,
  ])
})
