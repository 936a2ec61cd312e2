/**
 * Goal: a refund is judged by the charges of exactly twelve months. Method: tables for each condition, and random
 * cards judged twice.
 */
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { macros, makeEnumType, readModels, runModels } from '../../lake/run/models.ts'
import { run, type Tables } from '../support/models.ts'
import { modelOn } from './seen-lake.ts'

const HEAD =
  'transaction_id bigint | terminal_id bigint | created timestamp | action varchar | status varchar | approved boolean | settled boolean | total_cents bigint | coarse_key varchar | fine_key varchar'
const CHAIN = ['uncovered_card', 'refund_at_risk', 'coarse_card_charges', 'refund_certainty']
const COVERED = `covered boolean | history_from timestamp | history_until timestamp
  true | 2024-01-01 | infinity`
const NO_REFUSAL = 'list varchar | terminal_id bigint'
const NO_QUARANTINE = 'subject_type varchar | subject_id varchar | created timestamp'

/** Lines are `id | created | action | amount | fine key | status?`; the coarse key is the fine key's first letter. */
function world(lines: string, more: Tables = {}): Tables {
  const rows = lines
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((line) => line.length > 1)
    .map(([id, created, action, amount, key = '', status = 'CAPTURE']) => {
      const [approved, settled] = [!/DECLINED/.test(status), /settled/.test(status)]
      const keys = key === '' ? ' | ' : `${key[0]} | ${key}`
      return `${id} | 7 | ${created} | ${action} | ${/VOID|HOLD/.exec(status)?.[0] ?? 'CAPTURE'} | ${approved} | ${settled} | ${amount} | ${keys}`
    })
  return {
    current_transaction: [HEAD, ...rows].join('\n'),
    history_coverage: COVERED,
    current_quarantine: NO_QUARANTINE,
    refused_list: NO_REFUSAL,
    refunded_card: 'fine_key varchar | card_key varchar | brand varchar | last_four varchar',
    incomplete_charge: 'created timestamp | brand varchar | last_four varchar',
    ...more,
  }
}

/** `id certainty coarse fine before`, in the order of the ids. */
async function judged(tables: Tables): Promise<string[]> {
  const rows = await run(CHAIN, tables)
  return rows
    .map((row) =>
      [
        row['transaction_id'],
        row['certainty'],
        row['charged_coarse_cents'],
        row['charged_fine_cents'],
        row['refunded_before_cents'],
      ].join(' '),
    )
    .sort()
}

test('a refund above all charges of brand and last four digits is CERTAIN, and one above those of the name only is SUSPECTED', async () => {
  const cards = `
    1 | 2026-03-01 | CHARGE | 4000 | Va
    2 | 2026-03-02 | CHARGE | 3000 | Vb`
  expect(await judged(world(`${cards}\n 9 | 2026-11-01 | REFUND | 5000 | Va`))).toEqual([
    '9 SUSPECTED 7000 4000 0',
  ])
  expect(await judged(world(`${cards}\n 9 | 2026-11-01 | REFUND | 8000 | Va`))).toEqual([
    '9 CERTAIN 7000 4000 0',
  ])
  expect(await judged(world(`${cards}\n 9 | 2026-11-01 | REFUND | 4000 | Va`))).toEqual([])
})

test('the window begins exactly 12 calendar months before and ends with the refund’s own instant, both included', async () => {
  const refund = '9 | 2026-11-15 10:00:00 | REFUND | 1000 | Va'
  const with_charge = (at: string) => judged(world(`1 | ${at} | CHARGE | 1000 | Va\n${refund}`))
  expect(await with_charge('2025-11-15 10:00:00')).toEqual([])
  expect(await with_charge('2025-11-15 09:59:59')).toEqual(['9 CERTAIN 0 0 0'])
  expect(await with_charge('2026-11-15 10:00:00')).toEqual([])
  expect(await with_charge('2026-11-15 10:00:01')).toEqual(['9 CERTAIN 0 0 0'])
})

