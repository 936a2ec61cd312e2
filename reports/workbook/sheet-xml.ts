/** The XML of one sheet: its cells row by row, then its links, colours, print settings and table. */
import { type Cell, cellXml, columnLetters, escapeXml } from './cell.ts'
import type { ColorRule, Link, Sheet } from './sheet.ts'
import { isWrapped, toneNumber } from './styles.ts'

export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
export const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
export const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const PIECE_CHARACTERS = 65_536
/** Spreadsheets allow no row above 409 points. */
const MOST_LINES = 30

/** Texts of the header and the footer of every printed page. */
export interface PageTexts {
  /** At the left of the footer. */
  title: string
  /** At the left of the header, with the name of the sheet at the right; no header if absent. */
  heading?: string
}

export async function* sheetXml(sheet: Sheet, texts: PageTexts): AsyncGenerator<string> {
  yield [
    `${DECLARATION}<worksheet xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>`,
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
    '<selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView></sheetViews>',
    '<sheetFormatPr defaultRowHeight="15"/><cols>',
    ...sheet.widths.map(
      (width, n) => `<col min="${n + 1}" max="${n + 1}" width="${width}" customWidth="1"/>`,
    ),
    '</cols><sheetData>',
  ].join('')
  let row = 0
  let piece = ''
  for await (const cells of sheet.rows) {
    row += 1
    piece += `<row r="${row}"${heightOf(cells, row, sheet)}>${cells.map((cell, column) => cellXml(cell, column, row)).join('')}</row>`
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    piece = ''
  }
  yield piece
  yield `</sheetData>${afterRows(sheet, row, texts)}</worksheet>`
}

const LINE_POINTS = 13
/** Letters are wider in some fonts than in the one that the width of a column counts. */
const FILLED = 0.95

/** The height of a row with a text of several lines; not every program measures such a row itself. */
function heightOf(cells: readonly Cell[], row: number, { widths, table }: Sheet): string {
  let most = 1
  for (const [n, cell] of cells.entries()) {
    if (cell === undefined || !('text' in cell) || !isWrapped(cell.style)) continue
    most = Math.max(most, linesOf(cell.text, (widths[n] ?? 0) * FILLED))
  }
  // The buttons of the filters stand below the headings.
  if (row === 1 && table !== undefined) most += 1
  return most === 1 ? '' : ` ht="${most * LINE_POINTS + 2}" customHeight="1"`
}

/** The lines of a text that is broken between words, or inside a word that is longer than a line. */
function linesOf(text: string, width: number): number {
  let [lines, used] = [1, 0]
  for (const word of text.split(' ')) {
    const needed = word.length + (used === 0 ? 0 : 1)
    if (used + needed <= width) {
      used += needed
      continue
    }
    lines += used === 0 ? 0 : 1
    const more = Math.ceil(word.length / width) - 1
    lines += Math.max(0, more)
    used = word.length - Math.max(0, more) * width
  }
  return Math.min(lines, MOST_LINES)
}

/** The order of the parts is that of the format; another order is refused by spreadsheet programs. */
function afterRows(sheet: Sheet, rows: number, texts: PageTexts): string {
  const { links = [], colors = [], breaks = [], footer } = sheet.ended()
  const last = columnLetters(sheet.widths.length - 1)
  return [
    ...colors.map(colorXml),
    links.length === 0 ? '' : `<hyperlinks>${links.map(linkXml).join('')}</hyperlinks>`,
    `<pageMargins left="0.4" right="0.4" top="${texts.heading === undefined ? '0.5' : '0.75'}" bottom="0.6" header="0.3" footer="0.3"/>`,
    `<pageSetup paperSize="9" orientation="${sheet.isPortrait === true ? 'portrait' : 'landscape'}" fitToWidth="1" fitToHeight="0"/>`,
    pageTextsXml(texts, footer),
    breaks.length === 0
      ? ''
      : `<rowBreaks count="${breaks.length}" manualBreakCount="${breaks.length}">${breaks.map((row) => `<brk id="${row}" max="16383" man="1"/>`).join('')}</rowBreaks>`,
    rows === 0
      ? ''
      : `<ignoredErrors><ignoredError sqref="A1:${last}${rows}" numberStoredAsText="1"/></ignoredErrors>`,
    sheet.table === undefined ? '' : '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
  ].join('')
}

const linkXml = ({ at, to }: Link): string => `<hyperlink ref="${at}" location="${escapeXml(to)}"/>`

const colorXml = ({ range, formula, tone }: ColorRule, n: number): string =>
  `<conditionalFormatting sqref="${range}"><cfRule type="expression" dxfId="${toneNumber(tone)}" priority="${n + 1}"><formula>${escapeXml(formula)}</formula></cfRule></conditionalFormatting>`

/** An ampersand begins a code in a header or a footer; a doubled one is literal. */
const literal = (text: string): string => escapeXml(text.replaceAll('&', '&&'))

function pageTextsXml({ title, heading }: PageTexts, footer?: string): string {
  const header =
    heading === undefined ? '' : `<oddHeader>&amp;L${literal(heading)}&amp;R&amp;A</oddHeader>`
  const middle = footer === undefined ? '' : `&amp;C${literal(footer)}`
  return `<headerFooter>${header}<oddFooter>&amp;L${literal(title)}${heading === undefined ? ', &amp;A' : ''}${middle}&amp;RPage &amp;P of &amp;N</oddFooter></headerFooter>`
}

/** The part of the package that makes the first rows of a sheet a table with filters and stripes. */
export function tableXml(sheet: Sheet, number: number): string {
  const { name = '', headings = [] } = sheet.table ?? {}
  const range = `A1:${columnLetters(headings.length - 1)}${sheet.ended().tableRows ?? 2}`
  return [
    `${DECLARATION}<table xmlns="${MAIN}" id="${number}" name="${name}" displayName="${name}" ref="${range}" totalsRowShown="0">`,
    `<autoFilter ref="${range}"/><tableColumns count="${headings.length}">`,
    ...headings.map((heading, n) => `<tableColumn id="${n + 1}" name="${escapeXml(heading)}"/>`),
    '</tableColumns><tableStyleInfo name="TableStyleLight1" showFirstColumn="0" showLastColumn="0" showRowStripes="1" showColumnStripes="0"/></table>',
  ].join('')
}
