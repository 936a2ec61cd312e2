/**
 * Goal: the workbook shows the pack without changing a value. Method: a small pack, read back by other spreadsheet
 * programs.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { MEANINGS } from '../../../reports/pack/summary-words.ts'
import { readSummary } from '../../../reports/pack/summary.ts'
import { writeXlsx } from '../../../reports/workbook/summary-xlsx.ts'
import { requireProgram } from '../../support/outside-program.ts'
import { tempFolder } from '../../support/temp-lake.ts'
import {
  aboutOf,
  attribution,
  countedIn,
  exception,
  journalLine,
  refundAtRisk,
  rolledForward,
  settlement,
  sourceOf,
  unsettled,
  worldOf,
} from './fake-source.ts'
import { summarized, type World } from './summary-world.ts'

/** Writes the workbook of a world and answers with its path. */
async function workbook(world: World, sheetRows?: number): Promise<string> {
  const file = join(tempFolder(), 'summary.xlsx')
  const whole = await summarized(worldOf(world))
  const source = sourceOf(whole)
  const summary = await readSummary(source)
  const about = aboutOf('out')
  await writeXlsx(file, { source, summary, about, files: countedIn(whole) }, sheetRows)
  return file
}

/** The workbook as another spreadsheet program reads it: [value, type, format] of each cell, by sheet. */
const READ_BACK = `
import json, sys, openpyxl
book = openpyxl.load_workbook(sys.argv[1], data_only=sys.argv[2] == 'values')
print(json.dumps({
    sheet.title: {
        'freeze': sheet.freeze_panes, 'titles': sheet.print_title_rows, 'printed': sheet.print_area,
        'tables': [[t.displayName, t.ref, t.autoFilter.ref, [c.name for c in t.tableColumns]] for t in sheet.tables.values()],
        'paper': [sheet.page_setup.orientation, sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight, sheet.sheet_properties.pageSetUpPr.fitToPage],
        'header': [sheet.oddHeader.left.text, sheet.oddHeader.right.text],
        'footer': [sheet.oddFooter.left.text, sheet.oddFooter.center.text, sheet.oddFooter.right.text],
        'links': {c.coordinate: c.hyperlink.location for row in sheet.iter_rows() for c in row if c.hyperlink},
        'sides': [[c.alignment.horizontal for c in row] for row in sheet.iter_rows(max_row=2)],
        'colors': {str(r.sqref): [[rule.formula[0], rule.dxf.font.color.rgb] for rule in r.rules] for r in sheet.conditional_formatting},
        'rows': [[[str(c.value) if c.data_type == 'd' else c.value, c.data_type, c.number_format] for c in row] for row in sheet.iter_rows()],
    } for sheet in book}))
`
type Cell = [string | number | null, string, string]
interface ReadSheet {
  freeze: string
  titles: string | null
  printed: string
  tables: [name: string, range: string, filter: string, columns: string[]][]
  paper: [string, number, number, boolean]
  header: (string | null)[]
  footer: (string | null)[]
  /** The target of each link, by its cell. */
  links: Record<string, string>
  /** The alignment of the first two rows. */
  sides: (string | null)[][]
  /** Formula and colour of each rule, by its range. */
  colors: Record<string, [string, string][]>
  rows: Cell[][]
}
type Book = Record<string, ReadSheet>

function readBack(file: string, what: 'values' | 'formulas' = 'values'): Book {
  const text = execFileSync('python3', ['-c', READ_BACK, file, what], {
    encoding: 'utf8',
    maxBuffer: 2 ** 27,
  })
  return JSON.parse(text)
}

/** A heading without its unit: `reportedNet (USD)`. */
const nameOf = (heading: unknown): string => String(heading).replace(/ \((?:USD|UTC)\)$/, '')

/** The cell of a column in a row of a sheet; row 1 is the first below the header. */
function cellIn(book: Book, at: { sheet: string; row: number; column: string }): Cell {
  const rows = book[at.sheet]?.rows ?? []
  const column = (rows[0] ?? []).findIndex(([text]) => nameOf(text) === at.column)
  return rows[at.row]?.[column] ?? [null, '', '']
}

