/** Writes the workbook of a program that takes no text file, in as many parts as its limit of lines requires. */
import { join } from 'node:path'
import { listedFile } from '../pack/listed-file.ts'
import { type Cell, figure, moment } from '../workbook/cell.ts'
import { writeWorkbook } from '../workbook/write-workbook.ts'
import { isFigure } from './cell-template.ts'
import { count, dividedByTerminal, emptyTally, type Entry, type Tally } from './entry.ts'
import { oneLine } from './harmless-text.ts'
import { partName, type TalliedFile } from './numbered-parts.ts'
import type { AccountingOptions } from './options.ts'
import type { Column, ProgramFormat } from './presets.ts'
import { cellRows, type CellRows } from './program-renderer.ts'

interface Written {
  format: ProgramFormat
  options: Pick<AccountingOptions, 'about' | 'chart'>
}

/**
 * Writes `business-central.xlsx`, then `business-central-2.xlsx`, below `accounting` of the pack's folder. A date is a
 * date, an amount is a number, and all else is text.
 */
export async function writeProgramWorkbook(
  folder: string,
  { format, options }: Written,
  batches: AsyncIterable<Entry[]>,
): Promise<TalliedFile[]> {
  const { columns, workbook = '', sheet: name = '' } = format
  // A date becomes a number of days, whatever the pattern of the text file.
  const rowsOf = cellRows({ ...format, date: 'YYYY-MM-DD' }, options.chart, oneLine)
  const source = new Source(entriesIn(batches, format.maxLines - 1), rowsOf)
  const files: TalliedFile[] = []
  await source.next()
  do {
    const file = `accounting/${partName(workbook, files.length + 1)}`
    const tally = emptyTally()
    const rows = sheetRows(source, format, tally)
    const sheet = { name, widths: columns.map(widthOf), rows, hasHead: true, ended: () => ({}) }
    const { account, asOf } = options.about
    const title = `${account}, ${name}`
    const about = { title, creator: 'tieout', at: asOf, written: [sheet] }
    await writeWorkbook(join(folder, file), [sheet], about)
    files.push({ file: await listedFile(folder, file, tally.lines), tally })
  } while (source.entry !== undefined)
  return files
}

async function* entriesIn(
  batches: AsyncIterable<Entry[]>,
  maxLines: number,
): AsyncGenerator<Entry> {
  for await (const entries of batches) {
    for (const entry of entries) yield* dividedByTerminal(entry, maxLines)
  }
}

/** The entries, with the next one and its rows in view. */
class Source {
  entry: Entry | undefined
  rows: string[][] = []
  #rowsBefore = 0
  readonly #entries: AsyncGenerator<Entry>
  readonly #rowsOf: CellRows

  constructor(entries: AsyncGenerator<Entry>, rowsOf: CellRows) {
    this.#entries = entries
    this.#rowsOf = rowsOf
  }

  async next(): Promise<void> {
    const found = await this.#entries.next()
    this.entry = found.done === true ? undefined : found.value
    this.rows = this.entry === undefined ? [] : this.#rowsOf(this.entry, this.#rowsBefore)
    this.#rowsBefore += this.rows.length
  }
}

/** The rows of one part, with its headings. */
async function* sheetRows(
  source: Source,
  { columns, maxLines }: ProgramFormat,
  tally: Tally,
): AsyncGenerator<Cell[]> {
  yield columns.map(({ heading }) => ({ text: heading, style: 'head' }))
  while (source.entry !== undefined) {
    const { entry, rows } = source
    if (tally.entries > 0 && 1 + tally.lines + rows.length > maxLines) return
    for (const row of rows) yield row.map((text, at) => cellOf(text, columns[at]))
    count(tally, entry, rows.length)
    await source.next()
  }
}

function cellOf(text: string, column: Column | undefined): Cell {
  const cell = column?.cell ?? ''
  if (text === '') return undefined
  if (cell === '{date}') return moment(text, 'date')
  if (!isFigure(cell)) return { text, style: 'text' }
  return figure(text, /line|row/.test(cell) ? 'plain' : 'money')
}

const widthOf = ({ heading, cell }: Column): number =>
  cell.includes('memo') ? 48 : Math.max(12, heading.length + 2)
