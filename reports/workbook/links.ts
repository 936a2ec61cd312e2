/** Links from a finding to its settlement or its line, and from a settlement to its lines. */
import type { Row } from '../pack/pack-source.ts'
import { columnLetters } from './cell.ts'
import type { Link } from './sheet.ts'

/** The most links of a sheet that Excel follows. */
const MOST_LINKS = 65_530

/** Takes the rows of sheets in the order in which they are written, and links each to rows before it. */
export class Links {
  /** First and last row of the lines of each settlement. */
  readonly #lines = new Map<string, [first: number, last: number]>()
  /** The row of each settlement. */
  readonly #settlements = new Map<string, number>()

  /** Notes the row of a settlement or of a line. */
  note(sheet: string, row: Row, at: number): void {
    const id = row['settlementId'] ?? ''
    if (sheet === 'Settlements') this.#settlements.set(id, at)
    if (sheet === 'Lines') this.#lines.set(id, [this.#lines.get(id)?.[0] ?? at, at])
  }

  /** The column whose cell is a link, and the range that it selects; undefined for a row without a link. */
  of(sheet: string, row: Row): { column: string; to: string } | undefined {
    if (sheet === 'Settlements') {
      const lines = this.#lines.get(row['settlementId'] ?? '')
      return lines && { column: 'transactionCount', to: `'Lines'!A${lines[0]}:A${lines[1]}` }
    }
    if (row['subjectType'] !== 'settlement') return undefined
    const at = this.#settlements.get(row['subjectId'] ?? '')
    return at === undefined ? undefined : { column: 'subjectId', to: `'Settlements'!A${at}` }
  }
}

/** The links of one sheet, up to the number that Excel follows. */
export class SheetLinks {
  readonly links: Link[] = []

  /** True if the cell becomes a link. */
  add(column: number, row: number, to: string): boolean {
    if (this.links.length >= MOST_LINKS) return false
    this.links.push({ at: `${columnLetters(column)}${row}`, to })
    return true
  }
}
