/** The shape of a sheet that the writer of a workbook takes. */
import type { Cell } from './cell.ts'
import type { Tone } from './styles.ts'

export interface Sheet {
  name: string
  /** Widths of the columns, in characters. */
  widths: readonly number[]
  /** The first row stays in view. */
  rows: AsyncIterable<readonly Cell[]>
  /** True: the first row has headings, which repeat on each printed page. */
  hasHead: boolean
  /** The table that begins at A1: its name in formulas, and the text of its header cells. */
  table?: { name: string; headings: readonly string[] }
  isPortrait?: boolean
  /** Called after all rows are written. */
  ended: () => SheetEnd
}

/** Properties of a sheet that are known only after its last row. */
export interface SheetEnd {
  /** Rows of the table with its header; at least 2 if the sheet has a table. */
  tableRows?: number
  links?: readonly Link[]
  colors?: readonly ColorRule[]
  /** The range that is printed, such as `A1:F20`; all of the sheet if absent. */
  printed?: string
  /** Rows that end a printed page. */
  breaks?: readonly number[]
  /** A text in the middle of the footer. */
  footer?: string
}

/** A click on the cell `at` selects the range `to`, such as `'Lines'!A5:A9`. */
export interface Link {
  at: string
  to: string
}

/** The cells of a range take the tone while the formula is true for them; it is written for the first cell. */
export interface ColorRule {
  range: string
  formula: string
  tone: Tone
}
