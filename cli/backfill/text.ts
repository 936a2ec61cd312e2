/** The texts of a backfill: its plan, its progress and its result. */
import type {
  BackfillProgress,
  BackfillResult,
  Hold,
  ReadingEstimate,
} from '../../domain/backfill.ts'
import type { Headline, Window } from '../../domain/run.ts'
import { PACE_OF, rateOf, spanOf } from '../shell/pace-text.ts'

export interface Plan {
  account: string
  window: Window
  chunks: Window[]
  /** Instant: transactions created since then are read; null: all of them. */
  since: string | null
  /** Null if the length of the lists is unknown. */
  requests: number | null
  perSecond: number
  paceOf: ReadingEstimate['paceOf']
  seconds: number | null
}

/** A plan with more chunks shows only the first and the last ones. */
const SHOWN = 14

export function planLines(plan: Plan): string[] {
  const { account, window, chunks, since, perSecond } = plan
  const ranges = chunks.map(({ from, to }) => `  ${from} to ${to}`)
  const shown =
    ranges.length <= SHOWN
      ? ranges
      : [
          ...ranges.slice(0, SHOWN - 3),
          `  ... ${ranges.length - SHOWN + 1} more`,
          ...ranges.slice(-2),
        ]
  const requests =
    plan.requests === null
      ? 'an unknown number of requests'
      : `about ${count(plan.requests)} requests`
  const read = since === null ? 'all transactions' : `transactions created since ${since}`
  const time = plan.seconds === null ? '' : `, ${spanOf(plan.seconds)}`
  return [
    `backfill of ${account}, ${window.from} to ${window.to}, in ${counted(chunks.length, 'chunk')}, each with its own pack`,
    ...shown,
    `reads terminals and settlements, and ${read}: ${requests}`,
    `at ${rateOf(perSecond)} (${PACE_OF[plan.paceOf]})${time}; during a nightly run, at a fifth of that rate`,
    'then reconciles each chunk; it shows the time for that after the first one',
  ]
}

/** The progress of a stage, from the heartbeats of its activities. */
export interface Reached {
  progress: BackfillProgress
  /** Requests of the reading stage so far. */
  requests: number
  now_ms: number
}

/** Formats the progress and the time left as one line. */
export function reachedLine({ progress, requests, now_ms }: Reached): string {
  const { account, window, hold } = progress
  const what = `${account} ${window.from}..${window.to}: ${stageOf(progress, requests)}`
  if (hold !== undefined) return `${what}; ${holdOf(hold)}`
  const left = leftOf({ progress, requests, now_ms })
  return left === undefined ? what : `${what}, about ${spanOf(left)} left`
}

/** Estimates the seconds left in the current stage at its pace so far; undefined if unknown. */
export function leftOf({ progress, requests, now_ms }: Reached): number | undefined {
  const { stage, stageSince, chunks, chunksDone, reading, hold } = progress
  const until_ms = hold === undefined ? now_ms : Date.parse(hold.since)
  const took = Math.max(0, (until_ms - Date.parse(stageSince)) / 1000)
  // The running chunk is half done on average.
  const judged = chunksDone + 0.5
  if (stage === 'judging' && chunksDone > 0) return (took / judged) * (chunks - judged)
  if (stage !== 'reading' || reading.requests === null) return undefined
  const perSecond = requests > 0 && took > 0 ? requests / took : reading.perSecond
  return Math.max(0, reading.requests - requests) / perSecond
}

function stageOf(
  { stage, chunks, chunksDone, reading }: BackfillProgress,
  requests: number,
): string {
  if (stage === 'judging') return `${chunksDone} of ${counted(chunks, 'chunk')}`
  if (stage !== 'reading') return stage
  const of =
    reading.requests === null ? '' : ` of about ${count(Math.max(reading.requests, requests))}`
  return `reading, ${count(requests)}${of} requests`
}

function holdOf({ by, failure, since }: Hold): string {
  if (failure !== undefined) return `stopped by ${failure.code}: ${failure.what}`
  return `paused${by === undefined ? '' : ` by ${by}`} since ${since}`
}

export function resultLines(result: BackfillResult): string[] {
  const { window, chunks, requests, newVersions, headline, pack, latest } = result
  return [
    `${window.from} to ${window.to} in ${counted(chunks, 'chunk')}: ${count(requests)} requests, ${counted(newVersions, 'new version')}`,
    headlineOf(headline),
    `newest pack ${pack}`,
    ...(latest === undefined ? [] : [`latest still names ${latest}, whose range ends later`]),
  ]
}

function headlineOf(headline: Headline): string {
  const { settlements, tied, explained, breaks, pending, noData } = headline
  const none = noData > 0 ? `, ${count(noData)} no data` : ''
  return `settlements ${count(settlements)}: ${count(tied)} tied, ${count(explained)} explained, ${counted(breaks, 'break')}, ${count(pending)} pending${none}`
}

const count = (n: number) => n.toLocaleString('en')

export const counted = (n: number, what: string) => `${count(n)} ${what}${n === 1 ? '' : 's'}`
