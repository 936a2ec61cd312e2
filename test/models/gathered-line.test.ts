import { expect, test } from 'vitest'
import { type Row, run } from '../support/models.ts'
import type { RunValues } from '../support/run-variables.ts'

const LINES = `
  entry_id varchar | entry_date date | period varchar | account_key varchar | account varchar | account_name varchar | debit_cents bigint | credit_cents bigint | currency varchar | memo varchar | settlement_id bigint | terminal_id bigint | source varchar | line_no bigint | account_rank bigint | origin_id varchar | is_new boolean`

/** `id | date | settlement | terminal | source | account cents, account cents`: debits plus; `old` marks an exported entry. */
const JOURNAL = `
  C-7-20261118 | 2026-11-18 |     | 7 | charges    | clearing 1100, sales -1000, tax -100
  C-8-20261118 | 2026-11-18 |     | 8 | charges    | clearing 550, sales -500, tax -50
  R-7-20261118 | 2026-11-18 |     | 7 | refunds    | clearing -220, refunds 200, tax 20
  S-900        | 2026-11-18 | 900 | 7 | settlement | transit 880, clearing -880
  C-7-20261119 | 2026-11-19 |     | 7 | charges    | clearing 330, sales -330
  S-901        | 2026-11-19 | 901 | 8 | settlement | transit 500, clearing -550, suspense 50
  RES-901      | 2026-11-30 | 901 | 8 | resolution | tips 50, suspense -50
  C-7-20261201 | 2026-12-01 |     | 7 | charges    | clearing 10, sales -10`

const ACCOUNTS = 'transit clearing suspense sales refunds tax'.split(' ')

function journalLines(text: string): string {
  const rows = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => {
      const [id, date = '', settlement, terminal, source, sums = '', old] = line
        .split('|')
        .map((cell) => cell.trim())
      return sums.split(', ').map((sum) => {
        const [key = '', cents = ''] = sum.split(' ')
        const sides = cents.startsWith('-') ? ['', cents.slice(1)] : [cents, '']
        const rank = ACCOUNTS.indexOf(key)
        const about = ['USD', `Entry ${id}`, settlement, terminal, source, '1']
        return [
          ...[id, date, date.slice(0, 7), key, key, key, ...sides, ...about],
          ...[rank === -1 ? '' : String(rank), id, String(old !== 'old')],
        ].join(' | ')
      })
    })
  return [LINES, ...rows].join('\n')
}

const EXPORTED =
  'entry_id varchar | audit_seq bigint | entry_date date | source varchar | settlement_id bigint'

const gathered = (
  values: RunValues,
  more: { journal?: string; exported?: string; decided?: string } = {},
) =>
  run(
    'gathered_line',
    {
      journal_line: journalLines(more.journal ?? JOURNAL),
      exported_entry: `${EXPORTED}\n${more.exported ?? ''}`,
      entry_decision: `entry_id varchar | decided varchar\n${more.decided ?? ''}`,
    },
    values,
  )

/** `D-20261118 2026-11-18: clearing 5.50, sales -15`, in the order of its lines. */
function entries(lines: Row[]): string[] {
  const text = new Map<string, string[]>()
  const ordered = lines.toSorted((a, b) => Number(a['line_no']) - Number(b['line_no']))
  for (const line of ordered) {
    const head = `${line['entry_id']} ${line['entry_date']}:`
    const cents = Number(line['debit_cents'] ?? 0) - Number(line['credit_cents'] ?? 0)
    const terminal = line['terminal_id'] === null ? '' : ` @${line['terminal_id']}`
    text.set(head, [...(text.get(head) ?? []), `${line['account']} ${cents}${terminal}`])
  }
  return [...text].map(([head, parts]) => `${head} ${parts.join(', ')}`).sort()
}

test('a day is one entry over all terminals, with one line for each ledger account', async () => {
  expect(entries(await gathered({ accounting_group: 'day' }))).toEqual([
    'D-20261118 2026-11-18: transit 880, clearing 550, sales -1500, refunds 200, tax -130',
    'D-20261119 2026-11-19: transit 500, clearing -220, suspense 50, sales -330',
    'D-20261130 2026-11-30: suspense -50, tips 50',
    'D-20261201 2026-12-01: clearing 10, sales -10',
  ])
})

test('a settlement stays an entry with its deposit, and the sales of a day are another', async () => {
  expect(entries(await gathered({ accounting_group: 'settlement' }))).toEqual([
    'DS-20261118 2026-11-18: clearing 1430, sales -1500, refunds 200, tax -130',
    'DS-20261119 2026-11-19: clearing 330, sales -330',
    'DS-20261201 2026-12-01: clearing 10, sales -10',
    'RES-901 2026-11-30: suspense -50 @8, tips 50 @8',
    'S-900 2026-11-18: transit 880 @7, clearing -880 @7',
    'S-901 2026-11-19: transit 500 @8, clearing -550 @8, suspense 50 @8',
  ])
})

test('a month is one entry for each source, dated on its last day', async () => {
  expect(entries(await gathered({ accounting_group: 'month' }))).toEqual([
    'M-202611-charges 2026-11-30: clearing 1980, sales -1830, tax -150',
    'M-202611-refunds 2026-11-30: clearing -220, refunds 200, tax 20',
    'M-202611-resolution 2026-11-30: suspense -50, tips 50',
    'M-202611-settlement 2026-11-30: transit 1380, clearing -1430, suspense 50',
    'M-202612-charges 2026-12-31: clearing 10, sales -10',
  ])
})