test('12 months before 29 February is 28 February, so a later refund can look back further than an earlier one', async () => {
  const rows = world(`
    1 | 2023-02-28 12:00 | CHARGE | 2000 | Va
    8 | 2024-02-28 23:00 | REFUND | 1000 | Va
    9 | 2024-02-29 01:00 | REFUND | 1000 | Va`)
  expect(await judged(rows)).toEqual(['8 CERTAIN 0 0 0'])
})

test('a refund of 28 February after a leap year counts charges of 28 and 29 February, and one of 1 March counts neither', async () => {
  const refunded = (charged: string, refunded_at: string) =>
    judged(world(`1 | ${charged} | CHARGE | 1000 | Va\n9 | ${refunded_at} | REFUND | 1000 | Va`))
  expect(await refunded('2024-02-28 10:00:00', '2025-02-28 10:00:00')).toEqual([])
  expect(await refunded('2024-02-29 10:00:00', '2025-02-28 10:00:00')).toEqual([])
  expect(await refunded('2024-02-28 09:59:59', '2025-02-28 10:00:00')).toEqual(['9 CERTAIN 0 0 0'])
  expect(await refunded('2024-02-29 23:59:59', '2025-03-01 00:00:00')).toEqual(['9 CERTAIN 0 0 0'])
  expect(await refunded('2024-03-01 00:00:00', '2025-03-01 00:00:00')).toEqual([])
  expect(await refunded('2023-02-28 10:00:00', '2024-02-29 10:00:00')).toEqual([])
  expect(await refunded('2023-02-28 09:59:59', '2024-02-29 10:00:00')).toEqual(['9 CERTAIN 0 0 0'])
})

test('refunds that together equal the charges are lawful, and one cent more is not', async () => {
  const together = (last: number) =>
    judged(
      world(`
        1 | 2026-03-01 | CHARGE | 5000 | Va
        7 | 2026-04-01 | REFUND | 3000 | Va
        8 | 2026-05-01 | REFUND | ${last} | Va`),
    )
  expect(await together(2000)).toEqual([])
  expect(await together(2001)).toEqual(['8 SUSPECTED 5000 5000 3000'])
})

test('a VOID or declined refund takes nothing from the ceiling of later refunds', async () => {
  const after = (status: string) =>
    judged(
      world(`
        1 | 2026-03-01 | CHARGE | 5000 | Va
        7 | 2026-04-01 | REFUND | 3000 | Va | ${status}
        8 | 2026-05-01 | REFUND | 3000 | Va`),
    )
  expect(await after('VOID')).toEqual([])
  expect(await after('DECLINED')).toEqual([])
  expect(await after('HOLD')).toEqual(['8 SUSPECTED 5000 5000 3000'])
  expect(await after('VOID settled')).toEqual(['8 SUSPECTED 5000 5000 3000'])
})

test('a charge on HOLD raises the ceiling; VOID, declined and VERIFY do not', async () => {
  const refund = '9 | 2026-11-15 | REFUND | 1000 | Va'
  const charged = (row: string) => judged(world(`${row}\n${refund}`))
  expect(await charged('1 | 2026-11-01 | CHARGE | 1000 | Va | HOLD')).toEqual([])
  expect(await charged('1 | 2026-11-01 | CHARGE | 1000 | Va | VOID')).toHaveLength(1)
  expect(await charged('1 | 2026-11-01 | CHARGE | 1000 | Va | DECLINED')).toHaveLength(1)
  expect(await charged('1 | 2026-11-01 | VERIFY | 1000 | Va')).toHaveLength(1)
  // The customer was charged all the same.
  expect(await charged('1 | 2026-11-01 | CHARGE | 1000 | Va | VOID settled')).toEqual([])
  expect(await charged('1 | 2026-11-01 | CHARGE | 1000 | Va | DECLINED settled')).toEqual([])
})

test('a refund that is VOID, declined or to no card is not judged', async () => {
  expect(
    await judged(
      world(`
        7 | 2026-11-15 | REFUND | 1000 | Va | VOID
        8 | 2026-11-15 | REFUND | 1000 | Va | DECLINED
        9 | 2026-11-15 | REFUND | 1000 |`),
    ),
  ).toEqual([])
})

