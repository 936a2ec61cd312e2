/** A backfill: past business dates read again and judged in chunks. Plain JSON, so that it fits a Temporal payload. */
import { addDays } from './business-day.ts'
import type { Certificate, Headline, Pace, Window } from './run.ts'

/** Beside a nightly run, which weighs 1, a backfill gets a fifth of the rate. */
export const BACKFILL_WEIGHT = 0.25

/** What was created so long before the range is read again with it: it may be in the range's first settlements. */
export const MARGIN_DAYS = 7

/** What reading takes, as far as it can be told before it begins. */
export interface ReadingEstimate {
  /** Null where nothing tells how long the lists are. */
  requests: number | null
  perSecond: number
  /** Where that comes from: the limiter's knowledge, earlier sweeps, nothing, or a person. */
  paceOf: 'learned' | 'sweeps' | 'default' | 'asked'
  /** Instant from which transactions are read, as far as it is known before; absent: all of them. */
  since?: string
}

export interface BackfillOrder {
  account: string
  window: Window
  /** Days of a chunk; absent: calendar months. */
  chunkDays?: number
  /** Instant: transactions created since then are read again. */
  since: string
  /** The clock of every chunk. */
  asOf: string
  out?: string
  minCertificate?: Certificate
  reason?: string
  /** Who asks for it: the preparer of its packs. */
  actor?: string
  /** Requests per second that this backfill never exceeds. */
  perSecond?: number
  reading: ReadingEstimate
}

export type BackfillStage = 'starting' | 'reading' | 'judging' | 'done'

/** Why it waits. */
export interface Hold {
  /** ISO 8601. */
  since: string
  /** Who paused it, where that is known. */
  by?: string
  /** What failed: it waits to be tried again. */
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
  /** Requests and versions of the lists that were read; while they are read, of none. */
  requests: number
  newVersions: number
  /** Sum of all chunks so far. */
  headline: Headline
  /** When the stage would have begun had nothing held it up since: ISO 8601. */
  stageSince: string
}

/** What a backfill came to: the answer of its workflow. */
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
}

/** What the lake keeps of a backfill. */
export interface BackfillEvent {
  backfillId: string
  event: 'BEGUN' | 'PAUSED' | 'RESUMED' | 'SLOWED' | 'FAILED' | 'CANCELLED' | 'DONE'
  account: string
  window: Window
  actor?: string
  reason?: string
  /** Counts and codes, no record. */
  detail: Readonly<Record<string, string | number>>
  at: string
}

/** The range cut at the first of each month, or after so many days each; oldest first. */
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

/** What a request asks of the limiter on behalf of a backfill. */
export const paceOf = (perSecond: number | undefined): Pace =>
  perSecond === undefined
    ? { weight: BACKFILL_WEIGHT }
    : { weight: BACKFILL_WEIGHT, mostPerSecond: perSecond }

/** One backfill at a time of one range: the same command finds the one that it began before. */
export const backfillId = (account: string, { from, to }: Window) =>
  `${backfillsOf(account)}${from}..${to}`

/** How the ids of an account's backfills begin; the range follows. */
export const backfillsOf = (account: string) => `backfill/${account}/`
