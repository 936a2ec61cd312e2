import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requireProgram } from '../../../support/outside-program.ts'
import { journalIn, partsOf, type Posted, render } from './journal-file.ts'
import { ask, type Program } from './plain-text-programs.ts'
import { readWorkbook } from './program-workbook-reader.ts'
import { readCsv, readNetSuite, readQuickBooksOnline, readXero } from './strict-readers.ts'

const sale = (at: number, more: Partial<Posted> = {}): Posted => ({
  id: `C-7-${at}`,
  lines: [
    ['1100', 300],
    ['4000', -200],
    ['2100', -100],
  ],
  ...more,
})

const sales = (count: number, more?: Partial<Posted>) =>
  Array.from({ length: count }, (_, at) => sale(at, more))

const linesIn = (text: string) => text.split('\r\n').length - 1

test('100 entries of three lines make two files for Xero, of 99 and one, since no entry is divided', async () => {
  const { folder } = await render(journalIn(sales(100)))
  const parts = partsOf(folder, 'xero.csv')
  expect(parts.map(linesIn)).toEqual([298, 4])
  expect(parts.map((part) => readXero(part).length)).toEqual([99, 1])
  expect(readdirSync(folder).filter((name) => name.startsWith('xero'))).toEqual([
    'xero-2.csv',
    'xero.csv',
  ])
})

test('a file also ends at the byte limit of its program', async () => {
  const memo = 'é'.repeat(1000)
  const { folder } = await render(journalIn(sales(400, { memo })))
  const parts = partsOf(folder, 'quickbooks-online.csv')
  expect(parts.length).toBeGreaterThan(2)
  for (const part of parts) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(2_000_000)
  expect(parts.flatMap((part) => readQuickBooksOnline(part))).toHaveLength(400)
})

test('an entry larger than a whole file gets a file alone', async () => {
  const accounting = { xero: { max_lines: 3 } }
  const { folder } = await render(journalIn(sales(3)), { accounting })
  expect(partsOf(folder, 'xero.csv').map(linesIn)).toEqual([4, 4, 4])
})

/** A day of 40 terminals with ten lines each, as it is with terminals apart. */
const longDay: Posted = {
  id: 'D-20261118',
  lines: Array.from({ length: 400 }, (_, at) => {
    const terminal = String(1001 + Math.floor(at / 10))
    return [`${4000 + (at % 10)}`, at % 2 === 0 ? 100 + at : -99 - at, 'Sales', terminal]
  }),
}

test('a long entry with terminals is divided between terminals, and each part balances', async () => {
  const accounting = { group: 'day', by_terminal: true } as const
  const { folder } = await render(journalIn([longDay]), { accounting })
  const parts = partsOf(folder, 'xero.csv')
  expect(parts.map(linesIn)).toEqual([291, 111])
  // The strict reader refuses 300 lines, and journals that do not balance.
  const found = parts.flatMap((part) => readXero(part))
  expect(found.map(({ key, lines }) => `${key} ${lines.length}`)).toEqual([
    'D-20261118.1 290',
    'D-20261118.2 110',
  ])
  expect(partsOf(folder, 'netsuite.csv').flatMap((part) => readNetSuite(part))).toMatchObject([
    { key: 'D-20261118' },
  ])
})

test('a workbook goes on in a second one at its limit of lines, and its lines are numbered on', async (context) => {
  requireProgram(context, 'openpyxl')
  const accounting = { business_central: { max_lines: 8 } }
  const { folder } = await render(journalIn(sales(3)), { accounting })
  const books = ['business-central.xlsx', 'business-central-2.xlsx'].map((name) =>
    readWorkbook(join(folder, name)),
  )
  expect(books.map((rows) => rows.slice(1).map((row) => row[2]))).toEqual([
    ['1', '2', '3', '4', '5', '6'],
    ['7', '8', '9'],
  ])
  expect(books.flatMap((rows) => rows.slice(1))).toEqual(
    partsOf(folder, 'business-central.csv').flatMap((part) => readCsv(part).slice(1)),
  )
})

