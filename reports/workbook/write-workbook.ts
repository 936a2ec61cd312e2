/** The writer of a workbook, by sheet and by row: the disk limits its size, not the memory. */
import { type Cell, cellXml, columnLetters, escapeXml } from './cell.ts'
import { stylesXml } from './styles.ts'
import { writeZip, type ZipEntry } from './write-zip.ts'

export interface Sheet {
  name: string
  /** Widths of the columns, in characters. */
  widths: readonly number[]
  /** The first row is the header, which stays in view and repeats on paper. */
  rows: AsyncIterable<readonly Cell[]>
  /**
   * Called after all rows are written: the number of rows under the filter, including the header; 0
   * for no filter.
   */
  filtered: () => number
}

export interface WorkbookAbout {
  title: string
  creator: string
  /** ISO 8601; the only time in the file. */
  at: string
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const PIECE_CHARACTERS = 65_536

/** Creates the file. Sheets are read in the order of `written`, and shown in the order of `sheets`. */
export async function writeWorkbook(
  file: string,
  sheets: readonly Sheet[],
  about: WorkbookAbout & { written: readonly Sheet[] },
): Promise<void> {
  await writeZip(file, parts(sheets, about))
}

function* parts(
  sheets: readonly Sheet[],
  about: WorkbookAbout & { written: readonly Sheet[] },
): Generator<ZipEntry> {
  yield { path: '[Content_Types].xml', content: [contentTypes(sheets)] }
  yield { path: '_rels/.rels', content: [packageRelations()] }
  yield { path: 'docProps/core.xml', content: [coreXml(about)] }
  yield { path: 'xl/_rels/workbook.xml.rels', content: [workbookRelations(sheets)] }
  yield { path: 'xl/styles.xml', content: [stylesXml()] }
  for (const sheet of about.written) {
    const path = `xl/worksheets/sheet${sheets.indexOf(sheet) + 1}.xml`
    yield { path, content: sheetXml(sheet, about) }
  }
  // The ranges are known only now.
  yield { path: 'xl/workbook.xml', content: [workbookXml(sheets)] }
}

async function* sheetXml(sheet: Sheet, about: WorkbookAbout): AsyncGenerator<string> {
  yield [
    `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>`,
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
    piece += `<row r="${row}">${cells.map((cell, column) => cellXml(cell, column, row)).join('')}</row>`
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    piece = ''
  }
  yield piece
  const last = columnLetters(sheet.widths.length - 1)
  yield [
    '</sheetData>',
    sheet.filtered() === 0 ? '' : `<autoFilter ref="A1:${last}${sheet.filtered()}"/>`,
    '<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.6" header="0.3" footer="0.3"/>',
    '<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>',
    // An ampersand begins a code in a footer; a doubled one is literal.
    `<headerFooter><oddFooter>&amp;L${escapeXml(about.title.replaceAll('&', '&&'))}, &amp;A&amp;R&amp;P / &amp;N</oddFooter></headerFooter>`,
    row === 0
      ? ''
      : `<ignoredErrors><ignoredError sqref="A1:${last}${row}" numberStoredAsText="1"/></ignoredErrors>`,
    '</worksheet>',
  ].join('')
}

function workbookXml(sheets: readonly Sheet[]): string {
  const last = (sheet: Sheet) => columnLetters(sheet.widths.length - 1)
  const filters = sheets.flatMap((sheet, n) =>
    sheet.filtered() === 0
      ? []
      : [
          `<definedName name="_xlnm._FilterDatabase" localSheetId="${n}" hidden="1">'${sheet.name}'!$A$1:$${last(sheet)}$${sheet.filtered()}</definedName>`,
        ],
  )
  const titles = sheets.map(
    ({ name }, n) =>
      `<definedName name="_xlnm.Print_Titles" localSheetId="${n}">'${name}'!$1:$1</definedName>`,
  )
  return [
    `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr/><bookViews><workbookView activeTab="0"/></bookViews><sheets>`,
    ...sheets.map(({ name }, n) => `<sheet name="${name}" sheetId="${n + 1}" r:id="rId${n + 1}"/>`),
    `</sheets><definedNames>${[...filters, ...titles].join('')}</definedNames></workbook>`,
  ].join('')
}

function contentTypes(sheets: readonly Sheet[]): string {
  const overrides = [
    ['/xl/workbook.xml', `${TYPE}.sheet.main+xml`],
    ['/xl/styles.xml', `${TYPE}.styles+xml`],
    ['/docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml'],
    ...sheets.map((_, n) => [`/xl/worksheets/sheet${n + 1}.xml`, `${TYPE}.worksheet+xml`]),
  ]
  return [
    `${DECLARATION}<Types xmlns="${PACKAGE}/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    ...overrides.map(([part, type]) => `<Override PartName="${part}" ContentType="${type}"/>`),
    '</Types>',
  ].join('')
}

const relations = (targets: readonly (readonly [type: string, target: string])[]): string =>
  `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map(
      ([type, target], n) => `<Relationship Id="rId${n + 1}" Type="${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

const packageRelations = (): string =>
  relations([
    [`${RELATIONS}/officeDocument`, 'xl/workbook.xml'],
    [`${PACKAGE}/relationships/metadata/core-properties`, 'docProps/core.xml'],
  ])

const workbookRelations = (sheets: readonly Sheet[]): string =>
  relations([
    ...sheets.map((_, n) => [`${RELATIONS}/worksheet`, `worksheets/sheet${n + 1}.xml`] as const),
    [`${RELATIONS}/styles`, 'styles.xml'],
  ])

const coreXml = ({ title, creator, at }: WorkbookAbout): string =>
  [
    `${DECLARATION}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"`,
    ' xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
    `<dc:title>${escapeXml(title)}</dc:title><dc:creator>${creator}</dc:creator>`,
    `<dcterms:created xsi:type="dcterms:W3CDTF">${at}</dcterms:created>`,
    `<dcterms:modified xsi:type="dcterms:W3CDTF">${at}</dcterms:modified></cp:coreProperties>`,
  ].join('')
