/** Draws a chart as SVG, for a wide page and for a narrow one. The same data gives the same bytes. */
import type { EChartsCoreOption } from 'echarts/core'
import { init } from '#libraries/echarts'
import { assert } from '../../domain/failure.ts'
import { escape } from './html.ts'

export const COLORS = {
  ink: '#1d2733',
  soft: '#56616e',
  line: '#dde3e9',
  reported: '#9aa6b2',
  computed: '#1f5f99',
  bad: '#a83200',
  warn: '#7a5200',
  good: '#00664d',
} as const

export interface Chart {
  /** The prefix of every id in the drawing. */
  id: string
  title: string
  /** The chart in words, for people who can't see it. */
  description: string
  height: number
  option: (width: number) => EChartsCoreOption
}

const WIDE = 1040
const NARROW = 340

/** Returns both drawings. The style sheet shows the one that fits. */
export const chart = (drawn: Chart): string[] => [
  '<figure>',
  draw(drawn, WIDE, 'wide'),
  draw(drawn, NARROW, 'narrow'),
  '</figure>',
]

/** Returns a single drawing, as wide as a card. */
export const smallChart = (drawn: Chart): string => draw(drawn, NARROW, 'small')

function draw(drawn: Chart, width: number, size: string): string {
  const canvas = init(null, null, { renderer: 'svg', ssr: true, width, height: drawn.height })
  try {
    canvas.setOption({
      animation: false,
      useUTC: true,
      textStyle: { fontFamily: 'inherit', color: COLORS.soft },
      ...drawn.option(width),
    })
    const id = `${drawn.id}-${size}`
    const content = cleaned(canvas.renderToSVGString(), id)
    return [
      `<svg class="${size}" viewBox="0 0 ${width} ${drawn.height}" role="img" aria-labelledby="${id}-title ${id}-words">`,
      `<title id="${id}-title">${escape(drawn.title)}</title><desc id="${id}-words">${escape(drawn.description)}</desc>`,
      `${content}</svg>`,
    ].join('')
  } finally {
    canvas.dispose()
  }
}

/**
 * Replaces the library's ids, which count from the start of the process, by the chart's own. Inline styles become
 * attributes, because the page allows no style except its sheet.
 */
function cleaned(svg: string, id: string): string {
  const content = svg
    .replace(/^<svg[^>]*>\n?/, '')
    .replace(/<\/svg>\s*$/, '')
    .replaceAll(/<style[^>]*>[\s\S]*?<\/style>/g, '')
    .replaceAll(/ (class|ecmeta_\w+|pointer-events)="[^"]*"/g, '')
    .replaceAll(/ style="([^"]*)"/g, (_, style: string) => attributesOf(style))
    .replaceAll(/zr\d+-/g, `${id}-`)
    .replace(/<rect [^>]*fill="none"><\/rect>\n?/, '')
    .replaceAll(/>\s+</g, '><')
    .trim()
  assert(!/style=|<script|zr\d/.test(content), 'a chart holds no style of its own')
  return content
}

/** Converts size and weight of the font to attributes. The page sets the font family. */
function attributesOf(style: string): string {
  const rules = new Map(
    style
      .split(';')
      .map((rule) => rule.split(':').map((part) => part.trim()))
      .map(([name = '', value = '']): [string, string] => [name, value]),
  )
  // Some texts have the shorthand style `font`: style, weight, size, family.
  const [, weight = rules.get('font-weight'), size = rules.get('font-size')] = (
    rules.get('font') ?? ''
  ).split(' ')
  assert(size !== undefined && /^[\d.]+px$/.test(size), 'the letters of a chart have a size')
  return ` font-size="${size}"${weight === undefined || weight === 'normal' ? '' : ` font-weight="${weight}"`}`
}
