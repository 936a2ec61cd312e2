/** Text of CSV files (RFC 4180), and the guard against formulas (R-32). */

/**
 * A text that a spreadsheet takes for a formula, as a regular expression of JavaScript and of DuckDB. A spreadsheet
 * looks behind blanks and behind characters without a form, too, and takes the full-width signs.
 */
export const FORMULA_PATTERN = String.raw`^([\t\r]|[\p{Z}\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])`

/** A number that is stored as text is no formula. The same for both. */
export const NUMBER_PATTERN = String.raw`^-?\d+(\.\d+)?$`

const FORMULA = new RegExp(FORMULA_PATTERN, 'u')
const NUMBER = new RegExp(NUMBER_PATTERN)

/** Returns true for a text that a spreadsheet may take for a formula. */
export const isFormula = (text: string): boolean => FORMULA.test(text)

/** Puts a `'` before a text that is a formula. */
export const guardedText = (text: string): string =>
  isFormula(text) && !NUMBER.test(text) ? `'${text}` : text

/** A row as a line with its line end. Quotes surround a cell that needs them. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map(quotedCell).join(',')}\r\n`

const quotedCell = (text: string) =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