test('refunds that only together exceed the charges are SUSPECTED from the first one above the ceiling', async () => {
  const rows = world(`
    1 | 2026-03-01 | CHARGE | 5000 | Va
    7 | 2026-04-01 | REFUND | 3000 | Va
    8 | 2026-05-01 | REFUND | 3000 | Va`)
  expect(await judged(rows)).toEqual(['8 SUSPECTED 5000 5000 3000'])
  const found = await run([...CHAIN, 'refund_ceiling_breach'], rows)
  expect(found).toMatchObject([{ subject_id: '8', amount_cents: '1000', certainty: 'SUSPECTED' }])
  expect(found[0]?.['detail']).toContain(
    'only together with the other refunds of the card, 60.00 in all',
  )
})

test('two refunds at one instant are ordered by id, and both are SUSPECTED if they exceed the charges together', async () => {
  const rows = world(`
    1 | 2026-03-01 | CHARGE | 5000 | Va
    7 | 2026-04-01 | REFUND | 3000 | Va
    8 | 2026-04-01 | REFUND | 3000 | Va`)
  expect(await judged(rows)).toEqual(['7 SUSPECTED 5000 5000 0', '8 SUSPECTED 5000 5000 3000'])
})

test('a window that begins before the known history gives INSUFFICIENT_HISTORY, and nothing is certain', async () => {
  const rows = `
    1 | 2026-03-01 | CHARGE | 4000 | Va
    9 | 2026-11-01 | REFUND | 8000 | Va`
  const known_from = (covered: boolean, from: string, until = 'infinity') =>
    judged(
      world(rows, {
        history_coverage: `covered boolean | history_from timestamp | history_until timestamp\n ${covered} | ${from} | ${until}`,
      }),
    )
  expect(await known_from(false, '2025-11-01')).toEqual(['9 CERTAIN 4000 4000 0'])
  expect(await known_from(false, '2025-11-02')).toEqual(['9 INSUFFICIENT_HISTORY 4000 4000 0'])
  expect(await known_from(false, 'null')).toEqual(['9 INSUFFICIENT_HISTORY 4000 4000 0'])
  expect(await known_from(true, '2026-02-01')).toEqual(['9 CERTAIN 4000 4000 0'])
  // Nor where what was read since proves nothing: a charge may lie there.
  expect(await known_from(true, '2026-02-01', '2026-11-01')).toEqual(['9 CERTAIN 4000 4000 0'])
  expect(await known_from(true, '2026-02-01', '2026-10-31')).toEqual([
    '9 INSUFFICIENT_HISTORY 4000 4000 0',
  ])
})

test('a quarantined transaction that could lie in the window leaves a breach SUSPECTED, and the detail says why', async () => {
  const rows = '9 | 2026-11-01 | REFUND | 8000 | Va'
  const with_record = (record: string) =>
    world(rows, { current_quarantine: `${NO_QUARANTINE}\n${record}` })
  const certainty = async (record: string) =>
    (await run(CHAIN, with_record(record)))[0]?.['certainty']
  expect(await certainty('transaction | 5 | ')).toBe('SUSPECTED')
  expect(await certainty('transaction | 5 | 2026-11-01')).toBe('SUSPECTED')
  expect(await certainty('transaction | 5 | 2025-11-01')).toBe('SUSPECTED')
  expect(await certainty('transaction | 5 | 2025-10-31')).toBe('CERTAIN')
  expect(await certainty('transaction | 5 | 2026-11-02')).toBe('CERTAIN')
  expect(await certainty('settlement | 5 | 2026-10-01')).toBe('CERTAIN')
  const found = await run([...CHAIN, 'refund_ceiling_breach'], with_record('transaction | 5 | '))
  expect(found[0]?.['detail']).toContain(
    'a record that could not be read, or that lacks card fields, may be one more charge',
  )
})

