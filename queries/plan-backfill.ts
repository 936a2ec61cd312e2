/**
 * Estimates the requests and the pace of a run or a backfill before it begins. The estimate uses earlier sweeps, or else the
 * length of the lists.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { RATE_OPTIONS } from '../api/rate/learned-rate.ts'
import { listLength } from '../api/sweep/list-length.ts'
import { createSource } from '../api/http/source.ts'
import type { ReadingEstimate } from '../domain/backfill.ts'
import { Secret, type Settings, SWEEP_RULES } from '../domain/settings.ts'
import { SCHEMA_VERSION } from '../domain/schema-version.ts'
import { readIfExists } from '../lake/connection/read-lake.ts'
import { readModel } from '../lake/run/models.ts'
import { sweepStart, type SweepPart } from '../lake/landing/sweep-start.ts'

export interface PlanQuestion {
  /** An instant. Transactions created since then are read again. */
  since?: string
  /** The instant at which a requested range begins. */
  from?: string
  /** The limit that a person sets, in requests per second. */
  perSecond?: number
  /** The rate that the workers have learned, in requests per second. */
  learned?: number | undefined
}

/** A factor, because pages overlap a little, and the head of a list is read twice. */
const OVERLAP = 1.1
/** Sweeps with fewer requests are too short to show a pace. */
const FEWEST_REQUESTS = 10

/**
 * Estimates requests and pace. If no sweep of the lists has ended yet, asks the service for their length, with some
 * forty small requests. Throws the Failures of a source, lake_locked and extension_missing.
 */
export async function estimateReading(
  settings: Settings,
  { perSecond, learned, ...range }: PlanQuestion,
  signal?: AbortSignal,
): Promise<ReadingEstimate> {
  const known = await knownReading(settings, range)
  // A lake that does not exist yet is treated like an empty one.
  const boundary = known === undefined ? firstBoundary(range.from) : known.boundary
  const requests = known?.requests ?? (await countedRequests(settings, boundary, signal))
  const read = { requests, ...(boundary === null ? {} : { since: instantOf(boundary) }) }
  const pace = paceKnown(learned, known?.perSecond)
  if (perSecond !== undefined && perSecond < pace.perSecond) {
    return { ...read, perSecond, paceOf: 'asked' }
  }
  return { ...read, ...pace }
}

/**
 * Prefers the learned rate, which is current. The pace of past sweeps may come from a slower day, or from the time
 * before a limit was known.
 */
function paceKnown(
  learned: number | undefined,
  ofSweeps: number | null | undefined,
): Pick<ReadingEstimate, 'perSecond' | 'paceOf'> {
  if (learned !== undefined) return { perSecond: learned, paceOf: 'learned' }
  if (typeof ofSweeps === 'number') return { perSecond: ofSweeps, paceOf: 'sweeps' }
  return { perSecond: RATE_OPTIONS.startPerSecond, paceOf: 'default' }
}

/** Without a requested range the first sweep reads the whole list. */
const firstBoundary = (from: string | undefined) => (from === undefined ? null : aYearBefore(from))

function aYearBefore(instant: string): string {
  const date = new Date(instant)
  date.setUTCMonth(date.getUTCMonth() - 12)
  return asRecorded(date.toISOString())
}

/** Converts an instant to the form of records and of the lake. */
const asRecorded = (instant: string) => instant.replace('T', ' ').replace('Z', '')

const instantOf = (recorded: string) =>
  new Date(recorded.replace(' ', 'T').replace(/Z?$/, 'Z')).toISOString()

interface KnownReading {
  requests: number | null
  perSecond: number | null
  /** The instant from which transactions are read; null: all. */
  boundary: string | null
}

const knownReading = (
  { lake, account, sweeps }: Settings,
  asked: Pick<PlanQuestion, 'since' | 'from'>,
): Promise<KnownReading | undefined> =>
  readIfExists(lake, async (connection) => {
    const about = { account, schemaVersion: SCHEMA_VERSION, ...asked }
    const part = await sweepStart(connection, about, sweeps ?? SWEEP_RULES)
    return fromSweeps(connection, account, boundaryOf(part))
  })

/** Returns the instant from which transactions are read; null: all. */
function boundaryOf(part: SweepPart | undefined): string | null {
  if (part === undefined) return null
  if ('until' in part) return part.until
  return 'since' in part ? part.since : part.start.coversFrom
}

async function fromSweeps(
  connection: DuckDBConnection,
  account: string,
  boundary: string | null,
): Promise<KnownReading> {
  const reader = await connection.runAndReadAll(readModel('queries', 'request_pace').text, [
    ...[account, boundary, FEWEST_REQUESTS],
  ])
  const [requests, perSecond] = reader.getRows()[0] ?? []
  return {
    boundary,
    requests: typeof requests === 'bigint' ? Math.max(1, Number(requests)) : null,
    perSecond: typeof perSecond === 'number' ? perSecond : null,
  }
}

/** The lists of every sweep. Transactions may come from files instead. */
const SWEPT = ['terminals', 'settlements', 'settlements'] as const

async function countedRequests(
  settings: Settings,
  boundary: string | null,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  if (settings.trouble !== undefined) throw settings.trouble
  if (settings.source === undefined) return null
  // No hash of these records is stored, so that any key will do.
  const source = createSource(settings.source, { hashKey: new Secret('nothing is kept') })
  try {
    let pages = 0
    const isListed = settings.transactionsFrom === 'list'
    for (const list of [...SWEPT, ...(isListed ? (['transactions'] as const) : [])]) {
      const since = list === 'transactions' && boundary !== null ? asRecorded(boundary) : undefined
      const length = await listLength(source, list, { since, signal })
      if (length === undefined) return null
      pages += length.pages
    }
    return Math.ceil(pages * OVERLAP)
  } finally {
    await source.close()
  }
}
