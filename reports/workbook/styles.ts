/** The closed list of cell styles, each with its number in the workbook's style sheet. */

interface Style {
  format: string
  font?: keyof typeof FONTS
  /** True for a row that closes or heads a table. */
  shaded?: boolean
  wrapped?: boolean
}

const INK = 'FF1D2733'
const FONTS = {
  plain: { color: INK, bold: false, size: 11 },
  bold: { color: INK, bold: true, size: 11 },
  title: { color: INK, bold: true, size: 16 },
  soft: { color: 'FF56616E', bold: false, size: 11 },
  good: { color: 'FF00664D', bold: true, size: 11 },
  bad: { color: 'FFA83200', bold: true, size: 11 },
  warn: { color: 'FF7A5200', bold: true, size: 11 },
} as const

export const MONEY = '#,##0.00;[Red]-#,##0.00'
const TEXT = '@'
const COUNT = '#,##0'

const STYLES = {
  plain: { format: 'General' },
  text: { format: TEXT },
  long: { format: TEXT, wrapped: true },
  integer: { format: COUNT },
  money: { format: MONEY },
  date: { format: 'yyyy-mm-dd' },
  instant: { format: 'yyyy-mm-dd hh:mm:ss' },
  head: { format: TEXT, font: 'bold', shaded: true, wrapped: true },
  title: { format: TEXT, font: 'title' },
  label: { format: TEXT, font: 'soft' },
  good: { format: TEXT, font: 'good' },
  bad: { format: TEXT, font: 'bad' },
  warn: { format: TEXT, font: 'warn' },
  totalText: { format: TEXT, font: 'bold', shaded: true },
  totalInteger: { format: COUNT, font: 'bold', shaded: true },
  totalMoney: { format: MONEY, font: 'bold', shaded: true },
} as const satisfies Record<string, Style>

export type StyleName = keyof typeof STYLES

const NAMES = Object.keys(STYLES)
const FONT_NAMES = Object.keys(FONTS)
/** Numbers below 164 are the spreadsheet programs' own. */
const FIRST_FORMAT = 164

export const styleNumber = (name: StyleName): number => NAMES.indexOf(name)

export function stylesXml(): string {
  const styles: readonly Style[] = Object.values(STYLES)
  const formats = [...new Set(styles.map(({ format }) => format))]
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n',
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
    many(
      'numFmts',
      formats.map((code, n) => `<numFmt numFmtId="${FIRST_FORMAT + n}" formatCode="${code}"/>`),
    ),
    many('fonts', Object.values(FONTS).map(fontXml)),
    many('fills', [
      '<fill><patternFill patternType="none"/></fill>',
      '<fill><patternFill patternType="gray125"/></fill>',
      '<fill><patternFill patternType="solid"><fgColor rgb="FFEEF2F6"/></patternFill></fill>',
    ]),
    many('borders', ['<border/>']),
    many('cellStyleXfs', ['<xf/>']),
    many(
      'cellXfs',
      styles.map((style) => formOf(style, formats)),
    ),
    many('cellStyles', ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']),
    '</styleSheet>',
  ].join('')
}

const many = (name: string, parts: readonly string[]): string =>
  `<${name} count="${parts.length}">${parts.join('')}</${name}>`

const fontXml = ({ color, bold, size }: (typeof FONTS)[keyof typeof FONTS]): string =>
  `<font>${bold ? '<b/>' : ''}<sz val="${size}"/><color rgb="${color}"/><name val="Calibri"/><family val="2"/></font>`

function formOf(style: Style, formats: readonly string[]): string {
  const format = FIRST_FORMAT + formats.indexOf(style.format)
  const font = FONT_NAMES.indexOf(style.font ?? 'plain')
  const fill = style.shaded === true ? 2 : 0
  const alignment = `<alignment vertical="top"${style.wrapped === true ? ' wrapText="1"' : ''}/>`
  return `<xf numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyAlignment="1">${alignment}</xf>`
}