const WORLD: World = {
  settlements: [
    settlement({
      settlementId: '9223372036854775807',
      reportedNet: '-12.30',
      difference: '142.30',
    }),
    settlement(),
  ],
  attributions: [attribution(), attribution({ transactionId: '5003', signedAmount: '-20.00' })],
  exceptions: [exception()],
  unsettled: [unsettled(), unsettled({ signedAmount: '20.05' })],
  rollforward: [rolledForward()],
  refund_ceiling: [refundAtRisk()],
  journal: [journalLine({ debit: '130.00' }), journalLine({ credit: '130.00' })],
}

test('the workbook has one sheet for each question, each with a fixed header and a table with a filter', async (context) => {
  requireProgram(context, 'openpyxl')
  const book = readBack(await workbook(WORLD))
  expect(
    Object.entries(book).map(([name, { freeze, tables }]) => [
      name,
      freeze,
      ...tables.map(([table, range]) => `${table} ${range}`),
    ]),
  ).toEqual([
    ['Summary', 'A2'],
    // A spreadsheet program refuses a table without a row below its header.
    ['Worklist', 'A2', 'Worklist A1:O2'],
    ['Settlements', 'A2', 'Settlements A1:AB3'],
    ['Exceptions', 'A2', 'Exceptions A1:Q2'],
    ['Ageing', 'A2', 'Ageing A1:L3'],
    ['Roll-forward', 'A2', 'Roll_forward A1:I2'],
    ['Refund ceiling', 'A2', 'Refund_ceiling A1:K2'],
    ['Journal', 'A2', 'Journal A1:L3'],
    ['Lines', 'A2', 'Lines A1:R3'],
  ])
  for (const { tables, rows } of Object.values(book).slice(1)) {
    const [[, range, filter, columns] = ['', '', '', []]] = tables
    expect(filter).toBe(range)
    // A spreadsheet program repairs a table whose columns are not its header cells, or not unique.
    expect(columns).toEqual(rows[0]?.map(([heading]) => heading))
    expect(new Set(columns).size).toBe(columns.length)
  }
})

test('each sheet is printed one page wide, with account, range, currency and page numbers', async (context) => {
  requireProgram(context, 'openpyxl')
  const book = readBack(await workbook(WORLD))
  for (const { paper, header, footer } of Object.values(book)) {
    expect(paper.slice(1)).toEqual([1, 0, true])
    expect(header).toEqual([
      'demo, 2026-02-01 up to, but not including, 2026-03-01. Amounts in USD.',
      '&A',
    ])
    expect(footer).toEqual([
      'Settlement reconciliation demo',
      null,
      expect.stringMatching(/^Page .* of /),
    ])
  }
  expect(
    Object.entries(book).map(([name, { paper, titles, printed }]) => [
      ...[name, paper[0], titles],
      printed.replaceAll(/^.*!|\$/g, ''),
    ]),
  ).toEqual([
    ['Summary', 'portrait', null, expect.stringMatching(/^A1:F\d+$/)],
    ['Worklist', 'landscape', '$1:$1', 'A1:L1'],
    ['Settlements', 'landscape', '$1:$1', 'A1:N4'],
    ['Exceptions', 'landscape', '$1:$1', 'A1:K3'],
    ['Ageing', 'portrait', '$1:$1', 'A1:J4'],
    ['Roll-forward', 'portrait', '$1:$1', 'A1:H3'],
    ['Refund ceiling', 'landscape', '$1:$1', 'A1:I3'],
    ['Journal', 'landscape', '$1:$1', 'A1:H4'],
    ['Lines', 'portrait', '$1:$1', 'A1:I4'],
  ])
})

test('a sheet of more than 2,000 rows prints its totals only, and says so', async (context) => {
  requireProgram(context, 'openpyxl')
  const many = Array.from({ length: 2001 }, () => unsettled())
  const ageing = readBack(await workbook({ unsettled: many }))['Ageing']
  expect(ageing?.printed).toBe("'Ageing'!$A$2003:$J$2003")
  expect(ageing?.rows[2002]?.[0]?.[0]).toBe('Total of 2001')
  expect(ageing?.footer[1]).toBe('Totals only. Clear the print area to print all 2,001 rows.')
})

