/** summary.xlsx: the tables that people work with, as typed cells. The only file that knows the spreadsheet library. */
import { type CellValue, type ColumnDef, colToLetter, type WriteSheet, writeXlsx } from 'hucre/xlsx'
import { formatCents } from '../domain/cents.ts'
import { assert } from '../domain/failure.ts'
import { type ColumnKind, PACK_FILES, type PackColumn, TABLES } from './pack-files.ts'
import type { PackAbout, Row } from './pack.ts'
import type { Summary } from './summary.ts'

/** A sheet's most rows, without the header. */
const SHEET_ROWS = 1_048_575
const CELL_CHARACTERS = 32_767
const CUT = ' … cut here, whole in the CSV'
const MONEY = '#,##0.00;[Red]-#,##0.00'

const FORMATS: Readonly<Record<ColumnKind, { numFmt: string; width: number }>> = {
  text: { numFmt: '@', width: 32 },
  word: { numFmt: '@', width: 18 },
  id: { numFmt: '@', width: 20 },
  integer: { numFmt: '0', width: 12 },
  money: { numFmt: MONEY, width: 16 },
  figure: { numFmt: 'General', width: 16 },
  date: { numFmt: 'yyyy-mm-dd', width: 12 },
  instant: { numFmt: 'yyyy-mm-dd hh:mm:ss', width: 20 },
  boolean: { numFmt: '@', width: 8 },
}

const SHEETS: readonly [string, keyof Summary & keyof typeof TABLES][] = [
  ['Settlements', 'settlements'],
  ['Exceptions', 'exceptions'],
  ['Unsettled', 'unsettled'],
  ['Journal', 'journal'],
]

/** Renders the workbook. Fixed times make the same rows the same bytes; `sheetRows` is a sheet's limit. */
export async function renderXlsx(
  summary: Summary,
  about: PackAbout,
  sheetRows = SHEET_ROWS,
): Promise<Uint8Array> {
  const notes: string[] = []
  const sheets = SHEETS.map(([name, key]) => {
    const rows = summary[key]
    if (rows.length > sheetRows) {
      notes.push(
        `${name}: the first ${sheetRows} of ${rows.length} rows; all of them are in the CSV`,
      )
    }
    return tableSheet(name, columnsOf(TABLES[key]), rows.slice(0, sheetRows))
  })
  const at = new Date(about.asOf)
  return writeXlsx({
    sheets: [summarySheet(summary, about, notes), ...sheets],
    properties: {
      creator: 'tieout',
      title: `Settlement reconciliation ${about.account}`,
      created: at,
      modified: at,
    },
  })
}

function columnsOf(table: string): readonly PackColumn[] {
  const packFile = PACK_FILES.find((file) => file.table === table)
  assert(packFile !== undefined, `${table} is a table of the pack`)
  return packFile.columns
}

function tableSheet(
  name: string,
  columns: readonly PackColumn[],
  rows: readonly Row[],
): WriteSheet {
  const last = colToLetter(columns.length - 1)
  return {
    name,
    columns: columns.map(({ kind }): ColumnDef => ({ ...FORMATS[kind] })),
    rows: [
      // Spreadsheets know no time zone: the header says which one the cells are in.
      columns.map((column) => (column.kind === 'instant' ? `${column.name} (UTC)` : column.name)),
      ...rows.map((row) => columns.map((column) => cellOf(column.kind, row[column.name] ?? null))),
    ],
    cells: boldRow(columns.length, 0),
    freezePane: { rows: 1 },
    autoFilter: { range: `A1:${last}${rows.length + 1}` },
    pageSetup: { orientation: 'landscape', fitToWidth: 1, fitToHeight: 0, printTitlesRow: '$1:$1' },
  }
}

function summarySheet(summary: Summary, about: PackAbout, notes: readonly string[]): WriteSheet {
  const { headline } = summary
  const blocks: CellValue[][][] = [
    [
      ['Settlement reconciliation', about.account],
      ['From (included)', about.window.from],
      ['To (not included)', about.window.to],
      ['Business days in', about.parameters.timezone],
      ['Judged as of', about.asOf],
      ['Known at landing', about.knownAt],
      ['Sweeps', about.certificate],
      ...notes.map((note) => ['Note', note]),
    ],
    [
      ['Settlements', headline.settlements],
      ['Tied', headline.tied],
      ['Explained', headline.explained],
      ['Breaks', headline.breaks],
      ['Pending', headline.pending],
      ['No data', headline.noData],
    ],
    [
      ['Control total', 'Expected', 'Actual', 'Difference', 'Pass'],
      ...summary.controlTotals.map((row) => [
        row['check'] ?? null,
        ...['expected', 'actual', 'difference'].map((name) => cellOf('figure', row[name] ?? null)),
        row['pass'] ?? null,
      ]),
    ],
    [
      ['Exception', 'Severity', 'Count'],
      ...summary.exceptionCounts.map(({ code, severity, count }) => [code, severity, count]),
    ],
    [
      ['Not settled, age in days', 'Count', 'Signed amount'],
      ...summary.ageing.map(({ bucket, count, cents }) => [
        bucket,
        count,
        cellOf('money', formatCents(cents)),
      ]),
    ],
  ]
  const heads = blocks.map((_, place) =>
    blocks.slice(0, place).reduce((sum, block) => sum + block.length + 1, 0),
  )
  return {
    name: 'Summary',
    columns: [{ width: 44 }, { width: 24 }, { width: 20 }, { width: 16 }, { width: 8 }],
    rows: blocks.flatMap((block) => [...block, []]),
    cells: new Map(heads.flatMap((row) => [...boldRow(5, row)])),
  }
}

const boldRow = (width: number, row: number) =>
  new Map(
    Array.from({ length: width }, (_, column) => [
      `${row},${column}`,
      { style: { font: { bold: true } } },
    ]),
  )

/** Money becomes a number only here, and only where a spreadsheet can hold it exactly. */
function cellOf(kind: ColumnKind, text: string | null): CellValue {
  if (text === null || text === '') return null
  if (kind === 'date') return new Date(`${text}T00:00:00Z`)
  if (kind === 'instant') return new Date(text)
  const isNumber = kind === 'money' || kind === 'integer' || kind === 'figure'
  if (isNumber && text.replaceAll(/\D/g, '').length <= 15) return Number(text)
  return text.length > CELL_CHARACTERS ? text.slice(0, CELL_CHARACTERS - CUT.length) + CUT : text
}