test('a refund whose card, or that of a possible charge, lacks a field is not CERTAIN', async () => {
  const certainty = async (card: string, charge = '') => {
    const refunded_card = `fine_key varchar | card_key varchar | brand varchar | last_four varchar\n Va | k | ${card}`
    const incomplete_charge = `created timestamp | brand varchar | last_four varchar\n ${charge}`
    const more = { refunded_card, incomplete_charge }
    const found = await run(CHAIN, world('9 | 2026-11-01 | REFUND | 8000 | Va', more))
    return found[0]?.['certainty']
  }
  expect(await certainty('VISA | 4242')).toBe('CERTAIN')
  expect(await certainty('VISA | ')).toBe('SUSPECTED')
  expect(await certainty(' | 4242')).toBe('SUSPECTED')
  for (const charge of ['VISA | ', ' | 4242', ' | ', 'VISA | 4242']) {
    expect(await certainty('VISA | 4242', `2026-11-01 | ${charge}`)).toBe('SUSPECTED')
    expect(await certainty('VISA | 4242', `2025-11-01 | ${charge}`)).toBe('SUSPECTED')
    expect(await certainty('VISA | 4242', `2025-10-31 | ${charge}`)).toBe('CERTAIN')
    expect(await certainty('VISA | 4242', `2026-11-02 | ${charge}`)).toBe('CERTAIN')
  }
  expect(await certainty('VISA | 4242', '2026-11-01 | AMEX | ')).toBe('CERTAIN')
  expect(await certainty('VISA | 4242', '2026-11-01 |  | 1111')).toBe('CERTAIN')
})

test('the amounts of refunds above the ceiling are their own parts of the excess', async () => {
  const rows = world(`
    1 | 2026-03-01 | CHARGE | 10000 | Va
    5 | 2026-04-01 | REFUND | 9000 | Va
    6 | 2026-05-01 | REFUND | 3000 | Va
    7 | 2026-06-01 | REFUND | 3000 | Va`)
  const found = await run([...CHAIN, 'refund_ceiling_breach'], rows)
  expect(found.map((row) => [row['subject_id'], row['amount_cents']]).sort()).toEqual([
    ['6', '2000'],
    ['7', '3000'],
  ])
})

test('a terminal that the service refuses may hide a charge, so no breach is CERTAIN', async () => {
  const refused = { refused_list: `${NO_REFUSAL}\n transactions | 5` }
  const found = await run(CHAIN, world('9 | 2026-11-01 | REFUND | 8000 | Va', refused))
  expect(found.map((row) => row['certainty'])).toEqual(['SUSPECTED'])
})

test('a refund above all charges counts the refunds before it, so that a higher refund never has a lower amount', async () => {
  const last = async (cents: number, other = '') => {
    const rows = world(`
      1 | 2026-03-01 | CHARGE | 10000 | Va
      5 | 2026-04-01 | REFUND | 9000 | Va
      ${other}
      9 | 2026-05-01 | REFUND | ${cents} | Va`)
    const [found] = await run([...CHAIN, 'refund_ceiling_breach'], rows)
    return [
      found?.['certainty'],
      found?.['amount_cents'],
      /[\d.]+ in all/.exec(found?.['detail'] ?? '')?.[0],
    ]
  }
  expect(await last(10000)).toEqual(['SUSPECTED', '9000', '190.00 in all'])
  expect(await last(10001)).toEqual(['CERTAIN', '9001', '190.01 in all'])
  const otherName = '2 | 2026-03-01 | CHARGE | 100000 | Vb'
  expect(await last(10001, otherName)).toEqual(['SUSPECTED', '9001', '190.01 in all'])
})

test('the finding has the excess over the total by which its certainty was judged', async () => {
  const found = await run(
    [...CHAIN, 'refund_ceiling_breach'],
    world(`
      1 | 2026-03-01 | CHARGE | 4000 | Va
      2 | 2026-03-02 | CHARGE | 3000 | Vb
      8 | 2026-11-01 | REFUND | 5000 | Va
      9 | 2026-11-02 | REFUND | 9000 | Vb`),
  )
  expect(
    found.map((row) => [row['subject_id'], row['certainty'], row['amount_cents']]).sort(),
  ).toEqual([
    ['8', 'SUSPECTED', '1000'],
    ['9', 'CERTAIN', '2000'],
  ])
  expect(found.find((row) => row['subject_id'] === '9')?.['detail']).toBe(
    'refund of 90.00, charged in the 12 months before 30.00 on the fine card key and 70.00 on the coarse one',
  )
})

/**
 * Compares the models with the rule, read word by word. The answer is the rows that differ, and the number of each
 * kind.
 */