test('headings of figures stand right as their figures do, and those of texts and dates left', async (context) => {
  requireProgram(context, 'openpyxl')
  const book = readBack(await workbook(WORLD))
  for (const { sides, rows } of Object.values(book).slice(1)) {
    const [headings = [], cells = []] = sides
    // A number without an alignment stands right.
    const side = (n: number) => cells[n] ?? (rows[1]?.[n]?.[1] === 'n' ? 'right' : 'left')
    const filled = headings.flatMap((heading, n) =>
      (rows[1]?.[n]?.[0] ?? null) === null ? [] : [[rows[0]?.[n]?.[0], heading, side(n)]],
    )
    expect(filled.filter(([, heading, cell]) => heading !== cell)).toEqual([])
  }
  const headings = book['Settlements']?.rows[0]?.map(([text]) => text) ?? []
  const left = headings.filter((_, n) => book['Settlements']?.sides[0]?.[n] === 'left')
  expect(left).toEqual(expect.arrayContaining(['settlementId', 'businessDate', 'verdict']))
  expect(left).not.toContain('reportedNet (USD)')
})

test('an exception and an item of the worklist link to their settlement, and a settlement to its lines', async (context) => {
  requireProgram(context, 'openpyxl')
  const item = (subjectId: string, subjectType = 'settlement'): World[string][number] => ({
    ...{ account: 'demo', rank: '1', subjectType, subjectId, cause: 'A cause', askWhom: 'shop' },
    ...{ certainty: 'UNIQUE', nextStep: 'A step' },
  })
  const book = readBack(
    await workbook({
      settlements: ['899', '900', '901'].map((settlementId) => settlement({ settlementId })),
      attributions: ['900', '900', '901'].map((settlementId) => attribution({ settlementId })),
      exceptions: [exception({ subjectId: '901' }), exception({ subjectType: 'transaction' })],
      worklist: [item('900'), item('1'), item('900', 'transaction')],
    }),
  )
  const linked = (sheet: string) => Object.entries(book[sheet]?.links ?? {})
  expect(linked('Exceptions')).toEqual([['E2', "'Settlements'!A4"]])
  expect(linked('Worklist')).toEqual([['D2', "'Settlements'!A3"]])
  expect(linked('Settlements')).toEqual([
    ['N3', "'Lines'!A2:A3"],
    ['N4', "'Lines'!A4:A4"],
  ])
  // Every cell of a link, and every target, holds the id.
  expect(book['Exceptions']?.rows[1]?.[4]?.[0]).toBe('901')
  expect(book['Settlements']?.rows.map((row) => row[0]?.[0])).toEqual([
    ...['settlementId', '899', '900', '901', 'Total of 3'],
  ])
  expect(book['Lines']?.rows.slice(1, 4).map((row) => row[0]?.[0])).toEqual(['900', '900', '901'])
})

test('verdicts, severities and differences are coloured by rules that reach from the first row to the last', async (context) => {
  requireProgram(context, 'openpyxl')
  const book = readBack(await workbook(WORLD))
  const { colors = {}, rows = [] } = book['Settlements'] ?? {}
  const columnOf = (name: string) => {
    const letter = String.fromCodePoint(65 + (rows[0] ?? []).findIndex(([h]) => nameOf(h) === name))
    return `${letter}2:${letter}3`
  }
  expect(colors[columnOf('difference')]).toEqual([['AND(ISNUMBER(H2),H2<>0)', 'FFA83200']])
  const verdicts = new Map(colors[columnOf('verdict')]?.map(([formula, rgb]) => [rgb, formula]))
  expect(verdicts.get('FFA83200')).toContain('I2="BREAK"')
  expect(verdicts.get('FF00664D')).toContain('I2="TIED"')
  expect(verdicts.get('FF7A5200')).toContain('I2="EXPLAINED"')
  expect(Object.values(book['Exceptions']?.colors ?? {}).flat()).toContainEqual([
    expect.stringContaining('B2="error"'),
    'FFA83200',
  ])
})

