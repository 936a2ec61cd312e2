/** Draws a card's charges and refunds over twelve months as two rising lines: refunds may not pass charges. */
import { formatCents, grouped, printedCents } from '../../domain/cents.ts'
import { type Chart, COLORS } from '../../reports/page/chart.ts'
import type { Cells } from '../parts/reader.ts'

type Step = [time_ms: number, sum_cents: bigint]

/** The sums after each movement; `movements` are in order of time. */
export function refundPicture(refundId: string, movements: readonly Cells[]): Chart {
  const end_ms = timeOf(movements.at(-1) ?? {})
  const start: Step = [yearBefore(end_ms), 0n]
  const charges = [start, ...stepsOf(movements, 'CHARGE')]
  const refunds = [start, ...stepsOf(movements, 'REFUND')]
  return {
    id: `refund-${refundId}-picture`,
    title: 'Charged and refunded, summed over twelve months',
    description: `Charged ${last(charges)}, refunded ${last(refunds)}.`,
    height: 240,
    option: () => ({
      grid: { left: 72, right: 96, top: 16, bottom: 28 },
      xAxis: {
        type: 'time',
        min: yearBefore(end_ms),
        max: end_ms,
        axisLabel: { color: COLORS.ink },
      },
      yAxis: { type: 'value', axisLabel: { color: COLORS.ink } },
      series: [line('charged', COLORS.computed, charges), line('refunded', COLORS.bad, refunds)],
    }),
  }
}

const timeOf = (row: Cells): number =>
  Date.parse((row['created'] ?? '').replace(' ', 'T').replace(/Z?$/, 'Z'))

/** The first instant of the twelve months before another. */
function yearBefore(time_ms: number): number {
  const date = new Date(time_ms)
  return date.setUTCFullYear(date.getUTCFullYear() - 1)
}

function stepsOf(movements: readonly Cells[], action: string): Step[] {
  let sum_cents = 0n
  return movements.map((row) => {
    if (row['action'] === action) sum_cents += printedCents(row['amountTotal'] ?? '') ?? 0n
    return [timeOf(row), sum_cents]
  })
}

const last = (steps: readonly Step[]): string => grouped(formatCents(steps.at(-1)?.[1] ?? 0n))

/** An amount becomes a number for its place in the picture only. */
const line = (name: string, color: string, steps: readonly Step[]) => ({
  ...{ type: 'line', name, step: 'end', symbol: 'none', silent: true },
  data: steps.map(([time_ms, sum_cents]) => [time_ms, Number(sum_cents) / 100]),
  ...{ lineStyle: { color, width: 2 }, endLabel: { show: true, formatter: name, color } },
})
