/**
 * A backfill: reads past business dates again and reconciles them in chunks. Plain JSON, for
 * Temporal payloads.
 */
import { addDays } from './business-day.ts'
import type { Certificate, Headline, Pace, Window } from './run.ts'

/** A backfill gets a fifth of the rate beside a nightly run, whose weight is 1. */
export const BACKFILL_WEIGHT = 0.25

/** Transactions created up to this many days before the range may be in its first settlements. */
export const MARGIN_DAYS = 7

/** The expected cost of reading, as far as it is known in advance. */
export interface ReadingEstimate {
  /** Null if the length of the lists is unknown. */
  requests: number | null
  perSecond: number
  /** The source of the rate: the limiter, earlier sweeps, the default, or a person. */
  paceOf: 'learned' | 'sweeps' | 'default' | 'asked'
  /** Instant from which transactions are read, if it is known in advance; absent: all of them. */
  since?: string
}

export interface BackfillOrder {
  account: string
  window: Window
  /** Days in a chunk; absent: calendar months. */
  chunkDays?: number
  /** Instant: transactions created since then are read again. */
  since: string
  /** The instant from which every chunk counts ages. */
  asOf: string
  out?: string
  minCertificate?: Certificate
  reason?: string
  /** The person who ordered it, and the preparer of its packs. */
  actor?: string
  /** The most requests per second that this backfill sends. */
  perSecond?: number
  reading: ReadingEstimate
}

export type BackfillStage = 'starting' | 'reading' | 'judging' | 'done'

/** The reason for a wait. */
export interface Hold {
  /** ISO 8601. */
  since: string
  /** The person who paused it, if known. */
  by?: string
  /** The failure after which it waits to be retried. */
  failure?: { code: string; what: string }
}

export interface BackfillProgress {
  account: string
  window: Window
  runId: string
  startedAt: string
  stage: BackfillStage
  chunks: number
  chunksDone: number
  /** The workflow in which the stage's activities run. */
  childId?: string
  hold?: Hold
  perSecond?: number
  reading: ReadingEstimate
  /** Requests and new versions of the lists that are complete. */
  requests: number
  newVersions: number
  /** The sum of all chunks so far. */
  headline: Headline
  /** Instant at which the stage would have begun without interruptions: ISO 8601. */
  stageSince: string
}

/** The result of a backfill's workflow. */
export interface BackfillResult {
  account: string
  window: Window
  runId: string
  chunks: number
  requests: number
  newVersions: number
  headline: Headline
  /** The newest of its packs. */
  pack: string
  /** The pack that OUT/<account>/latest names, if it is another one. */
  latest?: string
}

/** An event of a backfill, as the lake stores it. */
export interface BackfillEvent {
  backfillId: string
  event: 'BEGUN' | 'PAUSED' | 'RESUMED' | 'SLOWED' | 'FAILED' | 'CANCELLED' | 'DONE'
  account: string
  window: Window
  actor?: string
  reason?: string
  /** Counts and codes, never a record. */
  detail: Readonly<Record<string, string | number>>
  at: string
}

/** Cuts the range at the first of each month, or into chunks of so many days; oldest first. */
export function chunksOf({ from, to }: Window, chunkDays?: number): Window[] {
  const chunks: Window[] = []
  for (let start = from; start < to;) {
    const next = chunkDays === undefined ? firstOfNextMonth(start) : addDays(start, chunkDays)
    const end = next < to ? next : to
    chunks.push({ from: start, to: end })
    start = end
  }
  return chunks
}

function firstOfNextMonth(date: string): string {
  return `${addDays(`${date.slice(0, 7)}-28`, 4).slice(0, 7)}-01`
}

/** The pace of a backfill's requests. */
export const paceOf = (perSecond: number | undefined): Pace =>
  perSecond === undefined
    ? { weight: BACKFILL_WEIGHT }
    : { weight: BACKFILL_WEIGHT, mostPerSecond: perSecond }

/** The id of a backfill: one at a time for each range, so that the same command finds it again. */
export const backfillId = (account: string, { from, to }: Window) =>
  `${backfillsOf(account)}${from}..${to}`

/** The prefix of the ids of an account's backfills. */
export const backfillsOf = (account: string) => `backfill/${account}/`

/** The answer of a worker to the record of an event. */
export interface BackfillRecorded {
  /** The time after which the webhook says once that a backfill still runs. Absent without a webhook. */
  lateAfter_ms?: number
}
