/** Reads a small CSV that a person edited in a spreadsheet. */
import { readFile } from 'node:fs/promises'
import { Failure } from '../domain/failure.ts'
import { reasonOf } from '../domain/reason.ts'

export interface CsvRow {
  /** The number that a spreadsheet shows beside the row; the names of the columns are row 1. */
  row: number
  /** Trimmed cells by the name of their column. */
  cells: Readonly<Record<string, string>>
}

export interface CsvRows {
  names: readonly string[]
  rows: readonly CsvRow[]
}

/**
 * Reads the names of the columns, and every row that has a cell with text. The first line decides the delimiter: a
 * comma, a semicolon or a tab. Throws usage with the file, and with the row that is at fault.
 */
export async function readCsvRows(file: string): Promise<CsvRows> {
  const refused = (row: number, what: string) =>
    new Failure('usage', `row ${row} of ${file} ${what}`, {
      remedy: 'put quotes around a text with commas, and two quotes for each quote in it',
    })
  const [names = [], ...rest] = cellsIn(await textOf(file), refused)
  const rows = rest
    .map((cells, at) => ({ row: at + 2, cells }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  // A comma without quotes in a reason would cut the reason off.
  const wide = rows.find(({ cells }) => cells.slice(names.length).some((cell) => cell !== ''))
  if (wide !== undefined) throw refused(wide.row, 'has more cells than row 1')
  const named = (cells: readonly string[]) =>
    Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']))
  return { names, rows: rows.map(({ row, cells }) => ({ row, cells: named(cells) })) }
}

const REMEDY = 'save it in the spreadsheet as CSV UTF-8, and apply that file'

async function textOf(file: string): Promise<string> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    const remedy = 'give the file that tieout exceptions export wrote'
    throw new Failure('usage', `${file} can't be read: ${reasonOf(cause)}`, { cause, remedy })
  })
  // A workbook is a ZIP archive, or in its old form a compound file.
  if (['504b0304', 'd0cf11e0'].includes(bytes.subarray(0, 4).toString('hex'))) {
    throw new Failure('usage', `${file} is a workbook and not a CSV file`, { remedy: REMEDY })
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    const what = `${file} has bytes that are not UTF-8, so that names and reasons would be wrong`
    throw new Failure('usage', what, { cause, remedy: REMEDY })
  }
}

/** The trimmed cells of each row (RFC 4180). */
function cellsIn(text: string, refused: (row: number, what: string) => Failure): string[][] {
  const [first = ''] = text.split(/[\r\n]/, 1)
  const delimiter = /[,;\t]/.exec(first)?.[0] ?? ','
  const cell = new RegExp(
    String.raw`(?:"((?:[^"]|"")*)"|([^"${delimiter}\r\n][^${delimiter}\r\n]*)?)(${delimiter}|\r\n|\r|\n|$)`,
    'y',
  )
  const rows: string[][] = [[]]
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text)
    if (found === null) throw refused(rows.length, 'has a quote without its other one')
    const [, quoted, plain = '', end] = found
    rows.at(-1)?.push((quoted?.replaceAll('""', '"') ?? plain).trim())
    if (end !== delimiter) rows.push([])
  }
  return rows
}
