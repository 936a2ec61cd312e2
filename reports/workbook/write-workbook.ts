/** The writer of a workbook, by sheet and by row: the disk limits its size, not the memory. */
import { escapeXml } from './cell.ts'
import type { Sheet } from './sheet.ts'
import { DECLARATION, MAIN, type PageTexts, RELATIONS, sheetXml, tableXml } from './sheet-xml.ts'
import { stylesXml } from './styles.ts'
import { writeZip, type ZipEntry } from './write-zip.ts'

export interface WorkbookAbout extends PageTexts {
  creator: string
  /** ISO 8601; the only time in the file. */
  at: string
}

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

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
    const number = sheets.indexOf(sheet) + 1
    yield { path: `xl/worksheets/sheet${number}.xml`, content: sheetXml(sheet, about) }
    if (sheet.table !== undefined) yield* tableParts(sheet, number)
  }
  // The ranges are known only now.
  yield { path: 'xl/workbook.xml', content: [workbookXml(sheets)] }
}

/** The table of a sheet, once its rows are counted. A table has the number of its sheet. */
function* tableParts(sheet: Sheet, number: number): Generator<ZipEntry> {
  yield {
    path: `xl/worksheets/_rels/sheet${number}.xml.rels`,
    content: [relations([[`${RELATIONS}/table`, `../tables/table${number}.xml`]])],
  }
  yield { path: `xl/tables/table${number}.xml`, content: [tableXml(sheet, number)] }
}

function workbookXml(sheets: readonly Sheet[]): string {
  const names = sheets.flatMap((sheet, n) => {
    const { printed } = sheet.ended()
    return [
      ...(printed === undefined ? [] : [printName('Print_Area', n, absolute(sheet, printed))]),
      ...(sheet.hasHead ? [printName('Print_Titles', n, `'${sheet.name}'!$1:$1`)] : []),
    ]
  })
  return [
    `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr/><bookViews><workbookView activeTab="0"/></bookViews><sheets>`,
    ...sheets.map(({ name }, n) => `<sheet name="${name}" sheetId="${n + 1}" r:id="rId${n + 1}"/>`),
    `</sheets>${names.length === 0 ? '' : `<definedNames>${names.join('')}</definedNames>`}</workbook>`,
  ].join('')
}

const printName = (name: string, sheet: number, range: string): string =>
  `<definedName name="_xlnm.${name}" localSheetId="${sheet}">${range}</definedName>`

/** `A1:F20` of the sheet Summary as `'Summary'!$A$1:$F$20`. */
const absolute = ({ name }: Sheet, range: string): string =>
  `'${name}'!${range.replaceAll(/([A-Z]+)(\d+)/g, '$$$1$$$2')}`

function contentTypes(sheets: readonly Sheet[]): string {
  const overrides = [
    ['/xl/workbook.xml', `${TYPE}.sheet.main+xml`],
    ['/xl/styles.xml', `${TYPE}.styles+xml`],
    ['/docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml'],
    ...sheets.map((_, n) => [`/xl/worksheets/sheet${n + 1}.xml`, `${TYPE}.worksheet+xml`]),
    ...sheets.flatMap(({ table }, n) =>
      table === undefined ? [] : [[`/xl/tables/table${n + 1}.xml`, `${TYPE}.table+xml`]],
    ),
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