async function besideTheRule(transactions: string) {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run(macros())
  // A single thread and a seed give the same transactions in every run.
  await connection.run('set threads = 1')
  await connection.run('select setseed(0.42)')
  await connection.run(
    `create temp table history_coverage as select true as covered, null::timestamp as history_from, 'infinity'::timestamp as history_until`,
  )
  await connection.run(
    `create temp table current_quarantine (subject_type varchar, created timestamp)`,
  )
  await connection.run(`create temp table refused_list (list varchar, terminal_id bigint)`)
  await connection.run(
    `create temp table refunded_card (fine_key varchar, card_key varchar, brand varchar, last_four varchar)`,
  )
  await connection.run(
    `create temp table incomplete_charge (created timestamp, brand varchar, last_four varchar)`,
  )
  await connection.run(`create temp table current_transaction as ${transactions}`)
  await connection.run(
    `create temp table enum_value as select unnest(['CHARGE', 'REFUND', 'VERIFY', 'CAPTURE', 'HOLD', 'VOID', 'CARD']) as value`,
  )
  await makeEnumType(connection)
  await runModels(
    connection,
    readModels().filter(({ name }) => CHAIN.includes(name)),
  )
  await connection.run(`create temp table expected as
    with good as (select * from current_transaction where settled or (approved and status <> 'VOID'))
    select r.transaction_id, r.total_cents as refund_cents,
      coalesce(sum(x.total_cents) filter (where x.action = 'CHARGE'), 0)::bigint as charged_coarse_cents,
      coalesce(sum(x.total_cents) filter (where x.action = 'CHARGE' and x.fine_key = r.fine_key), 0)::bigint as charged_fine_cents,
      coalesce(sum(x.total_cents) filter (where x.action = 'REFUND' and x.fine_key = r.fine_key), 0)::bigint as refunded_in_window_cents,
      coalesce(sum(x.total_cents) filter (where x.action = 'REFUND' and x.fine_key = r.fine_key
        and (x.created < r.created or x.created = r.created and x.transaction_id < r.transaction_id)), 0)::bigint as refunded_before_cents
    from good as r inner join good as x on x.coarse_key = r.coarse_key and x.created <= r.created and x.created >= r.created - interval 12 months
    where r.action = 'REFUND' and r.total_cents > 0
    group by r.transaction_id, r.total_cents
    having charged_fine_cents < r.total_cents or charged_fine_cents < refunded_in_window_cents`)
  const columns =
    'transaction_id, refund_cents, charged_coarse_cents, charged_fine_cents, refunded_in_window_cents, refunded_before_cents'
  const differences = await connection.runAndReadAll(
    `(select ${columns} from expected except all select ${columns} from refund_certainty)
     union all (select ${columns} from refund_certainty except all select ${columns} from expected)`,
  )
  const counted = await connection.runAndReadAll(
    `select count(*), count(*) filter (where reading = 'TWO'), count(*) filter (where certainty = 'CERTAIN') from refund_certainty`,
  )
  connection.closeSync()
  return {
    differences: differences.getRows(),
    counts: (counted.getRows()[0] ?? []).map(Number),
  }
}

test('4,000 random transactions over five years, with leap days, give the same result as the rule read word by word', async () => {
  const { differences, counts } = await besideTheRule(`
    with drawn as materialized (
      select i as transaction_id, 7 as terminal_id, (random() * 12)::int as coarse, (random() * 2)::int as fine, random() as kind,
        random() as luck, (random() * 5000)::bigint as total_cents, random() as near, random() as hour,
        timestamp '2023-01-01' + to_hours((random() * 43800)::int) as any_time
      from range(4000) as r(i))
    select transaction_id, terminal_id, total_cents,
      case when near < 0.2 then timestamp '2024-02-28' + to_hours((hour * 48)::int)
           when near < 0.4 then timestamp '2023-02-27' + to_hours((hour * 48)::int)
           when near < 0.5 then timestamp '2025-02-27' + to_hours((hour * 48)::int) else any_time end as created,
      case when kind < 0.5 then 'CHARGE' when kind < 0.95 then 'REFUND' else 'VERIFY' end as action,
      case when luck < 0.1 then 'VOID' when luck < 0.3 then 'HOLD' else 'CAPTURE' end as status, luck < 0.95 as approved, near > 0.9 as settled,
      'c' || coarse as coarse_key, 'c' || coarse || '|' || fine as fine_key
    from drawn`)
  expect(differences).toEqual([])
  expect(Math.min(...counts)).toBeGreaterThan(10)
})

