import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { readSummary } from '../../reports/summary.ts'
import { renderHtml } from '../../reports/summary-html.ts'
import { renderXlsx } from '../../reports/summary-xlsx.ts'
import type { Row } from '../../reports/pack.ts'
import { requireProgram } from '../support/outside-program.ts'
import { aboutOf, exception, settlement, sourceOf, unsettled, worldOf } from './fake-source.ts'

const summaryOf = (world: Record<string, Row[]>) => readSummary(sourceOf(worldOf(world)))
const pageOf = async (world: Record<string, Row[]>, more = {}) =>
  renderHtml(await summaryOf(world), aboutOf('out', more))

test('the headline counts settlements by verdict', async () => {
  const verdicts = ['TIED', 'TIED', 'EXPLAINED', 'BREAK', 'PENDING', 'NO_DATA']
  const { headline } = await summaryOf({
    settlements: verdicts.map((verdict) => settlement({ verdict })),
  })
  expect(headline).toEqual({
    settlements: 6,
    tied: 2,
    explained: 1,
    breaks: 1,
    pending: 1,
    noData: 1,
  })
})

test('exceptions are counted by code, errors before warnings', async () => {
  const { exceptionCounts } = await summaryOf({
    exceptions: [
      exception({ code: 'PENDING_STALE', severity: 'warning' }),
      exception({ code: 'QUARANTINED' }),
      exception(),
      exception(),
    ],
  })
  expect(exceptionCounts.map(({ code, count }) => [code, count])).toEqual([
    ['AMOUNT_MISMATCH', 2],
    ['QUARANTINED', 1],
    ['PENDING_STALE', 1],
  ])
})

test('ages add up to the cent: 12.30 refunded and 20.00 charged leave 7.70', async () => {
  const { ageing } = await summaryOf({
    unsettled: [unsettled(), unsettled({ signedAmount: '20.00' }), unsettled({ bucket: '>30' })],
  })
  expect(ageing.map(({ bucket, count, cents }) => [bucket, count, cents])).toEqual([
    ['0-1', 0, 0n],
    ['2-5', 0, 0n],
    ['6-10', 2, 770n],
    ['11-30', 0, 0n],
    ['>30', 1, -1230n],
  ])
})

test('a break is the first thing the page says', async () => {
  const page = await pageOf({})
  expect(page).toContain('1 of 2 settlements differ from their transactions, unexplained.')
  expect(page).toContain('class="banner bad"')
})

test('the page praises only a range in which every completed settlement ties out', async () => {
  expect(await pageOf({ settlements: [settlement()] })).toContain(
    'Every completed settlement ties out',
  )
  for (const verdict of ['BREAK', 'NO_DATA', 'EXPLAINED', 'PENDING']) {
    expect(await pageOf({ settlements: [settlement({ verdict })] })).not.toContain(
      'ties out to the cent',
    )
  }
  expect(await pageOf({ settlements: [] })).toContain('No settlement was created in this range.')
})

test('a sweep that proves nothing is said in red', async () => {
  expect(await pageOf({}, { certificate: 'BEST_EFFORT' })).toContain('class="note bad"')
  expect(await pageOf({})).not.toContain('class="note bad"')
})

