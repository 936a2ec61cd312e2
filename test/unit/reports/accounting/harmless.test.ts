import { expect, test } from 'vitest'
import { join } from 'node:path'
import { requireProgram } from '../../../support/outside-program.ts'
import { journalIn, partsOf, type Posted, render } from './journal-file.ts'
import { ask, type Program } from './plain-text-programs.ts'
import {
  readBusinessCentral,
  readIif,
  readNetSuite,
  readQuickBooksOnline,
  readSageIntacct,
  readXero,
} from './strict-readers.ts'

/** Each would mean something to one of the programs, or to a spreadsheet. */
const MEMOS = [
  '=HYPERLINK("http://example.com","click")',
  '+1-555-0100',
  '-2+3',
  '@SUM(A1:A9)',
  '\t=1+1',
  '＝1+1',
  'a "quoted" word, a comma; a semicolon',
  "it's",
  'one line\r\nTRNS\tGENERAL JOURNAL\t01/01/2020',
  'text\n2026-01-01 open Assets:Evil USD',
  'text\n\n2026-11-18 * evil\n    Assets:1  USD 1.00\n    Assets:2',
  'payee | note',
  'ends with a backslash \\',
  '" ^link #tag',
  '  ; date:2020-01-01, terminal:9',
  '(C-9) ! * text = USD 5.00 @ 3 {1} [2026-01-01]',
  'Umsatz für Köln 東京 \u{1F4B3}',
  'null \u0000 bell \u0007 separator \u2028 end',
  '',
  '{entryId}',
]

const NAMES = ['=cmd|1', 'Sales "net"; all', 'Tab\there', '@here:there', 'a\nb']

const ENTRIES: Posted[] = MEMOS.map((memo, at) => ({
  id: `C-7-${at}`,
  memo,
  settlement: String(900 + at),
  lines: [
    ['1100', 100 + at],
    [`90${at % NAMES.length}`, -100 - at, NAMES[at % NAMES.length] ?? ''],
  ],
}))

const IDS = ENTRIES.map(({ id }) => id)

test.each([
  ['quickbooks-online.csv', readQuickBooksOnline],
  ['quickbooks-desktop.iif', readIif],
  ['xero.csv', readXero],
  ['netsuite.csv', readNetSuite],
  ['sage-intacct.csv', readSageIntacct],
  ['business-central.csv', readBusinessCentral],
] as const)('no memo and no account name changes what %s says', async (name, read) => {
  const { folder } = await render(journalIn(ENTRIES))
  const found = partsOf(folder, name).flatMap((part) => read(part))
  expect(found.map(({ key }) => key)).toEqual(IDS)
  expect(found.map(({ lines }) => lines.map(({ cents }) => Number(cents)))).toEqual(
    MEMOS.map((_, at) => [100 + at, -100 - at]),
  )
})

test.for(['hledger', 'ledger', 'beancount'] as const satisfies Program[])(
  'no memo and no account name changes what %s reads',
  async (program, context) => {
    requireProgram(context, program)
    const { folder, text } = await render(journalIn(ENTRIES))
    const said = ask[program](join(folder, `tieout.${program}`))
    expect(said.complaint).toBe('')
    expect(said.isAccepted).toBe(true)
    expect(said.entries).toEqual(IDS)
    const total = MEMOS.reduce((sum, _, at) => sum + 100 + at, 0)
    expect(said.balances['Assets:1100-Processor-clearing']).toBe((total / 100).toFixed(2))
    expect(Object.keys(said.balances)).toHaveLength(1 + NAMES.length)
    const terminals = text(`tieout.${program}`).match(/^ +(; )?terminal: .*$/gm)
    expect(terminals).toHaveLength(MEMOS.length)
  },
)

test('harmless text stays as it is, and changed text stays readable', async () => {
  const { text } = await render(journalIn(ENTRIES))
  const csv = text('netsuite.csv')
  expect(csv).toContain(`"'=HYPERLINK(""http://example.com"",""click"")"`)
  expect(csv).toContain('Umsatz für Köln 東京 \u{1F4B3}')
  expect(csv).toContain('{entryId}')
  const iif = text('quickbooks-desktop.iif')
  expect(iif).toContain('C-7-16 Umsatz fur Koln ?? ?')
  expect(iif).toContain("C-7-6 a 'quoted' word, a comma; a semicolon")
  expect(text('tieout.hledger')).toContain('(C-7-6) a "quoted" word, a comma, a semicolon')
  expect(text('tieout.beancount')).toContain(String.raw`"ends with a backslash \\"`)
})
