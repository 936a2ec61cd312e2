/** The check of a written CSV: a pack's promises about its files are proved on the bytes. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { printedCents } from '../../domain/cents.ts'
import { Failure } from '../../domain/failure.ts'
import { cellsOf, RecordReader } from './csv-records.ts'
import { CELLS, headerOf, type ColumnKind, type PackFile } from './pack-files.ts'

export interface CheckedFile {
  /** Without the header. */
  rows: number
  bytes: number
  sha256: string
}

/** A row for the listener that computes totals. */
export interface CsvRow {
  /** Empty for an empty cell. */
  cell(name: string): string
  cents(name: string): bigint | undefined
  /** Empty cells are null. */
  all(): Record<string, string | null>
}

const BYTE_ORDER_MARK = '\uFEFF'

const WORDS = '[0-9A-Za-z_][\\w .;:/-]*'

/** The usual form of a kind's cells: a subset of CELLS. */
const USUAL: Record<ColumnKind, string> = {
  text: WORDS,
  word: WORDS,
  id: '\\d{1,19}',
  integer: '\\d{1,18}',
  money: '(?:-[1-9]\\d{0,15}|\\d{1,16})\\.\\d{2}',
  figure: '\\d{1,18}(?:\\.\\d{1,2})?',
  date: '\\d{4}-\\d{2}-\\d{2}',
  instant: '\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,6})?Z',
  boolean: '(?:true|false)',
}

/**
 * Proves header, line ends, every cell's form, the sums of each row and the balance of the file.
 * `onRow` receives each proved row. Throws invariant_broken; the message names file, row and
 * column, never a cell's content.
 */
export async function checkCsv(
  path: string,
  packFile: PackFile,
  onRow?: (row: CsvRow) => void,
): Promise<CheckedFile> {
  const hash = createHash('sha256')
  const reader = new RecordReader()
  const sheet = new SheetCheck(packFile, onRow)
  let bytes = 0
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 1 << 18 })
  for await (const data of chunks) {
    hash.update(data)
    bytes += data.length
    for (const record of reader.feed(decoder.decode(data, { stream: true }))) sheet.record(record)
  }
  if (reader.rest() !== '') throw broken(packFile, 'does not end with a line end')
  return { rows: sheet.finish(), bytes, sha256: hash.digest('hex') }
}

/** Checks the records of one file; the first is the header. */
class SheetCheck {
  readonly #file: PackFile
  readonly #indexes: ReadonlyMap<string, number>
  readonly #totals = new Map<string, bigint>()
  readonly #onRow: ((row: CsvRow) => void) | undefined
  readonly #usual: RegExp | undefined
  #rows = -1

  constructor(file: PackFile, onRow?: (row: CsvRow) => void) {
    this.#file = file
    this.#onRow = onRow
    this.#indexes = new Map(file.columns.map(({ name }, index) => [name, index]))
    this.#usual = onRow === undefined ? usualRow(file) : undefined
  }

  record(record: string): void {
    this.#rows += 1
    if (this.#rows === 0) this.#header(record)
    else if (this.#usual?.test(record) !== true) this.#row(cellsOf(record))
  }

  /** The number of rows without the header. */
  finish(): number {
    if (this.#rows < 0) throw broken(this.#file, 'is empty')
    const [left, right] = this.#file.balances ?? []
    if (left !== undefined && right !== undefined && this.#total(left) !== this.#total(right)) {
      throw broken(this.#file, `has totals of ${left} and ${right} that differ`)
    }
    return this.#rows
  }

  #header(record: string): void {
    const header = record.startsWith(BYTE_ORDER_MARK) ? record.slice(1) : record
    if (header !== headerOf(this.#file)) throw broken(this.#file, 'has a wrong header')
  }

  #row(cells: readonly string[]): void {
    const { columns, adds, balances } = this.#file
    if (cells.length !== columns.length) {
      throw broken(
        this.#file,
        `row ${this.#rows} has ${cells.length} cells instead of ${columns.length}`,
      )
    }
    columns.forEach(({ name, kind, required }, index) => {
      const cell = cells[index] ?? ''
      if (cell === '' ? !required : CELLS[kind].test(cell)) return
      throw broken(
        this.#file,
        `row ${this.#rows}, ${name}: ${cell === '' ? 'empty' : `not a ${kind}`}`,
      )
    })
    for (const sum of adds) this.#addsUp(sum, cells)
    for (const name of balances ?? []) {
      this.#totals.set(name, this.#total(name) + (this.#cents(name, cells) ?? 0n))
    }
    this.#onRow?.({
      cell: (name) => cells[this.#indexes.get(name) ?? -1] ?? '',
      cents: (name) => this.#cents(name, cells),
      all: () => Object.fromEntries(columns.map(({ name }, at) => [name, cells[at] || null])),
    })
  }

  #addsUp([sum = '', ...parts]: readonly string[], cells: readonly string[]): void {
    let left = this.#cents(sum, cells)
    for (const part of parts) {
      const cents = this.#cents(part.replace('-', ''), cells)
      if (cents === undefined || left === undefined) return
      left += part.startsWith('-') ? cents : -cents
    }
    if (left !== 0n)
      throw broken(this.#file, `row ${this.#rows}: ${sum} is not the sum of its parts`)
  }

  #total(name: string): bigint {
    return this.#totals.get(name) ?? 0n
  }

  #cents(name: string, cells: readonly string[]): bigint | undefined {
    return printedCents(cells[this.#indexes.get(name) ?? -1] ?? '')
  }
}

/**
 * Proves a usual row at once, in a file whose cells need only their form; other rows are checked
 * cell by cell.
 */
function usualRow({ columns, adds, balances }: PackFile): RegExp | undefined {
  if (adds.length > 0 || balances !== undefined) return undefined
  const cells = columns.map(({ kind, required }) =>
    required ? USUAL[kind] : `(?:${USUAL[kind]})?`,
  )
  return new RegExp(`^${cells.join(',')}$`)
}

const broken = (packFile: PackFile, what: string) =>
  new Failure('invariant_broken', `${packFile.name} ${what}; the pack is withheld`)