test('another program reads money as numbers, ids as text and dates as dates', async (context) => {
  requireProgram(context, 'openpyxl')
  const book = readBack(await workbook(WORLD))
  const cell = (column: string) => cellIn(book, { sheet: 'Settlements', row: 1, column })
  expect(cell('settlementId')).toEqual(['9223372036854775807', 's', '@'])
  expect(cell('reportedNet')).toEqual([-12.3, 'n', '#,##0.00;[Red]-#,##0.00'])
  expect(cell('businessDate')).toEqual(['2026-03-02 00:00:00', 'd', 'yyyy-mm-dd'])
  expect(cell('created')).toEqual(['2026-03-02 08:00:00', 'd', 'yyyy-mm-dd hh:mm:ss'])
  expect(cell('cutoff')[0]).toBe('2026-03-02 03:00:00.500000')
  expect(cell('transactionCount').slice(0, 2)).toEqual([4, 'n'])
})

test('lines and settlements add facts of the records to the files, amounts as numbers, the shop’s own numbers as text', async (context) => {
  requireProgram(context, 'openpyxl')
  const parts = { amountBase: '120.00', amountTax: '20.05', amountUnallocated: '9.95' }
  const numbers = { invoiceNumber: '000123', purchaseOrderNumber: '=1+1' }
  const file = await workbook({
    ...WORLD,
    sheet_lines: [{ ...attribution(), ...numbers, ...parts, amountTip: null }],
    sheet_settlements: [
      { ...settlement(), merchantNumber: '0042', accountId: 'a-1', companyDba: 'Moss' },
    ],
  })
  const [values, formulas] = [readBack(file), readBack(file, 'formulas')]
  const line = (column: string, row = 1) => cellIn(values, { sheet: 'Lines', row, column })
  expect(line('invoiceNumber')).toEqual(['000123', 's', '@'])
  expect(cellIn(formulas, { sheet: 'Lines', row: 1, column: 'purchaseOrderNumber' })).toEqual([
    '=1+1',
    's',
    '@',
  ])
  expect(line('amountTax')).toEqual([20.05, 'n', '#,##0.00;[Red]-#,##0.00'])
  expect([line('amountTip')[0], line('amountUnallocated', 2)[0]]).toEqual([null, 9.95])
  const owner = (column: string) => cellIn(values, { sheet: 'Settlements', row: 1, column })
  expect(owner('merchantNumber')).toEqual(['0042', 's', '@'])
  expect([owner('accountId')[0], owner('companyDba')[0]]).toEqual(['a-1', 'Moss'])
})

test('ages are shown in calendar days and in bank days', async (context) => {
  requireProgram(context, 'openpyxl')
  // The report is as of Monday the 2nd of March; the 16th of February was Presidents' Day.
  const ages = ['0', '3', '7', '14', '17']
  const book = readBack(
    await workbook({ unsettled: ages.map((ageDays) => unsettled({ ageDays })) }),
  )
  const told = ages.map((_, n) =>
    ['ageDays', 'ageBusinessDays'].map(
      (column) => cellIn(book, { sheet: 'Ageing', row: n + 1, column })[0],
    ),
  )
  expect(told).toEqual([
    [0, 0],
    [3, 1],
    [7, 5],
    [14, 10],
    [17, 10],
  ])
})

test('every sheet ends with totals of the visible rows, and they are right before any recalculation', async (context) => {
  requireProgram(context, 'openpyxl')
  const file = await workbook(WORLD)
  const [values, formulas] = [readBack(file), readBack(file, 'formulas')]
  const totals = (sheet: string, row: number, column: string) => [
    cellIn(formulas, { sheet, row, column })[0],
    cellIn(values, { sheet, row, column })[0],
  ]
  expect(totals('Settlements', 3, 'reportedNet')).toEqual(['=SUBTOTAL(109,F2:F3)', 117.7])
  expect(totals('Settlements', 3, 'transactionCount')).toEqual(['=SUBTOTAL(109,N2:N3)', 8])
  expect(totals('Ageing', 3, 'signedAmount')).toEqual(['=SUBTOTAL(109,G2:G3)', 7.75])
  expect(totals('Journal', 3, 'debit')).toEqual(['=SUBTOTAL(109,E2:E3)', 130])
  expect(totals('Lines', 3, 'signedAmount')).toEqual(['=SUBTOTAL(109,H2:H3)', 130])
})

