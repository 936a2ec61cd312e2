/** A sheet with the rows of a table, their totals, links and colours. */
import { bankDaysBetween } from '../../domain/bank-days.ts'
import { addDays, dateIn } from '../../domain/business-day.ts'
import { formatCents, grouped, printedCents } from '../../domain/cents.ts'
import { assert } from '../../domain/failure.ts'
import type { ManifestFile } from '../pack/manifest.ts'
import type { PackColumn } from '../pack/pack-files.ts'
import type { PackAbout, PackSource, Row } from '../pack/pack-source.ts'
import { TONES } from '../pack/summary-words.ts'
import { type Cell, columnLetters, figure, moment } from './cell.ts'
import { type Links, SheetLinks } from './links.ts'
import type { ColorRule, Sheet, SheetEnd } from './sheet.ts'
import type { StyleName } from './styles.ts'
import { BANK_AGE, DIFFERENCES, type TableSheet, widthOf, WORDS, WRAPPED } from './table-list.ts'

/** A sheet with more rows than this prints its totals only. */
const PRINTED_ROWS = 2000

/** A file of the pack, and the number of its rows. */
export type CountedFile = Pick<ManifestFile, 'name' | 'rows'>

export interface Making {
  source: PackSource
  about: PackAbout
  /** Takes a note for each sheet that was cut. */
  notes: string[]
  links: Links
  /** Files of the pack, and the numbers of their rows. */
  files: readonly CountedFile[]
  /** The most rows of a sheet, without the header and the totals. */
  sheetRows: number
}

export function tableSheet(sheet: TableSheet, making: Making): Sheet {
  const { columns, name } = sheet
  const headings = columns.map((column) => headingOf(column, making.about.parameters.currency))
  const found = { shown: 0, links: new SheetLinks() }
  return {
    name,
    widths: columns.map(widthOf),
    rows: rowsOf(sheet, { ...making, headings, found }),
    hasHead: true,
    table: { name: name.replaceAll(/\W/g, '_'), headings },
    isPortrait: sheet.isPortrait === true,
    ended: () => endOf(sheet, found),
  }
}

interface Found {
  shown: number
  links: SheetLinks
}

async function* rowsOf(
  { name, file, table, columns, sums }: TableSheet,
  {
    source,
    about,
    notes,
    links,
    files,
    sheetRows,
    headings,
    found,
  }: Making & { headings: string[]; found: Found },
): AsyncGenerator<readonly Cell[]> {
  yield columns.map((column, n) => ({
    text: headings[n] ?? '',
    style: isFigure(column) ? 'headFigure' : 'head',
  }))
  const totals = totalsOf(columns, sums)
  const ageOf = bankAges(about)
  for await (const batch of source.batches(table, sheetRows)) {
    for (const row of batch) {
      found.shown += 1
      totals.add(row)
      const at = found.shown + 1
      links.note(name, row, at)
      const link = links.of(name, row)
      yield columns.map((column, n) =>
        link?.column === column.name && found.links.add(n, at, link.to)
          ? linked(cellOf(column, row[column.name] ?? null))
          : cellOf(column, column === BANK_AGE ? ageOf(row) : (row[column.name] ?? null)),
      )
    }
  }
  const { shown } = found
  if (shown > 0) yield totals.cells(shown)
  const count = files.find((one) => one.name === file)?.rows
  assert(count !== undefined && count >= shown, `${file} has the rows of the sheet ${name}`)
  if (count > shown) {
    notes.push(`${name}: the first ${shown} of ${count} rows; all of them are in the CSV`)
  }
}

function endOf({ columns, printed }: TableSheet, { shown, links }: Found): SheetEnd {
  const last = columnLetters(printed - 1)
  const totals = shown + 2
  const isLong = shown > PRINTED_ROWS
  return {
    // A table has a row below its header, even if that row is empty.
    tableRows: Math.max(shown, 1) + 1,
    links: links.links,
    colors: shown === 0 ? [] : columns.flatMap((column, n) => colorsOf(column, n, shown + 1)),
    printed: `A${isLong ? totals : 1}:${last}${shown === 0 ? 1 : totals}`,
    ...(isLong
      ? {
          footer: `Totals only. Clear the print area to print all ${grouped(String(shown))} rows.`,
        }
      : {}),
  }
}

/** A colour for each word with a tone, and for each difference that is not zero. */
function colorsOf({ name }: PackColumn, column: number, lastRow: number): ColorRule[] {
  const letters = columnLetters(column)
  const range = `${letters}2:${letters}${lastRow}`
  if (DIFFERENCES.includes(name)) {
    return [{ range, formula: `AND(ISNUMBER(${letters}2),${letters}2<>0)`, tone: 'bad' }]
  }
  if (name === 'bucket') return [{ range, formula: `${letters}2=">30"`, tone: 'warn' }]
  if (!WORDS.includes(name)) return []
  return (['bad', 'warn', 'good'] as const).map((tone) => {
    const words = Object.keys(TONES).filter((word) => TONES[word] === tone)
    const formula = `OR(${words.map((word) => `${letters}2="${word}"`).join(',')})`
    return { range, formula, tone }
  })
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

const isFigure = ({ kind }: PackColumn): boolean =>
  kind === 'money' || kind === 'figure' || kind === 'integer'

/** The cells have no time zone and no currency, so the heading names them. */
function headingOf({ kind, name }: PackColumn, currency: string): string {
  if (kind === 'instant') return `${name} (UTC)`
  return kind === 'money' ? `${name} (${currency})` : name
}

/** Sums of the visible rows, as a formula with its result for an unfiltered table. */
function totalsOf(columns: readonly PackColumn[], sums: readonly string[]) {
  const cents = new Map(sums.map((name): [string, bigint] => [name, 0n]))
  return {
    add(row: Row): void {
      for (const [name, sum] of cents) {
        const text = row[name] ?? ''
        // Counts are summed as whole amounts.
        cents.set(name, sum + (printedCents(text.includes('.') ? text : `${text}.00`) ?? 0n))
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
  return { text, style: WRAPPED.includes(name) ? 'long' : 'text' }
}

const LINKED: Partial<Record<StyleName, StyleName>> = { text: 'link', integer: 'linkInteger' }

const linked = (cell: Cell): Cell =>
  cell === undefined ? undefined : { ...cell, style: LINKED[cell.style] ?? cell.style }