test('nothing that comes from data can become markup, and nothing on the page loads or runs', async () => {
  const nasty = `<img src=x onerror="alert('1')">&`
  const page = await pageOf(
    { settlements: [settlement({ terminalName: nasty, difference: '1.00', explanation: nasty })] },
    { codeVersion: nasty, parameters: { timezone: nasty, currency: nasty } },
  )
  expect(page).not.toContain('<img')
  expect(page).not.toContain('<script')
  expect(page).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;')
  expect(page).toContain(`default-src 'none'`)
  expect(page).not.toMatch(/https?:|url\(|@import|\bon\w+="/)
})

test('the page lists 200 differences and says how many more there are', async () => {
  const many = Array.from({ length: 203 }, (_, n) =>
    settlement({ settlementId: `${n}`, difference: '1.00', verdict: 'BREAK' }),
  )
  const page = await pageOf({ settlements: many })
  expect(page).toContain('And 3 more in settlements.csv.')
  expect(page).toContain('<td class="figure">199</td>')
  expect(page).not.toContain('<td class="figure">200</td><td class="figure">7</td>')
})

test('the same rows give the same page and the same workbook, a year later', async () => {
  const summary = await summaryOf({})
  const render = async () => [
    renderHtml(summary, aboutOf('out')),
    Buffer.from(await renderXlsx(summary, aboutOf('out'))).toString('base64'),
  ]
  const today = await render()
  vi.useFakeTimers({ now: new Date('2027-11-21T10:00:00Z'), toFake: ['Date'] })
  try {
    expect(await render()).toEqual(today)
  } finally {
    vi.useRealTimers()
  }
})

/** What another spreadsheet program reads: [value, type, format] of each cell, by sheet. */
const READ_BACK = `
import json, sys, openpyxl
book = openpyxl.load_workbook(sys.argv[1])
print(json.dumps({
    sheet.title: {
        'freeze': sheet.freeze_panes, 'filter': sheet.auto_filter.ref,
        'rows': [[[str(c.value) if c.data_type == 'd' else c.value, c.data_type, c.number_format] for c in row] for row in sheet.iter_rows()],
    } for sheet in book}))
`
type Book = Record<
  string,
  { freeze: string; filter: string; rows: [string | number | null, string, string][][] }
>

async function readBack(world: Record<string, Row[]>, sheetRows?: number): Promise<Book> {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-xlsx-'))
  try {
    const file = join(folder, 'summary.xlsx')
    writeFileSync(file, await renderXlsx(await summaryOf(world), aboutOf('out'), sheetRows))
    return JSON.parse(execFileSync('python3', ['-c', READ_BACK, file], { encoding: 'utf8' }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('another program reads money as numbers, ids as text and dates as dates', async (context) => {
  requireProgram(context, 'openpyxl')
  const book = await readBack({
    settlements: [settlement({ settlementId: '9223372036854775807', reportedNet: '-12.30' })],
  })
  expect(Object.keys(book)).toEqual([
    'Summary',
    'Settlements',
    'Exceptions',
    'Unsettled',
    'Journal',
  ])
  const { freeze, filter, rows } = book['Settlements'] ?? { freeze: '', filter: '', rows: [] }
  const [header = [], row = []] = rows
  const cell = (name: string) => row[header.findIndex(([text]) => text === name)]
  expect([freeze, filter]).toEqual(['A2', 'A1:Y2'])
  expect(cell('settlementId')).toEqual(['9223372036854775807', 's', '@'])
  expect(cell('reportedNet')).toEqual([-12.3, 'n', '#,##0.00;[Red]-#,##0.00'])
  expect(cell('businessDate')).toEqual(['2026-03-02 00:00:00', 'd', 'yyyy-mm-dd'])
  expect(cell('created (UTC)')).toEqual(['2026-03-02 08:00:00', 'd', 'yyyy-mm-dd hh:mm:ss'])
  expect(cell('transactionCount')?.slice(0, 2)).toEqual([4, 'n'])
})

test('text that looks like a formula stays text, and money too long for a number stays exact', async (context) => {
  requireProgram(context, 'openpyxl')
  const book = await readBack({
    settlements: [settlement({ terminalName: '=1+1', reportedNet: '12345678901234.56' })],
  })
  const [header = [], row = []] = book['Settlements']?.rows ?? []
  const cell = (name: string) => row[header.findIndex(([text]) => text === name)]
  expect(cell('terminalName')?.slice(0, 2)).toEqual(['=1+1', 's'])
  expect(cell('reportedNet')?.slice(0, 2)).toEqual(['12345678901234.56', 's'])
})

test('a sheet that is full says how many rows there are and where', async (context) => {
  requireProgram(context, 'openpyxl')
  const book = await readBack({ unsettled: [unsettled(), unsettled(), unsettled()] }, 2)
  expect(book['Unsettled']?.rows).toHaveLength(3)
  const notes = book['Summary']?.rows.map((row) => row[1]?.[0])
  expect(notes).toContain('Unsettled: the first 2 of 3 rows; all of them are in the CSV')
})

test('a cell longer than spreadsheets allow is cut, and says so', async (context) => {
  requireProgram(context, 'openpyxl')
  const book = await readBack({ settlements: [settlement({ explainedBy: '12;'.repeat(20_000) })] })
  const text = String(book['Settlements']?.rows[1]?.[22]?.[0])
  expect(text).toHaveLength(32_767)
  expect(text).toMatch(/cut here, whole in the CSV$/)
})
