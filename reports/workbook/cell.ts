/** Writes a cell of a workbook as XML. Text stays text and never becomes a formula. */
import { styleNumber, type StyleName } from './styles.ts'
import { DAY_MS } from '../../domain/business-day.ts'

export type Cell =
  | { text: string; style: StyleName }
  /** A number as decimal text, which is written unchanged and never becomes a double. */
  | { number: string; style: StyleName }
  /** A formula of our own, never from data, with its result. */
  | { formula: string; number: string; style: StyleName }
  | undefined

const CELL_CHARACTERS = 32_767
const CUT = ' … cut here, whole in the CSV'
/** Spreadsheets represent numbers of up to this many digits exactly. */
const DIGITS = 15
/** Day zero of spreadsheets, 1899-12-30. */
const DAY_ZERO_MS = -2_209_161_600_000

/** Returns a number, or text if a spreadsheet can't represent the number exactly. */
export function figure(text: string, style: StyleName): Cell {
  const isExact = text.replaceAll(/\D/g, '').length <= DIGITS
  return isExact ? { number: text, style } : { text, style: 'digits' }
}

/** Returns a date or an instant in UTC as a number of days, which is the form of spreadsheets. */
export function moment(text: string, style: 'date' | 'instant'): Cell {
  // No digit is rounded off. Otherwise a program that truncates would show the second before.
  return { number: String((Date.parse(text) - DAY_ZERO_MS) / DAY_MS), style }
}

/** `column` counts from 0, `row` from 1. */
export function cellXml(cell: Cell, column: number, row: number): string {
  if (cell === undefined) return ''
  const at = `<c r="${columnLetters(column)}${row}" s="${styleNumber(cell.style)}"`
  if ('formula' in cell) return `${at}><f>${cell.formula}</f><v>${cell.number}</v></c>`
  if ('number' in cell) return `${at}><v>${cell.number}</v></c>`
  if (cell.text === '') return `${at}/>`
  return `${at} t="inlineStr"><is><t xml:space="preserve">${escapeXml(shortened(cell.text))}</t></is></c>`
}

export function columnLetters(column: number): string {
  const letter = String.fromCodePoint(65 + (column % 26))
  return column < 26 ? letter : columnLetters(Math.floor(column / 26) - 1) + letter
}

const shortened = (text: string): string =>
  text.length > CELL_CHARACTERS ? text.slice(0, CELL_CHARACTERS - CUT.length) + CUT : text

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Underlines that would begin an escape, markup, and characters that XML 1.0 forbids. */
// oxlint-disable-next-line no-control-regex -- XML forbids these
const ESCAPED = /_(?=x[\dA-Fa-f]{4}_)|[&<>\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]/g

/**
 * Writes characters that XML can't hold as spreadsheets do, `_x0001_`, and escapes text of the same
 * form.
 */
export function escapeXml(text: string): string {
  // Most of a million texts have nothing to escape, and a search is faster than a replacement.
  if (text.search(ESCAPED) === -1) return text
  return text.replaceAll(
    ESCAPED,
    (found) =>
      ENTITIES[found] ??
      `_x${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}_`,
  )
}
