/** The closed list of cell styles, each with its number in the workbook's style sheet. */

interface Style {
  format: string
  font?: keyof typeof FONTS
  /** True for a row that closes or heads a table. */
  shaded?: boolean
  wrapped?: boolean
  /** Text is left and a figure right, unless this says otherwise. */
  align?: 'left' | 'right'
}

const INK = 'FF1D2733'
const FONTS = {
  plain: { color: INK, bold: false, size: 10 },
  bold: { color: INK, bold: true, size: 10 },
  title: { color: INK, bold: true, size: 16 },
  soft: { color: 'FF56616E', bold: false, size: 10 },
  good: { color: 'FF00664D', bold: true, size: 10 },
  bad: { color: 'FFA83200', bold: true, size: 10 },
  warn: { color: 'FF7A5200', bold: true, size: 10 },
  link: { color: 'FF1F5F99', bold: false, size: 10, underlined: true },
} as const

/** The colours that rules give to cells: of the letters and behind them. */
const TONES = {
  bad: { color: 'FFA83200', behind: 'FFFBE9E1' },
  warn: { color: 'FF7A5200', behind: 'FFFDF3DC' },
  /** Most settlements are tied, so a coloured ground would hide the others. */
  good: { color: 'FF00664D' },
} as const

export type Tone = keyof typeof TONES

const MONEY = '#,##0.00;[Red]-#,##0.00'
const TEXT = '@'
const COUNT = '#,##0'

const STYLES = {
  plain: { format: 'General' },
  text: { format: TEXT },
  long: { format: TEXT, wrapped: true },
  integer: { format: COUNT },
  money: { format: MONEY },
  /** An amount or a count with too many digits for a number. */
  digits: { format: TEXT, align: 'right' },
  date: { format: 'yyyy-mm-dd', align: 'left' },
  instant: { format: 'yyyy-mm-dd hh:mm:ss', align: 'left' },
  link: { format: TEXT, font: 'link' },
  linkInteger: { format: COUNT, font: 'link' },
  head: { format: TEXT, font: 'bold', shaded: true, wrapped: true },
  headFigure: { format: TEXT, font: 'bold', shaded: true, wrapped: true, align: 'right' },
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

const TONE_NAMES = Object.keys(TONES)

export const toneNumber = (tone: Tone): number => TONE_NAMES.indexOf(tone)

export const isWrapped = (name: StyleName): boolean => {
  const style: Style = STYLES[name]
  return style.wrapped === true
}

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
    many('dxfs', Object.values(TONES).map(toneXml)),
    '</styleSheet>',
  ].join('')
}

const many = (name: string, parts: readonly string[]): string =>
  `<${name} count="${parts.length}">${parts.join('')}</${name}>`

interface Font {
  color: string
  bold: boolean
  size: number
  underlined?: boolean
}

const fontXml = ({ color, bold, size, underlined = false }: Font): string =>
  `<font>${bold ? '<b/>' : ''}${underlined ? '<u/>' : ''}<sz val="${size}"/><color rgb="${color}"/><name val="Arial"/><family val="2"/></font>`

function toneXml({ color, behind }: { color: string; behind?: string }): string {
  const ground =
    behind === undefined
      ? ''
      : `<fill><patternFill patternType="solid"><fgColor rgb="${behind}"/><bgColor rgb="${behind}"/></patternFill></fill>`
  return `<dxf><font><b/><color rgb="${color}"/></font>${ground}</dxf>`
}

function formOf(style: Style, formats: readonly string[]): string {
  const format = FIRST_FORMAT + formats.indexOf(style.format)
  const font = FONT_NAMES.indexOf(style.font ?? 'plain')
  const fill = style.shaded === true ? 2 : 0
  return `<xf numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyAlignment="1">${alignmentOf(style)}</xf>`
}

/** The indent keeps a text apart from the figure at its left. */
function alignmentOf({ format, align, wrapped = false }: Style): string {
  const side = align ?? (format === TEXT ? 'left' : undefined)
  const horizontal =
    side === undefined ? '' : ` horizontal="${side}"${side === 'left' ? ' indent="1"' : ''}`
  return `<alignment${horizontal} vertical="top"${wrapped ? ' wrapText="1"' : ''}/>`
}
