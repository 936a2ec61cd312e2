/** What a backfill will take, told before it begins: from what earlier sweeps took, else from the length of the lists. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { RATE_OPTIONS } from '../api/rate/learned-rate.ts'
import { listLength } from '../api/sweep/list-length.ts'
import { createSource } from '../api/http/source.ts'
import type { ReadingEstimate } from '../domain/backfill.ts'
import { Secret, type Settings, SWEEP_RULES } from '../domain/settings.ts'
import { SCHEMA_VERSION } from '../domain/schema-version.ts'
import { readIfExists } from '../lake/connection/read-if-exists.ts'
import { readModel } from '../lake/run/models.ts'
import { sweepStart, type SweepPart } from '../lake/landing/sweep-start.ts'

export interface PlanQuestion {
  /** Instant: transactions created since then are read again. */
  since: string
  /** Instant at which the range begins. */
  from: string
  /** Requests per second that a person allows. */
  perSecond?: number
  /** Requests per second that the workers have learned. */
  learned?: number | undefined
}

/** Pages overlap a little, and the head of a list is read twice. */
const OVERLAP = 1.1
/** Sweeps that sent fewer requests tell nothing of a pace. */
const FEWEST_REQUESTS = 10

/**
 * Estimates requests and pace. Asks the service for the length of its lists (some forty small requests) only where no
 * sweep of them has ended yet. Throws the Failures of a source, lake_locked and extension_missing.
 */
export async function estimateReading(
  settings: Settings,
  { since, from, perSecond, learned }: PlanQuestion,
  signal?: AbortSignal,
): Promise<ReadingEstimate> {
  const known = await knownReading(settings, { since, from })
  // A lake that is not there yet is due as an empty one is.
  const boundary = known === undefined ? aYearBefore(from) : known.boundary
  const requests = known?.requests ?? (await countedRequests(settings, boundary, signal))
  const read = { requests, ...(boundary === null ? {} : { since: instantOf(boundary) }) }
  const pace = paceKnown(learned, known?.perSecond)
  if (perSecond !== undefined && perSecond < pace.perSecond) {
    return { ...read, perSecond, paceOf: 'asked' }
  }
  return { ...read, ...pace }
}

/** What is learned holds now; what sweeps took may be of a slower day, or of a climb. */
function paceKnown(
  learned: number | undefined,
  ofSweeps: number | null | undefined,
): Pick<ReadingEstimate, 'perSecond' | 'paceOf'> {
  if (learned !== undefined) return { perSecond: learned, paceOf: 'learned' }
  if (typeof ofSweeps === 'number') return { perSecond: ofSweeps, paceOf: 'sweeps' }
  return { perSecond: RATE_OPTIONS.startPerSecond, paceOf: 'default' }
}

function aYearBefore(instant: string): string {
  const date = new Date(instant)
  date.setUTCMonth(date.getUTCMonth() - 12)
  return asRecorded(date.toISOString())
}

/** As records and the lake have it. */
const asRecorded = (instant: string) => instant.replace('T', ' ').replace('Z', '')

const instantOf = (recorded: string) =>
  new Date(recorded.replace(' ', 'T').replace(/Z?$/, 'Z')).toISOString()

interface KnownReading {
  requests: number | null
  perSecond: number | null
  /** From which transactions are read; null: all. */
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

/** Instant from which transactions are read; null: all. */
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

async function countedRequests(
  settings: Settings,
  boundary: string | null,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  if (settings.trouble !== undefined) throw settings.trouble
  if (settings.source === undefined) return null
  // Nothing of what is read here is kept, so that any key will do.
  const source = createSource(settings.source, { hashKey: new Secret('nothing is kept') })
  try {
    let pages = 0
    for (const list of ['terminals', 'settlements', 'settlements', 'transactions'] as const) {
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