test('the only formulas are the totals, whatever the text', async (context) => {
  requireProgram(context, 'openpyxl')
  const nasty = ['=1+1', '+1', '-1', '@SUM(1)', '=HYPERLINK("http://x")', '\t=1']
  const file = await workbook({
    ...WORLD,
    settlements: nasty.map((terminalName) => settlement({ terminalName })),
    exceptions: nasty.map((detail) => exception({ detail, stateReason: detail, code: detail })),
    journal: nasty.map((memo) => journalLine({ memo, accountName: memo, debit: '1.00' })),
  })
  const book = readBack(file, 'formulas')
  const formulas = Object.values(book).flatMap(({ rows }) =>
    rows.flat().filter(([, type]) => type === 'f'),
  )
  expect(formulas.filter(([text]) => !String(text).startsWith('=SUBTOTAL(109,'))).toEqual([])
  expect(formulas.length).toBeGreaterThan(10)
  const names = nasty.map((_, n) =>
    cellIn(book, { sheet: 'Settlements', row: n + 1, column: 'terminalName' }),
  )
  expect(names.map(([text, type]) => [text, type])).toEqual(nasty.map((text) => [text, 's']))
})

test('characters that XML can’t hold, and text that looks like markup or escapes, come back unchanged', async (context) => {
  requireProgram(context, 'openpyxl')
  const names = ['<b>&amp;</b>', ' spaced ', 'Zoë ☕', 'a\nb']
  const file = await workbook({
    settlements: names.map((name) => settlement({ terminalName: name })),
  })
  const book = readBack(file)
  const read = names.map(
    (_, n) => cellIn(book, { sheet: 'Settlements', row: n + 1, column: 'terminalName' })[0],
  )
  expect(read).toEqual(names)
  const odd = await workbook({ settlements: [settlement({ terminalName: 'bell\u0007 _x0041_' })] })
  const cell = cellIn(readBack(odd), { sheet: 'Settlements', row: 1, column: 'terminalName' })
  expect(cell[0]).toBe('bell_x0007_ _x005F_x0041_')
})

test('money too long for a number stays exact, as text', async (context) => {
  requireProgram(context, 'openpyxl')
  const book = readBack(
    await workbook({ settlements: [settlement({ reportedNet: '12345678901234.56' })] }),
  )
  const cell = cellIn(book, { sheet: 'Settlements', row: 1, column: 'reportedNet' })
  expect(cell.slice(0, 2)).toEqual(['12345678901234.56', 's'])
})

test('a full sheet shows the number of rows and the file with all of them', async (context) => {
  requireProgram(context, 'openpyxl')
  const book = readBack(await workbook({ unsettled: [unsettled(), unsettled(), unsettled()] }, 2))
  expect(book['Ageing']?.rows).toHaveLength(4)
  const notes = book['Summary']?.rows.map((row) => row[1]?.[0])
  expect(notes).toContain('Ageing: the first 2 of 3 rows; all of them are in the CSV')
})

test('a cell longer than spreadsheets allow is cut, and says so', async (context) => {
  requireProgram(context, 'openpyxl')
  const book = readBack(
    await workbook({ settlements: [settlement({ explainedBy: '12;'.repeat(20_000) })] }),
  )
  const [text] = cellIn(book, { sheet: 'Settlements', row: 1, column: 'explainedBy' })
  expect(String(text)).toHaveLength(32_767)
  expect(String(text)).toMatch(/cut here, whole in the CSV$/)
})

test('the summary sheet counts the rows of the other sheets', async (context) => {
  requireProgram(context, 'openpyxl')
  const rows = readBack(await workbook({}))['Summary']?.rows ?? []
  const named = (name: string) =>
    rows
      .find(([cell]) => cell?.[0] === name)
      ?.map(([value]) => value)
      .filter((v) => v !== null)
  expect(named('BREAK')).toEqual(['BREAK', 1, 150, 130])
  expect(named('TIED')).toEqual(['TIED', 1, 130, 130])
  expect(named('Unexplained')).toEqual(['Unexplained', 1, 0, 20, 20])
  expect(named('AMOUNT_MISMATCH')).toEqual(['AMOUNT_MISMATCH', 'error', 1, 0, 1, 1])
  expect(named('6-10')).toEqual(['6-10', 1, 0, 12.3, -12.3])
  expect(named('journal balances')).toEqual(['journal balances', 150, 150, 0, 'true'])
})

