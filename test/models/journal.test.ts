import { expect, test } from 'vitest'
import { type Row, run } from '../support/models.ts'
import { BATCHES, books, ITEMS } from './worked-example.ts'

const CHAIN = ['posting', 'posted_line', 'journal_line']

/** `C-7-20261118 2026-11-18: clearing 11.00, sales -10.00`, debits plus and credits minus. */
function entries(lines: Row[]): string[] {
  const text = new Map<string, string[]>()
  for (const line of lines) {
    const head = `${line['entry_id']} ${line['entry_date']}:`
    const cents = line['debit_cents'] ?? `-${line['credit_cents']}`
    text.set(head, [...(text.get(head) ?? []), `${line['account_key']} ${Number(cents) / 100}`])
  }
  return [...text].map(([head, parts]) => `${head} ${parts.join(', ')}`).sort()
}

const journal = async (items: string, batches: string, variables?: Parameters<typeof run>[2]) =>
  entries(await run(CHAIN, books(items, batches), variables))

test('the worked example posts charges, refunds, a negative settlement and a variance as an accountant would', async () => {
  expect(await journal(ITEMS, BATCHES)).toEqual([
    'C-1001-20261118 2026-11-18: clearing 166.09, sales -140, tax -11.55, shipping -5, tips -8, surcharge -1.54',
    'C-1001-20261120 2026-11-20: clearing 210, sales -210',
    'C-1002-20261119 2026-11-19: clearing 25, sales -25',
    'R-1001-20261118 2026-11-18: clearing -21.65, refunds 20, tax 1.65',
    'R-1002-20261119 2026-11-19: clearing -75, refunds 75',
    'S-900 2026-11-19: cash_in_transit 144.44, clearing -144.44',
    'S-901 2026-11-20: cash_in_transit -50, clearing 50',
    'S-902 2026-11-21: cash_in_transit 200, clearing -210, suspense 10',
  ])
})

test('the worked example closes with clearing at zero, 294.44 in transit and 10.00 in suspense, and sums to zero', async () => {
  const lines = await run(CHAIN, books(ITEMS, BATCHES))
  const balances = new Map<string, number>()
  for (const line of lines) {
    const key = String(line['account_key'])
    const cents = Number(line['debit_cents'] ?? 0) - Number(line['credit_cents'] ?? 0)
    balances.set(key, (balances.get(key) ?? 0) + cents)
  }
  expect(Object.fromEntries(balances)).toEqual({
    clearing: 0,
    cash_in_transit: 29444,
    suspense: 1000,
    sales: -37500,
    refunds: 9500,
    tax: -990,
    shipping: -500,
    tips: -800,
    surcharge: -154,
  })
  expect([...balances.values()].reduce((sum, cents) => sum + cents, 0)).toBe(0)
})

test('a line is a debit or a credit in a ledger account of the chart, and lines are numbered within an entry', async () => {
  const lines = await run(
    CHAIN,
    books('', '900 | 7 | 2026-11-19 03:00 | COMPLETE | 1000 | 1100 | BREAK'),
  )
  const shown = lines.map((line) =>
    ['line_no', 'account', 'account_name', 'debit_cents', 'credit_cents']
      .map((column) => line[column] ?? '')
      .join(' | '),
  )
  expect(shown.sort()).toEqual([
    '1 | 1110 | Cash in transit | 1000 | ',
    '2 | 1100 | Processor clearing |  | 1100',
    '3 | 1190 | Settlement variance suspense | 100 | ',
  ])
  expect(lines[0]).toMatchObject({
    period: '2026-11',
    currency: 'USD',
    source: 'settlement',
    settlement_id: '900',
    terminal_id: '7',
    memo: 'Settlement 900, computed 11.00, reported 10.00',
  })
})

test('an amount that the parts leave over goes to unallocated, positive or negative', async () => {
  expect(await journal('1 | 7 | 2026-11-18 10:00 | CHARGE | 1100 | 1000 80 | OPEN', '')).toEqual([
    'C-7-20261118 2026-11-18: clearing 11, sales -10, tax -0.8, unallocated -0.2',
  ])
  expect(await journal('1 | 7 | 2026-11-18 10:00 | REFUND | 1100 | 1000 150 | OPEN', '')).toEqual([
    'R-7-20261118 2026-11-18: clearing -11, refunds 10, tax 1.5, unallocated -0.5',
  ])
  expect(await journal('1 | 7 | 2026-11-18 10:00 | CHARGE | 1100 | | OPEN', '')).toEqual([
    'C-7-20261118 2026-11-18: clearing 11, unallocated -11',
  ])
})

