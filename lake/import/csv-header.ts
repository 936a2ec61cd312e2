import type { ImportOrder } from '../../domain/import.ts'
import { partOf, unread } from './file-kind.ts'
import type { ReadableFile } from './readable-file.ts'

const MAX_HEADER_BYTES = 1_048_576

/** Returns the names in the first line of a CSV file, in order. Throws import_unreadable if there is no such line. */
export async function csvHeader(
  order: ImportOrder,
  { path, linesAbove }: ReadableFile,
  delimiter: string,
): Promise<string[]> {
  const text = new TextDecoder().decode(await partOf(path, 0, MAX_HEADER_BYTES))
  const names = valuesIn(text, delimiter)
  if (names === undefined || names.join('') === '') {
    throw unread(order, `line ${linesAbove + 1} is no header of CSV`)
  }
  return names
}

/** Returns the values of the first line by the rules of RFC 4180, or undefined if there is no line. */
export const valuesIn = (text: string, delimiter: string): string[] | undefined =>
  rowsIn(text, delimiter, 1)[0]

/** Returns the values of the first lines, at most this many. */
export function rowsIn(text: string, delimiter: string, most: number): string[][] {
  const end = delimiter.replace(/[\\^$.|?*+()[\]{}]/, String.raw`\$&`)
  const cell = new RegExp(
    String.raw` *"((?:[^"]|"")*)"(${end}|\r\n|\n|\r|$)|([^${end}\r\n]*)(${end}|\r\n|\n|\r|$)`,
    'gy',
  )
  const rows: string[][] = []
  let row: string[] = []
  while (cell.lastIndex < text.length && rows.length < most) {
    const [, quotedValue, afterQuote, plain = '', after] = cell.exec(text) ?? []
    row.push(quotedValue?.replaceAll('""', '"') ?? plain)
    if ((afterQuote ?? after) === delimiter && cell.lastIndex < text.length) continue
    rows.push(row)
    row = []
  }
  return rows
}
