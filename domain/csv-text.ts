/** Text of CSV files (RFC 4180), and the guard against formulas (R-32). */

/**
 * A text that a spreadsheet takes for a formula, as a regular expression of JavaScript and of DuckDB. A spreadsheet
 * looks behind blanks, too, and takes the full-width signs.
 */
export const FORMULA_PATTERN = '^([\\t\\r]|[\\s\u00A0\u3000]*[=+\\-@＝＋－＠])'

/** A number that is stored as text is no formula. The same for both. */
export const NUMBER_PATTERN = String.raw`^-?\d+(\.\d+)?$`

const FORMULA = new RegExp(FORMULA_PATTERN)
const NUMBER = new RegExp(NUMBER_PATTERN)

/** Puts a `'` before a text that is a formula. */
export const guardedText = (text: string): string =>
  FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text

/** A row as a line with its line end. Quotes surround a cell that needs them. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map(quotedCell).join(',')}\r\n`

const quotedCell = (text: string) =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
