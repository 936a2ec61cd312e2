import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { DEFAULT_CHART } from '../../../../domain/chart.ts'
import type { AccountingSettings } from '../../../../domain/accounting.ts'
import type { FormatOverride } from '../../../../reports/accounting/presets.ts'
import { readProject } from '../../../house/project-files.ts'
import { requireProgram } from '../../../support/outside-program.ts'
import { journalIn, type Posted, render } from './journal-file.ts'
import { ask } from './plain-text-programs.ts'

const SETTLEMENT: Posted = {
  id: 'S-900',
  date: '2026-03-05',
  settlement: '900',
  lines: [
    ['1110', 200],
    ['1190', 10, 'Variance'],
    ['1100', -210],
  ],
}

const first = async (accounting: AccountingSettings, file: string, entries = [SETTLEMENT]) => {
  const { text } = await render(journalIn(entries), { accounting })
  return text(file).split('\r\n').slice(0, 2)
}

test('headings become those of the company’s own template, and the other columns stay', async () => {
  const headings = { '*Narration': 'Narration', '*Amount': 'Amount (USD)' }
  expect((await first({ xero: { headings } }, 'xero.csv'))[0]).toBe(
    'Narration,*Date,Description,*AccountCode,*TaxRate,Amount (USD),TrackingName1,TrackingOption1,TrackingName2,TrackingOption2',
  )
})

test('a cell may hold fixed words and fields, and a new heading adds a column', async () => {
  const cells = {
    Subsidiary: 'Shop Ltd',
    Location: 'T{terminalId}',
    Batch: '{settlementId}/{line}',
  }
  expect(await first({ netsuite: { cells } }, 'netsuite.csv')).toEqual([
    'External ID,Date,Subsidiary,Currency,Memo,Account,Debit,Credit,Line Memo,Department,Class,Location,Posting Period,Batch',
    'S-900,03/05/2026,Shop Ltd,USD,Entry S-900,1110,2.00,,Entry S-900,,,T7,,900/1',
  ])
})

test.each([
  ['YYYY-MM-DD', '2026-03-05'],
  ['M/D/YY', '3/5/26'],
  ['DD MMM YYYY', '05 Mar 2026'],
  ['DD.MM.YYYY', '05.03.2026'],
])('the date pattern %s writes the fifth of March as %s', async (date, written) => {
  expect((await first({ netsuite: { date } }, 'netsuite.csv'))[1]).toContain(`S-900,${written},`)
})

test('an account is its number or name, or the program’s own words by chart key or ledger account', async () => {
  const account = async (override: FormatOverride) =>
    (await first({ netsuite: override }, 'netsuite.csv'))[1]?.split(',')[5]
  expect(await account({ account_form: 'name' })).toBe('Cash in transit')
  expect(await account({ account_form: 'number name' })).toBe('1110 Cash in transit')
  expect(await account({ accounts: { cash_in_transit: 'Bank:Transit' } })).toBe('Bank:Transit')
  expect(await account({ accounts: { '1110': 'Bank:1110' } })).toBe('Bank:1110')
})

test('a name is written on the lines of the accounts that require one', async () => {
  const names = { suspense: 'Processor Inc' }
  const { text } = await render(journalIn([SETTLEMENT]), {
    accounting: { quickbooks_desktop: { names } },
  })
  const cells = text('quickbooks-desktop.iif')
    .split('\r\n')
    .slice(3, 6)
    .map((line) => line.split('\t')[4])
  expect(cells).toEqual(['', 'Processor Inc', ''])
})

test.each<[AccountingSettings, string]>([
  [{ xero: { headings: { Narration: 'Text' } } }, 'accounting.xero.headings.Narration'],
  [
    { xero: { cells: { '*Narration': '{entryid}' } } },
    'accounting.xero.cells.*Narration: {entryid}',
  ],
  [{ netsuite: { cells: { Memo: '{memo' } } }, 'accounting.netsuite.cells.Memo: {memo'],
  [{ sage_intacct: { date: 'dd/mm/yyyy' } }, 'accounting.sage_intacct.date'],
  [{ sage_intacct: { date: 'MM/YYYY' } }, 'accounting.sage_intacct.date'],
  [
    { group: 'day', netsuite: { cells: { Class: 'T{terminalId}' } } },
    'accounting.netsuite.cells.Class: {terminalId} needs accounting.by_terminal: true',
  ],
])('an impossible setting is refused with its key: %j', async (accounting, key) => {
  await expect(render(journalIn([SETTLEMENT]), { accounting })).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.stringContaining(key),
  })
})