test('a transaction with any standing but NONE is posted; a HOLD, a declined one and a VERIFY are not', async () => {
  const items = `
    1 | 7 | 2026-11-18 10:00 | CHARGE | 1100 | 1000 100 | COMPLETE
    2 | 7 | 2026-11-18 10:00 | CHARGE | 1100 | 1000 100 | PENDING
    3 | 7 | 2026-11-18 10:00 | CHARGE | 1100 | 1000 100 | ORPHAN
    4 | 7 | 2026-11-18 10:00 | CHARGE | 1100 | 1000 100 | OPEN
    5 | 7 | 2026-11-18 10:00 | CHARGE | 1100 | 1000 100 | NONE
    6 | 7 | 2026-11-18 10:00 | VERIFY | 1100 | 1000 100 | NONE`
  expect(await journal(items, '')).toEqual([
    'C-7-20261118 2026-11-18: clearing 44, sales -40, tax -4',
  ])
})

test('a void reverses its charge part by part on the day of the void, and so does a voided refund', async () => {
  const items = `
    1 | 7 | 2026-11-18 10:00 | CHARGE | 1100 | 1000 80  | VOIDED 2026-11-20
    2 | 7 | 2026-11-18 10:00 | REFUND | 1100 | 1000 100 | VOIDED 2026-11-21`
  expect(await journal(items, '')).toEqual([
    'C-7-20261118 2026-11-18: clearing 11, sales -10, tax -0.8, unallocated -0.2',
    'R-7-20261118 2026-11-18: clearing -11, refunds 10, tax 1',
    'V-7-20261120 2026-11-20: clearing -11, sales 10, tax 0.8, unallocated 0.2',
    'V-7-20261121 2026-11-21: clearing 11, refunds -10, tax -1',
  ])
})

test('a settlement that is PENDING or made after as_of posts nothing; one with NO_DATA posts its net to suspense', async () => {
  const batches = `
    900 | 7 | 2026-11-19 03:00    | PENDING  | 1100 | 1100 | PENDING
    901 | 7 | 2026-11-30 12:00:01 | COMPLETE | 1100 | 1100 | TIED
    902 | 7 | 2026-11-19 03:00    | COMPLETE | 1100 |      | NO_DATA`
  expect(await journal('', batches)).toEqual(['S-902 2026-11-19: cash_in_transit 11, suspense -11'])
})

test('only a settlement of zero without transactions makes no entry', async () => {
  const batches = `
    900 | 7 | 2026-11-19 03:00 | COMPLETE |   0 |   0 | TIED
    901 | 7 | 2026-11-19 03:00 | COMPLETE |   0 | 500 | BREAK
    902 | 7 | 2026-11-19 03:00 | COMPLETE | 500 |   0 | BREAK`
  expect(await journal('', batches)).toEqual([
    'S-901 2026-11-19: clearing -5, suspense 5',
    'S-902 2026-11-19: cash_in_transit 5, suspense -5',
  ])
})

test('the journal has the entries from the first day of the range up to, and without, to_date', async () => {
  const items = `
    1 | 7 | 2026-11-17 10:00 | CHARGE | 1100 | 1100 | OPEN
    2 | 7 | 2026-11-18 10:00 | CHARGE | 1100 | 1100 | OPEN
    3 | 7 | 2026-11-19 10:00 | CHARGE | 1100 | 1100 | OPEN
    4 | 7 | 2026-11-20 10:00 | CHARGE | 1100 | 1100 | OPEN`
  const dated = await journal(items, '', { from_date: '2026-11-18', to_date: '2026-11-20' })
  expect(dated.map((entry) => entry.split(' ')[0])).toEqual(['C-7-20261118', 'C-7-20261119'])
})

test('the memo of a settlement names the transactions that people put into it, with reason, name and act', async () => {
  const made = await run(['entry_decision', ...CHAIN], {
    ...books('', '900 | 7 | 2026-11-19 03:00 | COMPLETE | 1000 | 1000 | TIED'),
    exception: 'exception_id varchar | code varchar | subject_id varchar',
    manual_member: `
      transaction_id bigint | settlement_id bigint | terminal_id bigint | signed_cents bigint
      1 | 900 | 7 | 500
      2 | 900 | 7 | 300
      3 | 900 | 7 | 200
      4 |     | 7 | 100`,
    manual_attribution: `
      transaction_id bigint | settlement_id bigint | seq bigint | actor varchar | reason varchar
      1 | 900 | 4 | Ada | on the slip
      2 | 900 | 5 | Ada | on the slip
      3 | 900 | 2 | Ben | the operator says so
      4 |     | 6 | Ben | a test`,
  })
  expect(new Set(made.map(({ memo }) => memo))).toEqual(
    new Set([
      'Settlement 900, transaction 3 placed: the operator says so (Ben, act 2); 2 transactions placed: on the slip (Ada, act 4)',
    ]),
  )
})