test('an amount beyond the ten digits of NetSuite is split into lines, and the entry still balances', async () => {
  const cents = 2_500_000_000_000n
  const { folder } = await render(
    journalIn([
      {
        id: 'S-1',
        lines: [
          ['1110', cents],
          ['1100', -cents],
        ],
      },
    ]),
  )
  const [entry] = readNetSuite(partsOf(folder, 'netsuite.csv').join(''))
  expect(entry?.lines.map((line) => `${line.account} ${line.cents}`)).toEqual([
    '1110 999999999999',
    '1110 999999999999',
    '1110 500000000002',
    '1100 -999999999999',
    '1100 -999999999999',
    '1100 -500000000002',
  ])
})

test('the answer has the true name, rows, bytes and hash of every part', async () => {
  const { folder, written } = await render(journalIn(sales(200)))
  const names = readdirSync(folder).filter((name) => name !== 'journal.csv')
  expect(written.map(({ name }) => name.replace('accounting/', '')).sort()).toEqual(names.sort())
  for (const { name, bytes, sha256 } of written) {
    const file = join(folder, name.replace('accounting/', ''))
    const content = readFileSync(file)
    expect([name, content.length]).toEqual([name, bytes])
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  }
  expect(written.at(-1)).toMatchObject({ name: 'accounting/README.txt', rows: 0 })
  const rows = (stem: string) =>
    written.filter(({ name }) => name.includes(stem)).reduce((sum, file) => sum + file.rows, 0)
  for (const stem of ['xero', 'netsuite', 'central.xlsx', 'desktop', 'hledger', 'beancount'])
    expect([stem, rows(stem)]).toEqual([stem, 600])
})

test('cells with commas, quotes and line ends survive wherever the reading is divided', async () => {
  const memos = Array.from({ length: 3000 }, (_, at) => `a, "b"\r\nc ${'x'.repeat(at % 97)} ${at}`)
  const { folder } = await render(journalIn(memos.map((memo, at) => sale(at, { memo }))))
  expect(statSync(join(folder, 'journal.csv')).size).toBeGreaterThan(2 << 18)
  const found = partsOf(folder, 'netsuite.csv').flatMap((part) => readNetSuite(part))
  expect(found.map(({ memo }) => memo)).toEqual(
    memos.map((memo) => memo.replace('\r\n', ' ').replaceAll(/ {2,}/g, ' ')),
  )
})

test.for(['hledger', 'ledger', 'beancount'] as const satisfies Program[])(
  'a range without entries makes files of headers alone, and %s accepts its own',
  async (program, context) => {
    requireProgram(context, program)
    const { folder, text } = await render(journalIn([]))
    expect(ask[program](join(folder, `tieout.${program}`))).toMatchObject({
      complaint: '',
      isAccepted: true,
    })
    expect(readXero(text('xero.csv'))).toEqual([])
    expect(linesIn(text('quickbooks-desktop.iif'))).toBe(3)
  },
)

test('a line may be larger than any amount of a record, since it is a sum', async () => {
  const sum = 2_000_000_000_000_000n
  const entry: Posted = {
    id: 'D-20261118',
    lines: [
      ['1100', sum],
      ['1110', -sum],
    ],
  }
  const { text } = await render(journalIn([entry]))
  // The program's own limit divides it.
  expect(text('xero.csv')).toContain(',9999999999999.99,')
})

test.each<[string, Posted[]]>([
  [
    'an entry that does not sum to zero',
    [
      {
        id: 'S-1',
        lines: [
          ['1100', 100],
          ['1110', -101],
        ],
      },
    ],
  ],
  ['entries out of order of date', [sale(1), sale(2, { date: '2026-11-17' })]],
  [
    'an entry whose lines stand apart',
    [{ id: 'S-1', lines: [['1100', 100]] }, sale(2), { id: 'S-1', lines: [['1110', -100]] }],
  ],
])('%s withholds the pack', async (_, entries) => {
  await expect(render(journalIn(entries))).rejects.toMatchObject({ code: 'invariant_broken' })
})
