/** Goal: no line enters a closed period. Method: drawn entries, exports and acts on periods, posted together. */
import { expect, test } from 'vitest'
import { randomFrom, type Random } from '../../simulator/world/random.ts'
import { run, type Tables } from '../support/models.ts'

const ENTRIES = 150
const MONTHS = ['2026-07', '2026-08', '2026-09', '2026-10', '2026-11', '2026-12']
const CHAIN = ['closed_period', 'compared_posting', 'entry_origin', 'posted_line']
const LINE =
  'entry_id varchar | origin_id varchar | entry_date date | account_key varchar | ledger_account varchar | account_name varchar | amount_cents bigint | memo varchar | settlement_id bigint | terminal_id bigint | source varchar'

/** Entries on drawn days. Some were exported before, half of these with another amount. */
function drawnTables(random: Random): Tables {
  const tables = {
    posting: [
      'entry_id varchar | source varchar | entry_date date | terminal_id bigint | settlement_id bigint | memo varchar | account_key varchar | amount_cents bigint',
    ],
    exported_entry: [
      'entry_id varchar | audit_seq bigint | entry_date date | source varchar | settlement_id bigint',
    ],
    exported_line: [LINE],
    ops_audit: ['account varchar | subject varchar | action varchar | seq bigint'],
  }
  for (let entry = 1; entry <= ENTRIES; entry += 1) {
    const date = `${random.pick(MONTHS)}-${String(1 + random.below(28)).padStart(2, '0')}`
    const cents = 1 + random.below(9000)
    const isExported = random.below(3) === 0
    const before = cents + random.pick([0, 0, 5])
    if (isExported) tables.exported_entry.push(`S-${entry} | 1 | ${date} | settlement | ${entry}`)
    for (const [account, sign] of [
      ['clearing', -1],
      ['cash_in_transit', 1],
    ] as const) {
      tables.posting.push(
        `S-${entry} | settlement | ${date} | 7 | ${entry} | m | ${account} | ${sign * cents}`,
      )
      if (isExported)
        tables.exported_line.push(
          `S-${entry} | S-${entry} | ${date} | ${account} | 1 | n | ${sign * before} | m | ${entry} | 7 | settlement`,
        )
    }
  }
  for (let seq = 2; seq < 9; seq += 1) {
    const action = random.pick(['period.close', 'period.close', 'period.reopen'])
    tables.ops_audit.push(`acme | ${random.pick(MONTHS)} | ${action} | ${seq}`)
  }
  return Object.fromEntries(Object.entries(tables).map(([name, lines]) => [name, lines.join('\n')]))
}

/** The months whose last act closed them. */
function closedIn({ ops_audit = '' }: Tables): Set<string> {
  const closed = new Set<string>()
  for (const line of ops_audit.split('\n').slice(1)) {
    const [, month = '', action] = line.split(' | ')
    if (action === 'period.close') closed.add(month)
    else closed.delete(month)
  }
  return closed
}

test('I16: nothing new posts in a closed period, and nothing is lost on the way to the next open one', async () => {
  const random = randomFrom(16, 1)
  let moved = 0
  for (let round = 0; round < 5; round += 1) {
    const tables = drawnTables(random)
    const closed = closedIn(tables)
    const exported = new Set(
      tables['exported_line']?.split('\n').map((line) => line.split(' | ')[0]),
    )
    const lines = await run(CHAIN, tables, { audit_seq: 10n })
    const added = lines.filter(({ entry_id }) => !exported.has(entry_id ?? ''))
    expect(added.filter(({ entry_date }) => closed.has((entry_date ?? '').slice(0, 7)))).toEqual([])
    moved += added.filter(({ source }) => source === 'adjustment').length
    const cash = lines.filter(({ account_key }) => account_key === 'cash_in_transit')
    const posted = tables['posting']?.split('\n').filter((line) => line.includes('cash_in_transit'))
    const total = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0)
    expect(total(cash.map(({ amount_cents }) => Number(amount_cents)))).toBe(
      total(posted?.map((line) => Number(line.split(' | ').at(-1))) ?? []),
    )
  }
  expect(moved).toBeGreaterThan(50)
})

