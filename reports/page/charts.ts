/**
 * The charts of the page. Amounts become plain numbers here, for lengths only; every printed figure
 * is the text of the files.
 */
import { countedNoun } from '../../domain/headline.ts'
import type { EChartsCoreOption } from 'echarts/core'
import { grouped } from '../../domain/cents.ts'
import type { Row } from '../pack/pack-source.ts'
import { type Chart, COLORS } from './chart.ts'

const length = (row: Row, name: string): number => Number(row[name] ?? 0)

/** Axis labels: 12k, 1.5M. */
function compact(value: number): string {
  const size = Math.abs(value)
  if (size >= 1_000_000) return `${Number((value / 1_000_000).toFixed(2))}M`
  if (size >= 1000) return `${Number((value / 1000).toFixed(2))}k`
  return String(value)
}

const monthAndDay = (at_ms: number): string => new Date(at_ms).toISOString().slice(5, 10)

const LABEL = { color: COLORS.soft, fontSize: 12 }

/** An axis of amounts or counts; `splits` is about how many lines it has. */
const valueAxis = (splits: number, more: EChartsCoreOption = {}): EChartsCoreOption => ({
  type: 'value',
  splitNumber: splits,
  axisLabel: { ...LABEL, formatter: compact, hideOverlap: true },
  splitLine: { lineStyle: { color: COLORS.line } },
  ...more,
})

const HIDDEN_AXIS = valueAxis(4, { axisLabel: { show: false }, splitLine: { show: false } })

const categoryAxis = (data: readonly string[], more: EChartsCoreOption = {}) => ({
  type: 'category',
  data,
  axisTick: { show: false },
  axisLine: { lineStyle: { color: COLORS.line } },
  axisLabel: LABEL,
  ...more,
})

/** Names down the left side, the first on top. */
const nameAxis = (names: readonly string[], width: number) =>
  categoryAxis(names, {
    inverse: true,
    axisLabel: { ...LABEL, width, overflow: 'truncate', color: COLORS.ink },
  })

const bars = (color: string, data: readonly unknown[], more: EChartsCoreOption = {}) => ({
  type: 'bar',
  silent: true,
  itemStyle: { color },
  data,
  ...more,
})

/** Draws reported beside computed for each day, and their difference below, on its own scale. */
export function netByDay(days: readonly Row[]): Chart {
  const dates = days.map((row) => row['date'] ?? '')
  // A day differs if one of its settlements does, even if the differences of the day cancel.
  const off = days.filter((row) => length(row, 'differing') !== 0)
  const labels = { ...LABEL, formatter: (date: string) => date.slice(5), hideOverlap: true }
  const option = (): EChartsCoreOption => ({
    grid: [
      { left: 56, right: 8, top: 12, height: 168 },
      { left: 56, right: 8, top: 216, height: 64 },
    ],
    xAxis: [
      categoryAxis(dates, { gridIndex: 0, axisLabel: { show: false } }),
      categoryAxis(dates, {
        gridIndex: 1,
        axisLabel: { ...labels, margin: 12 },
        axisLine: { onZero: false, lineStyle: { color: COLORS.line } },
      }),
    ],
    yAxis: [valueAxis(4, { gridIndex: 0 }), valueAxis(2, { gridIndex: 1 })],
    series: [
      bars(
        COLORS.reported,
        days.map((row) => length(row, 'reportedNet')),
        { barGap: '0%', barCategoryGap: '30%' },
      ),
      bars(
        COLORS.computed,
        days.map((row) => length(row, 'computedNet')),
      ),
      bars(
        COLORS.bad,
        // A day without a difference has no bar; a difference of one cent is still visible.
        days.map((row) => (length(row, 'difference') === 0 ? null : length(row, 'difference'))),
        { xAxisIndex: 1, yAxisIndex: 1, barMinHeight: 2, barCategoryGap: '30%' },
      ),
    ],
  })
  const words = off.map((row) => `${row['date']}: net ${row['difference']}`).slice(0, 12)
  return {
    id: 'net-by-day',
    title: 'Reported and computed net by business day, and the net difference',
    description:
      off.length === 0
        ? `${countedNoun(days.length, 'day')}; no settlement of ${days.length === 1 ? 'it' : 'them'} differs.`
        : `${countedNoun(days.length, 'day')}, of which ${off.length} ${off.length === 1 ? 'has' : 'have'} settlements that differ. ${words.join('; ')}.`,
    height: 320,
    option,
  }
}

/** Draws charges to the right, refunds to the left, one line for each age. */
export const ageing = (buckets: readonly Row[]): Chart => ({
  id: 'ageing',
  title: 'Charges and refunds that are not settled, by age in days',
  description: buckets
    .map(
      (row) =>
        `${row['bucket']} days: charges ${row['chargeAmount']}, refunds ${row['refundAmount']}`,
    )
    .join('; '),
  height: 210,
  option: () => ({
    grid: { left: 64, right: 24, top: 8, bottom: 28 },
    xAxis: valueAxis(4),
    yAxis: nameAxis(
      buckets.map((row) => row['bucket'] ?? ''),
      52,
    ),
    series: [
      bars(
        COLORS.computed,
        buckets.map((row) => length(row, 'chargeAmount')),
        { stack: 'one', barWidth: 18 },
      ),
      bars(
        COLORS.reported,
        buckets.map((row) => -length(row, 'refundAmount')),
        { stack: 'one', barWidth: 18 },
      ),
    ],
  }),
})

