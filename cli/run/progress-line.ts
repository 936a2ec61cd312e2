/** The progress of a step in words: counts, rate, and the time that is left. */
import type { Heartbeat } from '../../domain/run.ts'
import { countedNoun } from '../../domain/headline.ts'
import { spanOf } from '../shell/pace-text.ts'

/** The first heartbeat of a step that was seen, which the rate is counted from. */
export interface FirstBeat {
  doing: string
  records: number
  terminal: number
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
  const { doing, records = 0, terminal = 0 } = beat
  const goesOn = before?.doing === doing && before.records <= records
  return goesOn ? before : { doing, records, terminal, at_ms: now_ms }
}

/**
 * Such as `sweeping transactions, 12 pages, 6,000 of about 24,000 records, 530 a second, about 34 s left`. A list that
 * has grown beyond its expected length has no total. A sweep by terminal counts the terminals.
 */
export function progressLine(beat: Heartbeat, first?: FirstBeat, now_ms = 0): string {
  const { doing, pages, records, expectedRecords = 0, terminal, terminals = 0 } = beat
  const parts = [doing]
  if (terminal !== undefined) parts.push(`terminal ${terminal} of ${terminals}`)
  if (pages !== undefined) parts.push(countedNoun(pages, 'page'))
  if (records === undefined) return parts.join(', ')
  const isWithin = records <= expectedRecords
  const total = isWithin ? ` of about ${expectedRecords.toLocaleString('en')}` : ''
  parts.push(`${records.toLocaleString('en')}${total} records`)
  if (first !== undefined) parts.push(...paceOf(beat, first, now_ms - first.at_ms))
  return parts.join(', ')
}

/** The rate since the first beat, and the time left. */
function paceOf(beat: Heartbeat, first: FirstBeat, span_ms: number): string[] {
  const { records = 0, expectedRecords = 0 } = beat
  if (span_ms < RATE_AFTER_MS || records <= first.records) return []
  const perSecond = ((records - first.records) / span_ms) * 1000
  const left_s =
    records <= expectedRecords
      ? (expectedRecords - records) / perSecond
      : leftOf(beat, first, span_ms)
  return [
    `${Math.max(1, Math.round(perSecond)).toLocaleString('en')} a second`,
    ...(left_s > 0 ? [`about ${spanOf(left_s)} left`] : []),
  ]
}

/** The seconds that the remaining terminals take if each takes as long as those since the first beat. */
function leftOf({ terminal = 0, terminals = 0 }: Heartbeat, first: FirstBeat, span_ms: number) {
  const read = terminal - first.terminal
  return read === 0 ? 0 : ((terminals - terminal + 1) * span_ms) / read / 1000
}