const MOVED: Tables = {
  posting: `entry_id varchar | source varchar | entry_date date | terminal_id bigint | settlement_id bigint | memo varchar | account_key varchar | amount_cents bigint
    S-5   | settlement | 2026-11-02 | 7 | 5 | m | clearing        | -101
    S-5   | settlement | 2026-11-02 | 7 | 5 | m | cash_in_transit |  101
    RES-9 | resolution | 2026-11-04 | 7 | 9 | m | suspense        |  -30
    RES-9 | resolution | 2026-11-04 | 7 | 9 | m | refunds         |   30`,
  exported_entry: `entry_id varchar | audit_seq bigint | entry_date date | source varchar | settlement_id bigint
    S-5   | 1 | 2026-10-30 | settlement | 5
    RES-9 | 1 | 2026-11-02 | resolution | 9`,
  exported_line: `${LINE}
    S-5   | S-5   | 2026-10-30 | clearing        | 1 | n | -100 | m | 5 | 7 | settlement
    S-5   | S-5   | 2026-10-30 | cash_in_transit | 2 | n |  100 | m | 5 | 7 | settlement
    RES-9 | RES-9 | 2026-11-02 | suspense        | 3 | n |  -20 | m | 9 | 7 | resolution
    RES-9 | RES-9 | 2026-11-02 | refunds         | 4 | n |   20 | m | 9 | 7 | resolution`,
}

const TIEOUT =
  'settlement_id bigint | terminal_id bigint | business_date date | computed_cents bigint | status varchar | verdict varchar | created timestamp'
const DAY_ENTRY =
  'terminal_id bigint | entry_date date | source varchar | item_count bigint | is_listed boolean | clearing_cents bigint | sales_cents bigint | refunds_cents bigint | tax_cents bigint | shipping_cents bigint | tips_cents bigint | surcharge_cents bigint | unallocated_cents bigint'
const NO_TRANSACTIONS: Tables = {
  standing_by_day:
    'terminal_id bigint | business_date date | action varchar | standing varchar | settled boolean | item_count bigint | signed_cents bigint',
  transaction_standing:
    'transaction_id bigint | terminal_id bigint | voided_date date | standing varchar | signed_cents bigint',
}

const ACTS = 'account varchar | subject varchar | action varchar | seq bigint'
const OCTOBER_CLOSED = `${ACTS}
  acme | 2026-10 | period.close | 2`

test('an adjustment falls on the day of the exported entry, or on the day that a person named for a resolution', async () => {
  const added = async (ops_audit: string, more: Tables = {}) => {
    const rows = await run(CHAIN, { ...MOVED, ops_audit, ...more }, { audit_seq: 10n })
    const adjustments = rows.filter(({ source }) => source === 'adjustment')
    return [...new Set(adjustments.map(({ entry_date, memo }) => `${entry_date} ${memo}`))].sort()
  }
  const resolved = '2026-11-04 Adjusts RES-9 of 2026-11-02'
  expect(await added(ACTS)).toEqual(['2026-10-30 Adjusts S-5 of 2026-10-30', resolved])
  expect(await added(OCTOBER_CLOSED)).toEqual(['2026-11-01 Adjusts S-5 of 2026-10-30', resolved])
  // A reverse of both entries of the resolution does not fall before the second one.
  const reversed = await added(ACTS, {
    posting: (MOVED['posting'] ?? '').split('\n').slice(0, 3).join('\n'),
    exported_line: `${MOVED['exported_line']}
      ADJ-RES-9-1 | RES-9 | 2026-11-04 | suspense | 3 | n | -10 | m | 9 | 7 | adjustment
      ADJ-RES-9-1 | RES-9 | 2026-11-04 | refunds  | 4 | n |  10 | m | 9 | 7 | adjustment`,
  })
  expect(reversed).toContain(resolved)
  // The day that the person named last counts, also if it is the earlier one.
  const lastNamed = await added(ACTS, {
    posting: (MOVED['posting'] ?? '').split('\n').slice(0, 3).join('\n'),
    exported_entry: `${MOVED['exported_entry']}
      ADJ-RES-9-1 | 2 | 2026-11-01 | adjustment | 9`,
    exported_line: `${MOVED['exported_line']}
      ADJ-RES-9-1 | RES-9 | 2026-11-01 | suspense | 3 | n | -10 | m | 9 | 7 | adjustment
      ADJ-RES-9-1 | RES-9 | 2026-11-01 | refunds  | 4 | n |  10 | m | 9 | 7 | adjustment`,
  })
  expect(lastNamed).toContain('2026-11-01 Adjusts RES-9 of 2026-11-02')
})

