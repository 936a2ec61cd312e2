/** Renders entries as the lines of a program's CSV or IIF file. */
import { type CellSource, compileCell, compileDate, isFigure, isOfEntry } from './cell-template.ts'
import type { Chart, Entry, EntryLine, Renderer } from './entry.ts'
import { asciiLine, guarded } from './harmless-text.ts'
import type { ProgramFormat } from './presets.ts'

/** Names an account by the configuration's chart key or ledger account. */
export type AccountWords = (line: Pick<EntryLine, 'account' | 'accountName'>) => string | undefined

/** Looks accounts up in `words`, by the key that the chart has for them first. */
export function accountWords(words: Readonly<Record<string, string>>, chart: Chart): AccountWords {
  const keys = keysByAccount(chart)
  return ({ account }) => words[keys.get(account) ?? ''] ?? words[account]
}

/** The chart's key of each ledger account; of two keys with one account, the first. */
export function keysByAccount(chart: Chart): ReadonlyMap<string, string> {
  const entries = Object.entries(chart).map(([key, { account }]): [string, string] => [
    account,
    key,
  ])
  return new Map(entries.toReversed())
}

/** The cells of an entry's lines. `rowsBefore` is the number of lines written before, over all parts. */
export type CellRows = (entry: Entry, rowsBefore: number) => string[][]

/** Throws config_invalid, naming the key, for a cell or a date pattern that can't be written. */
export function programRenderer(format: ProgramFormat, chart: Chart): Renderer {
  const isCsv = format.layout === 'csv'
  const rowsOf = cellRows(format, chart, isCsv ? guarded : (cell) => asciiLine(guarded(cell)))
  const headings = format.columns.map(({ heading }) => heading)
  if (isCsv) {
    return {
      head: csvRow(headings),
      entry: (entry, rowsBefore) => {
        const rows = rowsOf(entry, rowsBefore).map(csvRow)
        return { text: rows.join(''), rows: rows.length }
      },
      tail: '',
    }
  }
  return {
    head: `${iifRow(['!TRNS', ...headings])}${iifRow(['!SPL', ...headings])}!ENDTRNS\r\n`,
    entry: (entry, rowsBefore) => {
      const rows = rowsOf(entry, rowsBefore).map((cells, at) =>
        iifRow([at === 0 ? 'TRNS' : 'SPL', ...cells]),
      )
      return { text: `${rows.join('')}ENDTRNS\r\n`, rows: rows.length }
    },
    tail: '',
  }
}

/** Writes the cells of entries. `clean` makes the text of a cell harmless; figures stay as they are. */
export function cellRows(
  format: ProgramFormat,
  chart: Chart,
  clean: (text: string) => string,
): CellRows {
  const row = rowWriter(format, clean)
  const sources = sourcesOf(format, chart)
  return (entry, rowsBefore) => sources(entry, rowsBefore).map(row)
}

/** The values for the cells of an entry's lines. */
function sourcesOf(format: ProgramFormat, chart: Chart) {
  const writeDate = compileDate(format.date, `accounting.${format.key}.date`)
  const accounts = accountWords(format.accounts, chart)
  const names = accountWords(format.names, chart)
  const form = {
    number: ({ account }: EntryLine) => account,
    name: ({ accountName }: EntryLine) => accountName,
    'number name': ({ account, accountName }: EntryLine) => `${account} ${accountName}`,
  }[format.accountForm]
  return (entry: Entry, rowsBefore: number): CellSource[] => {
    const date = writeDate(entry.date)
    return entry.lines
      .flatMap((line) => splitLine(line, format.max_cents))
      .map((line, at) => ({
        entry,
        line,
        date,
        account: accounts(line) ?? form(line),
        name: names(line) ?? '',
        lineNo: at + 1,
        row: rowsBefore + at + 1,
      }))
  }
}

function rowWriter(
  { columns, key }: ProgramFormat,
  text: (cell: string) => string,
): (source: CellSource) => string[] {
  const cells = columns.map(({ heading, cell, firstLineOnly }) => {
    const write = compileCell(cell, `accounting.${key}.cells.${heading}`)
    if (isFigure(cell)) return write
    const clean = (source: CellSource) => text(write(source))
    const once = isOfEntry(cell) ? oncePerEntry(clean) : clean
    return firstLineOnly === true
      ? (source: CellSource) => (source.lineNo === 1 ? once(source) : '')
      : once
  })
  return (source) => cells.map((cell) => cell(source))
}

/** Caches the last cell only, because entries come one after the other. */
function oncePerEntry(write: (source: CellSource) => string): (source: CellSource) => string {
  let last: Entry | undefined
  let cell = ''
  return (source) => {
    if (source.entry !== last) {
      last = source.entry
      cell = write(source)
    }
    return cell
  }
}

/** Splits a line into as many as the program's largest amount requires. */
function splitLine(line: EntryLine, max_cents: bigint): EntryLine[] {
  const { amount_cents } = line
  if (amount_cents <= max_cents && amount_cents >= -max_cents) return [line]
  const most = amount_cents < 0n ? -max_cents : max_cents
  const whole = Number(amount_cents / most)
  const parts = Array.from({ length: whole }, () => ({ ...line, amount_cents: most }))
  const rest = amount_cents % most
  return rest === 0n ? parts : [...parts, { ...line, amount_cents: rest }]
}

const csvRow = (cells: readonly string[]): string =>
  `${cells
    .map((cell) => (/[",;']|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')}\r\n`

const iifRow = (cells: readonly string[]): string => `${cells.join('\t')}\r\n`
