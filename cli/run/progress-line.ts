/** The progress of a step in words: counts, rate, and the time that is left. */
import type { Heartbeat } from '../../domain/run.ts'
import { spanOf } from '../shell/pace-text.ts'

/** The first heartbeat of a step that was seen, which the rate is counted from. */
export interface FirstBeat {
  doing: string
  records: number
  at_ms: number
}

/** A rate over a shorter time says nothing. */
const RATE_AFTER_MS = 4_000

/** Returns the first beat of this step: `before`, or the present one if the step is new. */
export function firstBeat(
  beat: Heartbeat,
  before: FirstBeat | undefined,
  now_ms: number,
): FirstBeat {
  const { doing, records = 0 } = beat
  const goesOn = before?.doing === doing && before.records <= records
  return goesOn ? before : { doing, records, at_ms: now_ms }
}

/**
 * Such as `sweeping transactions, 12 pages, 6,000 of about 24,000 records, 530 a second, about 34 s left`. The total is
 * that of the last sweep, so that a list which has grown beyond it has none.
 */
export function progressLine(beat: Heartbeat, first?: FirstBeat, now_ms = 0): string {
  const { doing, pages, records, expectedRecords = 0 } = beat
  const parts = [doing]
  if (pages !== undefined) parts.push(`${pages.toLocaleString('en')} pages`)
  if (records === undefined) return parts.join(', ')
  const isWithin = records <= expectedRecords
  const total = isWithin ? ` of about ${expectedRecords.toLocaleString('en')}` : ''
  parts.push(`${records.toLocaleString('en')}${total} records`)
  const perSecond = first === undefined ? 0 : rateSince(first, records, now_ms)
  if (perSecond > 0) {
    parts.push(`${Math.max(1, Math.round(perSecond)).toLocaleString('en')} a second`)
    const left = expectedRecords - records
    if (isWithin && left > 0) parts.push(`about ${spanOf(left / perSecond)} left`)
  }
  return parts.join(', ')
}

function rateSince(first: FirstBeat, records: number, now_ms: number): number {
  const span_ms = now_ms - first.at_ms
  return span_ms < RATE_AFTER_MS ? 0 : ((records - first.records) / span_ms) * 1000
}
