/** The workbook summary.xlsx: the tables for people, as typed cells, of any length. */
import { bankDaysBetween } from '../../domain/bank-days.ts'
import { addDays, dateIn } from '../../domain/business-day.ts'
import { assert } from '../../domain/failure.ts'
import { parseCents, formatCents } from '../../domain/cents.ts'
import {
  type ColumnKind,
  PACK_FILES,
  type PackColumn,
  SHEET_TABLES,
  TABLES,
} from '../pack/pack-files.ts'
import type { PackAbout, PackSource, Row } from '../pack/pack-source.ts'
import type { Summary } from '../pack/summary.ts'
import { summarySheet } from './summary-sheet.ts'
import { type Cell, columnLetters, figure, moment } from './cell.ts'
import type { StyleName } from './styles.ts'
import { type Sheet, writeWorkbook } from './write-workbook.ts'

/** The most rows of a sheet, without the header and the totals. */
const SHEET_ROWS = 1_048_574

interface TableSheet {
  name: string
  table: string
  /** Present if they differ from the file's. */
  columns?: readonly PackColumn[]
  /** Columns with a meaningful sum. */
  sums: readonly string[]
  /** True for the sheet that also has ages in bank days. */
  isAged?: boolean
}

const BANK_AGE: PackColumn = { name: 'ageBusinessDays', kind: 'integer', required: true }

const SHEETS: readonly TableSheet[] = [
  { name: 'Worklist', table: TABLES.worklist, sums: [] },
  {
    name: 'Settlements',
    ...SHEET_TABLES.settlements,
    sums: [
      ...['reportedNet', 'computedNet', 'difference', 'transactionCount', 'chargeCount'],
      ...['chargeTotal', 'refundCount', 'refundTotal', 'explainedAmount', 'unexplainedAmount'],
    ],
  },
  { name: 'Exceptions', table: TABLES.exceptions, sums: [] },
  { name: 'Ageing', table: TABLES.unsettled, sums: ['signedAmount'], isAged: true },
  {
    name: 'Roll-forward',
    table: TABLES.rollforward,
    sums: ['charges', 'refunds', 'voids', 'settled'],
  },
  { name: 'Refund ceiling', table: TABLES.refundCeiling, sums: ['refundAmount'] },
  { name: 'Journal', table: TABLES.journal, sums: ['debit', 'credit'] },
  {
    name: 'Lines',
    ...SHEET_TABLES.lines,
    sums: [
      ...['signedAmount', 'amountBase', 'amountTax', 'amountShipping'],
      ...['amountTip', 'amountSurcharge', 'amountUnallocated'],
    ],
  },
]

const WIDTHS: Readonly<Record<ColumnKind, number>> = {
  text: 32,
  word: 18,
  id: 20,
  integer: 12,
  money: 16,
  figure: 16,
  date: 12,
  instant: 20,
  boolean: 8,
}

const TONES: Readonly<Record<string, StyleName>> = {
  TIED: 'good',
  BREAK: 'bad',
  NO_DATA: 'bad',
  error: 'bad',
  CERTAIN: 'bad',
  EXPLAINED: 'warn',
  PENDING: 'warn',
  warning: 'warn',
}
/** Columns whose values are also coloured. */
const TONED = ['verdict', 'severity', 'certainty']

/**
 * Writes the workbook to a new file. The same rows give the same bytes; `sheetRows` limits a sheet.
 */
export async function writeXlsx(
  file: string,
  { source, summary, about }: { source: PackSource; summary: Summary; about: PackAbout },
  sheetRows = SHEET_ROWS,
): Promise<void> {
  const notes: string[] = []
  const tables = SHEETS.map((sheet) => tableSheet(source, sheet, { notes, sheetRows, about }))
  const first = summarySheet(summary, about, notes)
  await writeWorkbook(file, [first, ...tables], {
    title: `Settlement reconciliation ${about.account}`,
    creator: 'tieout',
    at: new Date(about.asOf).toISOString(),
    // The first sheet lists the sheets that were cut, so it is written last.
    written: [...tables, first],
  })
}