test('only the listed programs get files, or else the configured ones', async () => {
  const files = async (accounting: AccountingSettings) => {
    const { written } = await render(journalIn([SETTLEMENT]), { accounting })
    return written
      .map(({ name }) => name.replace('accounting/', ''))
      .filter((name) => !name.startsWith('tieout.'))
  }
  const configured = { programs: undefined, xero: {}, business_central: {} }
  expect(await files(configured)).toEqual([
    ...['xero.csv', 'business-central.csv', 'business-central.xlsx', 'README.txt'],
  ])
  expect(await files({ ...configured, programs: ['netsuite'] })).toEqual([
    ...['netsuite.csv', 'README.txt'],
  ])
  const { text } = await render(journalIn([SETTLEMENT]), { accounting: { programs: [] } })
  expect(text('README.txt')).toContain('No program is configured.')
})

test('README.txt has the checklist of each program that gets a file, and of no other', async () => {
  const accounting: AccountingSettings = { programs: ['xero'], group: 'month' }
  const { text } = await render(journalIn([SETTLEMENT]), { accounting })
  const readme = text('README.txt')
  expect(readme).toContain('accounting.group is month. Each month has one entry for charges')
  expect(readme).toMatch(/^xero\.csv +1 +3 +2\.10 +2\.10\r$/m)
  expect(readme).toContain('Xero\r\n[ ] Import with the adviser role')
  expect(readme).not.toContain('NetSuite')
})

test('README.txt names the ids of later changes as the files have them', async () => {
  const readmeOf = async (group: AccountingSettings['group']) => {
    const accounting: AccountingSettings = { programs: ['xero'], group }
    return (await render(journalIn([SETTLEMENT]), { accounting })).text('README.txt')
  }
  for (const group of ['day', 'month'] as const) {
    expect(await readmeOf(group)).toContain('whose number ends with -2, then -3.')
    expect(await readmeOf(group)).not.toContain('ADJ-')
  }
  expect(await readmeOf('entry')).toContain('an entry such as ADJ-S-900-1, then ADJ-S-900-2.')
  expect(await readmeOf('entry')).not.toContain('ends with -2')
  expect(await readmeOf('settlement')).toMatch(/ADJ-S-900-1[^]*such as DS-20261118-2\./)
})

test('plain-text accounts are put below the root of their kind, and two with one name stay two', async (context) => {
  requireProgram(context, 'beancount')
  const entries: Posted[] = [
    {
      id: 'S-1',
      lines: [
        ['1100', 500],
        ['1110', -100],
        ['6100', -100],
        ['6.100', -100],
        ['6-100', -200],
      ],
    },
  ].map((entry) => ({
    ...entry,
    lines: entry.lines.map(([account, cents]) => [String(account), Number(cents), 'bank fees']),
  }))
  const accounts = {
    clearing: 'assets:Card processor:US',
    cash_in_transit: 'Zahlungen: öffentlich',
  }
  const { folder } = await render(journalIn(entries), { accounting: { plain_text: { accounts } } })
  const said = ask.beancount(join(folder, 'tieout.beancount'))
  expect(said.complaint).toBe('')
  expect(said.balances).toEqual({
    'Assets:Card-processor:US': '5.00',
    'Assets:Zahlungen:Öffentlich': '-1.00',
    'Expenses:6100-bank-fees': '-1.00',
    'Expenses:6-100-bank-fees': '-1.00',
    'Expenses:6-100-bank-fees-2': '-2.00',
  })
})

test('two chart keys with one account make one plain-text account', async (context) => {
  requireProgram(context, 'hledger')
  const chart = { ...DEFAULT_CHART, shipping: DEFAULT_CHART.sales }
  const entry: Posted = {
    id: 'C-1',
    lines: [
      ['1100', 300],
      ['4000', -200],
      ['4000', -100],
    ],
  }
  const { folder } = await render(journalIn([entry]), { chart })
  const said = ask.hledger(join(folder, 'tieout.hledger'))
  expect(said.complaint).toBe('')
  expect(said.balances).toEqual({
    'Assets:1100-Processor-clearing': '3.00',
    'Income:4000-Account-4000': '-3.00',
  })
})

test('the configuration on the page takes effect, from the parameters of a pack', async () => {
  const [, example = ''] = /```yaml\n([^]+?)```/.exec(readProject('docs/accounting.md')) ?? []
  const { text } = await render(journalIn([SETTLEMENT]), parse(example))
  const [heading, ...lines] = text('xero.csv').split('\r\n')
  expect(heading).toMatch(/^Narration,\*Date,/)
  expect(lines[2]).toBe('S-900 Entry S-900,05/03/2026,Entry S-900,610,No VAT,-2.10,Terminal,7,,')
  expect(text('netsuite.csv')).toContain('S-900,5-Mar-2026,Shop : US,USD,')
  expect(text('tieout.ledger')).toContain('Assets:Card-processor  USD -2.10 = USD -2.10')
})