test('entry by entry, the journal stays as it is', async () => {
  const lines = await gathered({ accounting_group: 'entry' })
  expect(lines.map((row) => `${row['entry_id']} ${row['account']}`).sort()).toEqual(
    journalLines(JOURNAL)
      .split('\n')
      .slice(2)
      .map((row) => row.split(' | '))
      .map(([id, , , account]) => `${id} ${account}`)
      .sort(),
  )
  expect(lines.find((row) => row['entry_id'] === 'S-900')).toMatchObject({
    memo: 'Entry S-900',
    source: 'settlement',
    settlement_id: '900',
    terminal_id: '7',
    period: '2026-11',
  })
})

test('a day by terminal has a line for each account and terminal', async () => {
  const values = { accounting_group: 'day', accounting_by_terminal: 'true' }
  const [first] = entries(await gathered(values))
  expect(first).toBe(
    'D-20261118 2026-11-18: transit 880 @7, sales -1000 @7, refunds 200 @7, tax -80 @7, clearing 550 @8, sales -500 @8, tax -50 @8',
  )
})

test('an account whose lines sum to zero has no line, and its entry still balances', async () => {
  const journal = `
    C-7-20261118 | 2026-11-18 |     | 7 | charges    | clearing 500, sales -500
    S-900        | 2026-11-18 | 900 | 7 | settlement | transit 500, clearing -500`
  expect(entries(await gathered({}, { journal }))).toEqual([
    'D-20261118 2026-11-18: transit 500, sales -500',
  ])
})

test('two lines of one ledger account become one line', async () => {
  const journal =
    'C-7-20261118 | 2026-11-18 |  | 7 | charges | clearing 500, sales -300, sales -200'
  expect(entries(await gathered({}, { journal }))).toEqual([
    'D-20261118 2026-11-18: clearing 500, sales -500',
  ])
})

const AFTER = `
  C-7-20261118     | 2026-11-18 |     | 7 | charges    | clearing 500, sales -500 | old
  ADJ-C-7-20261118-1 | 2026-11-18 |   | 7 | adjustment | clearing 20, sales -20
  C-9-20261118     | 2026-11-18 |     | 9 | charges    | clearing 30, sales -30
  C-7-20261119     | 2026-11-19 |     | 7 | charges    | clearing 40, sales -40`

test('a day that gets more after its approval has a second entry, and a third after the next', async () => {
  const once = 'C-7-20261118 | 3 | 2026-11-18 | charges | null'
  expect(entries(await gathered({}, { journal: AFTER, exported: once }))).toEqual([
    'D-20261118-2 2026-11-18: clearing 50, sales -50',
    'D-20261119 2026-11-19: clearing 40, sales -40',
  ])
  // Two entries of one approval were one entry of the program.
  const twice = `${once}\nC-8-20261118 | 3 | 2026-11-18 | charges | null\nR-7-20261118 | 5 | 2026-11-18 | refunds | null`
  const lines = await gathered({}, { journal: AFTER, exported: twice })
  expect(entries(lines)[0]).toBe('D-20261118-3 2026-11-18: clearing 50, sales -50')
  expect(lines.map((row) => row['memo'])).toContain(
    'Journal entries of 2026-11-18, after approval: 2',
  )
})

test('an approval counts only for what it exported: a source of the month, or the sales of the day', async () => {
  const settled = 'S-900 | 3 | 2026-11-18 | settlement | 900'
  const month = { accounting_group: 'month' }
  expect(entries(await gathered(month, { journal: AFTER, exported: settled }))).toEqual([
    'M-202611-adjustment 2026-11-30: clearing 20, sales -20',
    'M-202611-charges 2026-11-30: clearing 70, sales -70',
  ])
  const sales = { accounting_group: 'settlement' }
  const [first] = entries(await gathered(sales, { journal: AFTER, exported: settled }))
  expect(first).toBe('DS-20261118 2026-11-18: clearing 50, sales -50')
})

test.each(['entry', 'day', 'settlement', 'month'])(
  'gathered by %s, each account and period has the balance of the journal',
  async (accounting_group) => {
    for (const accounting_by_terminal of ['false', 'true']) {
      const lines = await gathered({ accounting_group, accounting_by_terminal })
      const sums = new Map<string, number>()
      for (const { period, account, debit_cents, credit_cents } of lines) {
        const key = `${period} ${account}`
        const cents = Number(debit_cents ?? 0) - Number(credit_cents ?? 0)
        sums.set(key, (sums.get(key) ?? 0) + cents)
      }
      expect(Object.fromEntries([...sums].filter(([, cents]) => cents !== 0))).toEqual({
        '2026-11 transit': 1380,
        '2026-11 clearing': 330,
        '2026-11 sales': -1830,
        '2026-11 refunds': 200,
        '2026-11 tax': -130,
        '2026-11 tips': 50,
        '2026-12 clearing': 10,
        '2026-12 sales': -10,
      })
    }
  },
)

test('the memo of a gathered entry ends with the decision of a person, or with the number of such entries', async () => {
  const memos = async (decided: string) => {
    const lines = await gathered({ accounting_group: 'month' }, { decided })
    return Object.fromEntries(lines.map((line) => [line['entry_id'], line['memo']]))
  }
  const cleared = 'RES-901 | cleared to tips: kept by the shop (Ada, act 3)'
  expect(await memos(cleared)).toMatchObject({
    'M-202611-charges': 'Charges entries of 2026-11: 3',
    'M-202611-resolution':
      'Resolution entries of 2026-11: 1, cleared to tips: kept by the shop (Ada, act 3)',
  })
  const placed = ['S-900 | transaction 1 placed: x (Ada, act 1)', 'S-901 | y (Ben, act 2)']
  expect((await memos(placed.join('\n')))['M-202611-settlement']).toBe(
    'Settlement entries of 2026-11: 2, 2 of them decided by people, with the reasons in journal.csv',
  )
})