test('the window is the same twelve months for every day of the year and for every bucket of 13 days', async () => {
  // A card for each day of a period and each distance around a year: charged, and refunded that much later, with and
  // without others between.
  const { differences, counts } = await besideTheRule(`
    with card as (
      select 'c' || row_number() over () as fine_key, first_day, distance, year from range(14) as f(first_day), range(330, 400) as d(distance), range(2023, 2025) as y(year)),
    item as (
      select fine_key || kind as fine_key, action, total_cents, make_date(year, 2, 1)::timestamp + to_days((first_day + days + if(is_far, distance, 0))::integer) as created
      from card cross join (values
        ('a', 'CHARGE', 100, 0, false), ('a', 'REFUND', 100, 0, true),
        ('b', 'CHARGE', 100, 0, false), ('b', 'REFUND', 100, 1, false), ('b', 'CHARGE', 100, 60, false), ('b', 'REFUND', 100, 1, true),
        ('c', 'CHARGE', 100, 0, false), ('c', 'REFUND', 100, 66, false), ('c', 'CHARGE', 100, 166, false), ('c', 'REFUND', 200, 0, true),
        ('d', 'CHARGE', 100, 0, false), ('d', 'REFUND', 100, 50, false), ('d', 'CHARGE', 100, 250, false), ('d', 'REFUND', 200, 30, true)
      ) as item (kind, action, total_cents, days, is_far))
    select row_number() over () as transaction_id, 7 as terminal_id, total_cents::bigint as total_cents, created, action, 'CAPTURE' as status, true as approved, false as settled,
      fine_key as coarse_key, fine_key from item`)
  expect(differences).toEqual([])
  expect(Math.min(...counts)).toBeGreaterThan(10)
})

test('a brand in other letters is the same card, and a charge without a card field is listed as incomplete', async () => {
  const tables = {
    'seen.transaction_version': `transaction_id | terminal_id | action | status | approved | created | total_cents | vault_type | account_type | last_four | landing_seq | ordinal
      1 | 7 | CHARGE | CAPTURE | true  | 2026-11-01 | 5000 | CARD | Visa | 4242 | 1 | 1
      2 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 | 5000 | CARD |      | 4242 | 1 | 2
      3 | 7 | CHARGE | CAPTURE | true  | 2026-11-03 | 5000 | CARD | AMEX |      | 1 | 3
      4 | 7 | CHARGE | CAPTURE | true  | 2026-11-04 | 5000 |      | VISA | 4242 | 1 | 4
      5 | 7 | CHARGE | CAPTURE | false | 2026-11-05 | 5000 | CARD |      |      | 1 | 5
      6 | 7 | CHARGE | HOLD    | true  | 2026-11-06 | 5000 | CARD |      |      | 1 | 6
      6 | 7 | CHARGE | CAPTURE | true  | 2026-11-06 | 5000 | CARD | VISA | 4242 | 2 | 1
      7 | 7 | CHARGE | CAPTURE | true  | 2026-11-07 | 5000 | ACH  |      |      | 1 | 7
      8 | 7 | CHARGE | CAPTURE | true  | 2026-11-07 | 5000 |      | VISA | 4343 | 1 | 9
      8 | 7 | CHARGE | CAPTURE | true  | 2026-11-07 | 5000 | CARD | VISA | 4343 | 2 | 2
      9 | 7 | REFUND | CAPTURE | true  | 2026-11-09 | 5000 | CARD | VISA | 4242 | 1 | 8`,
  }
  const incomplete = await modelOn('incomplete_charge', tables)
  expect(incomplete.map((row) => String(row['transaction_id'])).sort()).toEqual(['2', '3', '4'])
  // Charges 1 and 6 of VISA 4242 cover the refund.
  expect(await modelOn('refund_at_risk', tables)).toEqual([])
})