test('an entry that is zero now, or not known, has the same day in the journal and on the clearing account', async () => {
  const tables = (net: string, verdict: string): Tables => ({
    exported_entry: `${(MOVED['exported_entry'] ?? '').split('\n')[0]}
      ADJ-S-5-1 | 1 | 2026-11-01 | adjustment | 5`,
    exported_line: `${LINE}
      ADJ-S-5-1 | S-5 | 2026-11-01 | clearing        | 1 | n | -100 | m | 5 | 7 | adjustment
      ADJ-S-5-1 | S-5 | 2026-11-01 | cash_in_transit | 2 | n |  100 | m | 5 | 7 | adjustment`,
    ops_audit: ACTS,
    cleared_variance:
      'settlement_id bigint | terminal_id bigint | entry_date date | account_key varchar | amount_cents bigint',
    day_entry: DAY_ENTRY,
    entry_decision: 'entry_id varchar | decided varchar',
    tieout: `${TIEOUT} | reported_cents bigint
      5 | 7 | 2026-10-21 | ${net} | COMPLETE | ${verdict} | 2026-10-21 03:00 | ${net || 100}`,
    ...NO_TRANSACTIONS,
  })
  for (const given of [tables('0', 'TIED'), tables('', 'NO_DATA'), tables('60', 'TIED')]) {
    const posted = await run(['posting', ...CHAIN], given, { audit_seq: 10n })
    const moved = await run(['closed_period', 'clearing_entry'], given, { audit_seq: 10n })
    const onClearing = posted.filter(({ account_key }) => account_key === 'clearing')
    const days = onClearing.map((row) => `${row['entry_date']} ${row['amount_cents']}`)
    expect(days.sort()).toEqual(
      moved.map((row) => `${row['date']} ${row['clearing_cents']}`).sort(),
    )
    expect(days).toHaveLength(2)
    expect(days[0]).toContain('2026-10-21')
  }
})

test('the clearing account moves on the day of the exported entry, also if the settlement is of another day now', async () => {
  const moves = async (ops_audit: string) => {
    const rows = await run(
      ['closed_period', 'clearing_entry'],
      {
        ...MOVED,
        ops_audit,
        tieout: `${TIEOUT}
          5 | 7 | 2026-11-02 | 101 | COMPLETE | TIED | 2026-11-02 03:00`,
        ...NO_TRANSACTIONS,
      },
      { audit_seq: 10n },
    )
    return rows.map(({ date, clearing_cents }) => `${date} ${clearing_cents}`).sort()
  }
  expect(await moves(ACTS)).toEqual(['2026-10-30 -1', '2026-10-30 -100'])
  expect(await moves(OCTOBER_CLOSED)).toEqual(['2026-10-30 -100', '2026-11-01 -1'])
})

test('a settlement that moved to another terminal after its export leaves the first terminal and posts on the second', async () => {
  const onTerminal8 = (text = '') => text.replaceAll('| 7 | 5 |', '| 8 | 5 |')
  const tables = {
    ...MOVED,
    posting: onTerminal8(MOVED['posting']).split('\n').slice(0, 3).join('\n'),
    exported_entry: (MOVED['exported_entry'] ?? '').split('\n').slice(0, 2).join('\n'),
    exported_line: (MOVED['exported_line'] ?? '').split('\n').slice(0, 3).join('\n'),
    ops_audit: ACTS,
    tieout: `${TIEOUT}
      5 | 8 | 2026-11-02 | 101 | COMPLETE | TIED | 2026-11-02 03:00`,
    ...NO_TRANSACTIONS,
  }
  const adjusted = (await run(CHAIN, tables, { audit_seq: 10n }))
    .filter(({ source }) => source === 'adjustment')
    .map((row) =>
      [row['entry_id'], row['terminal_id'], row['account_key'], row['amount_cents']].join(' '),
    )
  expect(adjusted.sort()).toEqual([
    'ADJ-S-5-1 7 cash_in_transit -100',
    'ADJ-S-5-1 7 clearing 100',
    'ADJ-S-5-1 8 cash_in_transit 101',
    'ADJ-S-5-1 8 clearing -101',
  ])
  const cleared = await run(['closed_period', 'clearing_entry'], tables, { audit_seq: 10n })
  expect(
    cleared.map((row) => [row['date'], row['terminal_id'], row['clearing_cents']].join(' ')).sort(),
  ).toEqual(['2026-10-30 7 -100', '2026-10-30 7 100', '2026-10-30 8 -101'])
})