test('no line of the summary sheet is cut off at the edge of the paper', async (context) => {
  requireProgram(context, 'openpyxl')
  const { Summary: sheet } = readBack(await workbook({}))
  const texts = sheet?.rows.map(([first]) => String(first?.[0] ?? '')) ?? []
  expect(texts.filter((text) => text.length > 155)).toEqual([])
  expect(texts.join(' ')).toContain(MEANINGS['AMBIGUOUS'])
})

test('the same rows give the same workbook, a year later', async () => {
  const today = readFileSync(await workbook(WORLD))
  vi.useFakeTimers({ now: new Date('2027-11-21T10:00:00Z'), toFake: ['Date'] })
  try {
    expect(readFileSync(await workbook(WORLD)).equals(today)).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})

/** Converts a workbook with LibreOffice, which has a profile of its own in the folder. */
function soffice(folder: string, to: string, file: string): void {
  mkdirSync(join(folder, 'profile', 'user'), { recursive: true })
  writeFileSync(join(folder, 'profile', 'user', 'registrymodifications.xcu'), RECALCULATE)
  execFileSync(
    'soffice',
    [
      ...[`-env:UserInstallation=file://${folder}/profile`, '--headless', '--convert-to', to],
      ...['--outdir', folder, file],
    ],
    { stdio: 'ignore', timeout: 120_000 },
  )
}

/** The sheets as LibreOffice understands them once it has recalculated everything, as CSV. */
function convert(file: string): (sheet: string) => string[] {
  const folder = tempFolder()
  soffice(
    folder,
    'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1',
    file,
  )
  return (sheet) =>
    readFileSync(join(folder, `summary-${sheet}.csv`), 'utf8')
      .trimEnd()
      .split('\n')
}

const RECALCULATE = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>`

test('LibreOffice opens every sheet and calculates the same totals', async (context) => {
  requireProgram(context, 'libreoffice')
  const sheet = convert(await workbook(WORLD))
  expect(sheet('Settlements').at(-1)).toMatch(
    /^Total of 2,,,,,117\.7,260,142\.3,,,0,0,,8,,,,4,300,2,40,/,
  )
  expect(sheet('Settlements')[1]).toContain('9223372036854775807,7,Front desk,2026-03-02,')
  expect(sheet('Ageing').at(-1)).toContain(',7.75,')
  expect(sheet('Journal').at(-1)).toContain(',130,130,')
  expect(sheet('Lines').at(-1)).toContain(',130,')
  expect(sheet('Summary')[0]).toContain('Settlement reconciliation demo')
}, 120_000)

test('100,000 lines are written within 64 MB of heap, and all of them are read again', async (context) => {
  requireProgram(context, 'openpyxl')
  const file = join(tempFolder(), 'summary.xlsx')
  const options = { encoding: 'utf8', cwd: join(import.meta.dirname, '..', '..', '..') } as const
  const memory = ['--max-old-space-size=64', '--max-semi-space-size=4']
  const program = ['bench/run.mjs', 'test/unit/reports/big-workbook.ts', file, '100000']
  execFileSync(process.execPath, [...memory, ...program], options)
  const [rows, sums] = JSON.parse(execFileSync('python3', ['-c', LAST_LINE, file], options))
  expect([rows, sums]).toEqual([100_002, ['Total of 100000', 15_000_000]])
}, 120_000)

test('LibreOffice prints 2,100 lines and all other sheets on ten pages', async (context) => {
  requireProgram(context, 'libreoffice')
  const attributions = Array.from({ length: 2100 }, () => attribution())
  const file = await workbook({ ...WORLD, attributions })
  const folder = tempFolder()
  soffice(folder, 'pdf', file)
  const pdf = readFileSync(join(folder, 'summary.pdf'), 'latin1')
  // The summary has two pages, and every other sheet one.
  expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(10)
}, 120_000)

/** Counts rows by their tags, for openpyxl takes half a minute over so many. */
const LAST_LINE = `
import json, re, sys, zipfile
text = zipfile.ZipFile(sys.argv[1]).read('xl/worksheets/sheet9.xml').decode()
last = text[text.rindex('<row '):]
print(json.dumps([text.count('<row '), [re.search('>([^<]+)</t>', last)[1], float(re.search('</f><v>([^<]+)<', last)[1])]]))
`