function tableSheet(
  source: PackSource,
  sheet: TableSheet,
  limit: { notes: string[]; sheetRows: number; about: PackAbout },
): Sheet {
  const isAged = sheet.isAged === true
  const columns = [...(sheet.columns ?? columnsOf(sheet.table)), ...(isAged ? [BANK_AGE] : [])]
  const ageOf = isAged ? bankAges(limit.about) : () => null
  let shown = 0
  async function* rows(): AsyncGenerator<readonly Cell[]> {
    yield columns.map((column) => ({ text: headingOf(column), style: 'head' }))
    const totals = totalsOf(columns, sheet.sums)
    let count = 0
    for await (const batch of source.batches(sheet.table)) {
      count += batch.length
      for (const row of batch.slice(0, limit.sheetRows - shown)) {
        shown += 1
        totals.add(row)
        yield columns.map((column) =>
          cellOf(column, column === BANK_AGE ? ageOf(row) : (row[column.name] ?? null)),
        )
      }
    }
    if (shown > 0) yield totals.cells(shown)
    if (count === shown) return
    limit.notes.push(
      `${sheet.name}: the first ${shown} of ${count} rows; all of them are in the CSV`,
    )
  }
  return {
    name: sheet.name,
    widths: columns.map(({ kind }) => WIDTHS[kind]),
    rows: rows(),
    filtered: () => shown + 1,
  }
}

/** Age in bank days up to the day of --as-of, from the age in calendar days. */
function bankAges({ asOf, parameters }: PackAbout): (row: Row) => string {
  const today = dateIn(parameters.timezone, Date.parse(asOf))
  const holidays = parameters.bankHolidays ?? { closed: [], open: [] }
  const known = new Map<string, string>()
  return ({ ageDays }) => {
    const days = ageDays ?? '0'
    const age =
      known.get(days) ?? String(bankDaysBetween(addDays(today, -Number(days)), today, holidays))
    known.set(days, age)
    return age
  }
}

function columnsOf(table: string): readonly PackColumn[] {
  const packFile = PACK_FILES.find((file) => file.table === table)
  assert(packFile !== undefined, `${table} is a table of the pack`)
  return packFile.columns
}

/** Spreadsheets have no time zone, so the header names the zone of the cells. */
const headingOf = ({ kind, name }: PackColumn): string =>
  kind === 'instant' ? `${name} (UTC)` : name

/** Sums of the visible rows, as a formula with its result for an unfiltered table. */
function totalsOf(columns: readonly PackColumn[], sums: readonly string[]) {
  const cents = new Map(sums.map((name): [string, bigint] => [name, 0n]))
  return {
    add(row: Row): void {
      for (const [name, sum] of cents) {
        const text = row[name] ?? ''
        // Counts are summed as whole amounts.
        cents.set(name, sum + (parseCents(text.includes('.') ? text : `${text}.00`) ?? 0n))
      }
    },
    cells: (rows: number): Cell[] =>
      columns.map(({ name, kind }, index) => {
        const sum = cents.get(name)
        if (sum === undefined) {
          return { text: index === 0 ? `Total of ${rows}` : '', style: 'totalText' }
        }
        const letters = columnLetters(index)
        const formula = `SUBTOTAL(109,${letters}2:${letters}${rows + 1})`
        return kind === 'integer'
          ? { formula, number: String(sum / 100n), style: 'totalInteger' }
          : { formula, number: formatCents(sum), style: 'totalMoney' }
      }),
  }
}

/** Money becomes a number only if a spreadsheet can hold it exactly. */
function cellOf({ kind, name }: PackColumn, text: string | null): Cell {
  if (text === null || text === '') return undefined
  if (kind === 'date' || kind === 'instant') return moment(text, kind)
  if (kind === 'money' || kind === 'figure') return figure(text, 'money')
  if (kind === 'integer') return figure(text, 'integer')
  return { text, style: (TONED.includes(name) ? TONES[text] : undefined) ?? 'text' }
}
