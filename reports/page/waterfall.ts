/** Draws one settlement as a waterfall: from the reported net, step by step, to the computed one. */
import type { EChartsCoreOption } from 'echarts/core'
import { grouped, printedCents } from '../../domain/cents.ts'
import type { Row } from '../pack/pack-source.ts'
import { type Chart, COLORS } from './chart.ts'

export interface Bar {
  name: string
  /** The position in cents, relative to the reported net. */
  from: bigint
  to: bigint
  /** The amount beside it, such as `-1,020.00`. */
  figure: string
  color: string
}

const ROW_HEIGHT = 30
const NAME_WIDTH = 124
const FIGURE_WIDTH = 96
const LABEL_CHARACTERS = 14

/** Returns the bars of a settlement: reported, each step, the unexplained rest, computed. */
export function barsOf(settlement: Row, steps: readonly Row[]): Bar[] {
  const bars: Bar[] = [
    {
      name: 'Reported net',
      from: 0n,
      to: 0n,
      figure: grouped(settlement['reportedNet'] ?? ''),
      color: COLORS.ink,
    },
  ]
  let at = 0n
  const add = (name: string, amount: string, color: string): void => {
    const to = at + (printedCents(amount) ?? 0n)
    bars.push({ name, from: at, to, figure: signed(amount), color })
    at = to
  }
  for (const step of steps) add(nameOf(step), step['effect'] ?? '0.00', COLORS.computed)
  const unexplained = settlement['unexplainedAmount'] ?? '0.00'
  if (unexplained !== '0.00') add('Unexplained', unexplained, COLORS.bad)
  bars.push({
    name: 'Computed net',
    from: at,
    to: at,
    figure: grouped(settlement['computedNet'] ?? ''),
    color: COLORS.ink,
  })
  return bars
}

export function waterfall(settlement: Row, steps: readonly Row[]): Chart {
  const bars = barsOf(settlement, steps)
  const id = settlement['settlementId'] ?? ''
  return {
    id: `settlement-${id}-picture`,
    title: `Settlement ${id}: from the reported to the computed net`,
    description: bars.map(({ name, figure }) => `${name} ${figure}`).join(', '),
    height: bars.length * ROW_HEIGHT + 8,
    option: (width) => optionOf(bars, width),
  }
}

const signed = (amount: string): string => `${amount.startsWith('-') ? '' : '+'}${grouped(amount)}`

function nameOf(step: Row): string {
  const id = step['transactionId']
  if (id === null || id === undefined) return `${step['transactions']} transactions`
  const short = id.length > LABEL_CHARACTERS - 7 ? `…${id.slice(7 - LABEL_CHARACTERS)}` : id
  const kinds: Record<string, string> = { REFUND: 'Refund', CHARGE: 'Charge' }
  return `${kinds[step['action'] ?? ''] ?? 'Transaction'} ${short}`
}

function optionOf(bars: readonly Bar[], width: number): EChartsCoreOption {
  const ends = bars.flatMap(({ from, to }) => [Number(from), Number(to)])
  return {
    grid: { left: NAME_WIDTH, right: FIGURE_WIDTH, top: 4, bottom: 4 },
    xAxis: { type: 'value', show: false, min: Math.min(...ends), max: Math.max(...ends) },
    yAxis: {
      type: 'category',
      inverse: true,
      data: bars.map(({ name }) => name),
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { color: COLORS.ink, fontSize: 12, width: NAME_WIDTH - 8, overflow: 'truncate' },
    },
    series: [
      {
        type: 'custom',
        silent: true,
        data: bars.map(({ from, to }, line) => [Number(from), Number(to), line]),
        renderItem: (_: unknown, api: Api) => barAt(bars[Number(api.value(2))], api, width),
      },
    ],
  }
}

interface Api {
  value(dimension: number): number | string
  coord(point: readonly [number, number]): [number, number]
}

/** Draws a bar for a step or a tick for a sum, a hairline to the next row, and the figure at the right end. */
function barAt(bar: Bar | undefined, api: Api, width: number): unknown {
  const line = Number(api.value(2))
  const [start, y] = api.coord([Number(api.value(0)), line])
  const [end] = api.coord([Number(api.value(1)), line])
  if (bar === undefined) return undefined
  const isSum = bar.from === bar.to
  const shape = isSum
    ? { x: start - 1.5, y: y - 11, width: 3, height: 22 }
    : { x: Math.min(start, end), y: y - 8, width: Math.max(Math.abs(end - start), 2), height: 16 }
  const join = { x1: end, y1: y, x2: end, y2: y + ROW_HEIGHT }
  return {
    type: 'group',
    children: [
      ...(bar.name === 'Computed net'
        ? []
        : [{ type: 'line', shape: join, style: { stroke: COLORS.reported, lineWidth: 1 } }]),
      { type: 'rect', shape, style: { fill: bar.color } },
      {
        type: 'text',
        style: {
          text: bar.figure,
          x: width - 4,
          y,
          align: 'right',
          verticalAlign: 'middle',
          fill: isSum ? COLORS.ink : bar.color,
          fontSize: 12,
          fontWeight: 600,
        },
      },
    ],
  }
}
