/** The workbook summary.xlsx: the tables for people, as typed cells, of any length. */
import type { PackAbout, PackSource } from '../pack/pack-source.ts'
import type { Summary } from '../pack/summary.ts'
import { Links } from './links.ts'
import type { Sheet } from './sheet.ts'
import { summarySheet } from './summary-sheet.ts'
import { TABLE_SHEETS } from './table-list.ts'
import { type CountedFile, tableSheet } from './table-sheet.ts'
import { writeWorkbook } from './write-workbook.ts'

/** The most rows of a sheet, without the header and the totals. */
const SHEET_ROWS = 1_048_574

interface Contents {
  source: PackSource
  summary: Summary
  about: PackAbout
  files: readonly CountedFile[]
}

/**
 * Writes the workbook to a new file. The same rows give the same bytes; `sheetRows` limits a sheet.
 */
export async function writeXlsx(
  file: string,
  { source, summary, about, files }: Contents,
  sheetRows = SHEET_ROWS,
): Promise<void> {
  const notes: string[] = []
  const making = { source, about, notes, files, links: new Links(), sheetRows }
  const tables = TABLE_SHEETS.map((sheet) => tableSheet(sheet, making))
  const first = summarySheet(summary, about, notes)
  const { account, window, parameters, asOf } = about
  await writeWorkbook(file, [first, ...tables], {
    title: `Settlement reconciliation ${account}`,
    heading: `${account}, ${window.from} up to, but not including, ${window.to}. Amounts in ${parameters.currency}.`,
    creator: 'tieout',
    at: new Date(asOf).toISOString(),
    // Links lead to sheets that are written before. The first sheet lists the sheets that were cut, so it is the last.
    written: [...tables.toSorted((one, other) => rankOf(one) - rankOf(other)), first],
  })
}

/** Lines are written first, then settlements, which link to them, then the sheets that link to settlements. */
const RANKS = ['Lines', 'Settlements']

function rankOf({ name }: Sheet): number {
  const rank = RANKS.indexOf(name)
  return rank === -1 ? RANKS.length : rank
}