const COUNT_LABEL = {
  show: true,
  position: 'right',
  color: COLORS.ink,
  fontSize: 12,
  formatter: ({ value }: { value: number }) => grouped(String(value)),
}

export const exceptionsByCode = (codes: readonly Row[]): Chart => ({
  id: 'exceptions-by-code',
  title: 'Exceptions by code',
  description: codes.map((row) => `${row['code']}, ${row['severity']}: ${row['count']}`).join('; '),
  height: 24 + codes.length * 26,
  option: (width) => ({
    grid: { left: width > 600 ? 230 : 196, right: 44, top: 4, bottom: 20 },
    xAxis: HIDDEN_AXIS,
    yAxis: nameAxis(
      codes.map((row) => row['code'] ?? ''),
      width > 600 ? 218 : 188,
    ),
    series: [
      bars(
        COLORS.bad,
        codes.map((row) => ({
          value: length(row, 'count'),
          itemStyle: { color: row['severity'] === 'error' ? COLORS.bad : COLORS.reported },
        })),
        { barWidth: 14, label: COUNT_LABEL },
      ),
    ],
  }),
})

export const exceptionsByTerminal = (terminals: readonly Row[]): Chart => ({
  id: 'exceptions-by-terminal',
  title: 'Exceptions by terminal: errors and warnings',
  description: terminals
    .map((row) => `${nameOf(row)}: ${row['errors']} errors, ${row['warnings']} warnings`)
    .join('; '),
  height: 24 + terminals.length * 26,
  option: (width) => ({
    grid: { left: width > 600 ? 230 : 130, right: 56, top: 4, bottom: 20 },
    xAxis: HIDDEN_AXIS,
    yAxis: nameAxis(terminals.map(nameOf), width > 600 ? 218 : 120),
    series: [
      bars(
        COLORS.bad,
        terminals.map((row) => length(row, 'errors')),
        { stack: 'one', barWidth: 14 },
      ),
      bars(
        COLORS.reported,
        terminals.map((row) => length(row, 'warnings')),
        {
          stack: 'one',
          barWidth: 14,
          label: {
            ...COUNT_LABEL,
            formatter: ({ dataIndex }: { dataIndex: number }) => totalOf(terminals[dataIndex]),
          },
        },
      ),
    ],
  }),
})

const totalOf = (row: Row | undefined): string =>
  grouped(String(Number(row?.['errors'] ?? 0) + Number(row?.['warnings'] ?? 0)))

const nameOf = (row: Row): string =>
  row['terminalId'] === null || row['terminalId'] === undefined
    ? 'no terminal'
    : [row['terminalId'], row['terminalName'] ?? ''].join(' ').trim()

const CIRCLE = { symbol: 'emptyCircle', symbolSize: 8, itemStyle: { color: COLORS.warn } }
const DIAMOND = { symbol: 'diamond', symbolSize: 11, itemStyle: { color: COLORS.good } }

/**
 * Draws a line for each settlement, from its creation to its last observation, with a mark for each
 * version.
 */
export function pendingTimeline(versions: readonly Row[]): Chart {
  const ids = [...new Set(versions.map((row) => row['settlementId'] ?? ''))]
  const lines = ids.map((id, line) => {
    const own = versions.filter((row) => row['settlementId'] === id)
    const points = own.map((row) => ({
      value: [row['observedAt'] ?? '', line],
      ...(row['status'] === 'COMPLETE' ? DIAMOND : CIRCLE),
    }))
    return {
      type: 'line',
      silent: true,
      lineStyle: { color: COLORS.reported, width: 2 },
      data: [{ value: [own[0]?.['created'] ?? '', line], symbol: 'none' }, ...points],
    }
  })
  return {
    id: 'pending-timeline',
    title: 'PENDING settlements, from their making to what was last seen',
    description: versions
      .map(
        (row) =>
          `${row['settlementId']} ${row['status']} ${row['reportedNet']} at ${row['observedAt']}`,
      )
      .join('; '),
    height: 44 + ids.length * 26,
    option: (width) => ({
      grid: { left: width > 600 ? 150 : 108, right: 20, top: 8, bottom: 32 },
      xAxis: {
        type: 'time',
        splitNumber: width > 600 ? 8 : 3,
        axisLabel: { ...LABEL, formatter: monthAndDay, hideOverlap: true },
        axisLine: { lineStyle: { color: COLORS.line } },
        splitLine: { show: true, lineStyle: { color: COLORS.line } },
      },
      yAxis: nameAxis(ids, width > 600 ? 138 : 98),
      series: lines,
    }),
  }
}
