import type { DuckDBConnection } from '@duckdb/node-api'
import type { Source } from '../../api/http/source.ts'
import { NotFiltered, Refusal } from '../../api/http/refusal.ts'
import { listLength } from '../../api/sweep/list-length.ts'
import { dayStart } from '../../domain/business-day.ts'
import type { SweepRequest, SweepResult } from '../../domain/run.ts'
import { SCHEMA_VERSION } from '../../domain/schema-version.ts'
import { type KeyRing, type SweepRules, SWEEP_RULES } from '../../domain/settings.ts'
import {
  lastSweepRecords,
  sweepBegun,
  sweepPosition,
  type SweepPosition,
} from '../../lake/landing/sweep-position.ts'
import { atOneInstant, currentFence } from '../../lake/connection/transact.ts'
import type { SharedLake } from '../runtime/shared-lake.ts'
import { isRead, sweepEachTerminal } from './sweep-each-terminal.ts'
import { stored, sweepSegment, type SegmentControl, type Segment } from './sweep-segment.ts'

/**
 * A segment ends after this time, which makes activities short and lets a worker stop between two.
 */
const SEGMENT_MS = 45_000

export interface SweepSettings {
  rules?: SweepRules
  /** Terminals that the account is limited to; empty: all. */
  terminals?: readonly string[]
  /** The version of the record rules; absent: the present one. */
  schemaVersion?: number
  /** The keys of the account's hashes; the source has the first one. Absent: no hash is stored. */
  hashKeys?: KeyRing
  /** The lengths of lists that earlier segments counted, by sweep; a segment adds its own. */
  lengths?: Map<string, number>
  /** Zone of the business day; absent: UTC. */
  timezone?: string
  /** Receives each batch after it has landed. */
  onLanded?: Segment['onLanded']
}

/**
 * Sweeps one list for the time of a segment and lands the records. The sweep continues from the position in the lake,
 * so that it resumes behind the last landed batch after a kill. The list is read as a whole, if possible. The sweep
 * reads by terminal if the account is limited to some terminals, or if the service refuses the whole list.
 */
export function createSweepList(
  shared: SharedLake,
  source: () => Source,
  settings: SweepSettings = {},
) {
  const { lengths = new Map<string, number>() } = settings
  return async (
    request: SweepRequest,
    signal?: AbortSignal,
    onProgress: SegmentControl['onProgress'] = () => {},
  ): Promise<SweepResult> =>
    shared.connected(async (lake, connection) => {
      const since_ms = performance.now()
      const { rules = SWEEP_RULES, terminals = [], schemaVersion = SCHEMA_VERSION } = settings
      const { timezone = 'UTC', hashKeys } = settings
      const sweepId = `${request.runId}/${request.list}/${request.pass}`
      const { lastRecords, ...reached } = await reachedBefore(connection, request, sweepId)
      // The records of a single terminal can't be compared with those of the whole list.
      const isWhole = !reached.isByTerminal && terminals.length === 0
      const segment: Segment = {
        ...{
          lake,
          connection,
          request,
          rules,
          schemaVersion,
          hashKeys,
          onLanded: settings.onLanded,
        },
        ...(request.from === undefined ? {} : { from: dayStart(timezone, request.from) }),
        source: source(),
        readSince: reached.readSince,
        sweepId,
        // Pages beyond the last batch would be read again.
        isDue: () => performance.now() - since_ms > SEGMENT_MS,
      }
      const counting = new AbortController()
      const expecting = { lastRecords, lengths, onProgress, signal: counting.signal }
      const control = {
        onProgress: isWhole ? withExpected(segment, expecting) : onProgress,
        ...(signal === undefined ? {} : { signal }),
      }
      try {
        const result = await swept(segment, reached, { terminals, control })
        if (result.done) lengths.delete(sweepId)
        return result
      } finally {
        counting.abort()
      }
    }, signal)
}

/** A shorter list ends before its length is of use. */
const COUNTED_AFTER_PAGES = 20

interface Expecting {
  lastRecords: number | undefined
  /** The lengths of the lists that were counted, by sweep. */
  lengths: Map<string, number>
  onProgress: SegmentControl['onProgress']
  signal: AbortSignal
}

/**
 * Adds the number of records that the sweep expects. The last sweep of the list says it. The first one finds it by a few
 * small requests in its first segment.
 */
function withExpected(
  { source, request, sweepId }: Segment,
  { lastRecords, lengths, onProgress, signal }: Expecting,
): SegmentControl['onProgress'] {
  const expected = () => lastRecords ?? lengths.get(sweepId)
  return (progress) => {
    const { pages } = progress
    // Later segments begin beyond these pages, and so count nothing again.
    if (pages === COUNTED_AFTER_PAGES && request.from === undefined && expected() === undefined) {
      void listLength(source, request.list, { goesFirst: true, signal }).then(
        (length) => length && lengths.set(sweepId, length.records),
        // The sweep itself reports why the service does not answer.
        () => undefined,
      )
    }
    const expectedRecords = expected()
    onProgress({ ...progress, ...(expectedRecords === undefined ? {} : { expectedRecords }) })
  }
}

interface Reached {
  readSince: bigint
  whole: SweepPosition | undefined
  isByTerminal: boolean
}

interface Beginning extends Reached {
  lastRecords: number | undefined
}

/** The state of the lake before a segment reads anything. */
const reachedBefore = (
  connection: DuckDBConnection,
  request: SweepRequest,
  sweepId: string,
): Promise<Beginning> =>
  atOneInstant(connection, async () => {
    const readSince = await currentFence(connection)
    const { whole, isByTerminal } = await sweepBegun(connection, sweepId)
    const lastRecords = await lastSweepRecords(connection, request)
    // The second reading of terminals asks by id for those that the first could not list.
    const isById = request.list === 'terminals' && request.pass > 1
    return { readSince, whole, isByTerminal: isByTerminal || isById, lastRecords }
  })

async function swept(
  segment: Segment,
  { whole, isByTerminal }: Reached,
  { terminals, control }: { terminals: readonly string[]; control: SegmentControl },
): Promise<SweepResult> {
  const { request } = segment
  if (whole !== undefined) return sweptWhole(segment, whole, { terminals, control })
  const wantsEach = terminals.length > 0 && request.list !== 'terminals'
  if (!wantsEach && !isByTerminal) {
    return sweptWhole(segment, undefined, { terminals, control })
  }
  try {
    return await sweepEachTerminal(segment, terminals, control)
  } catch (error) {
    if (!(error instanceof NotFiltered && wantsEach)) throw error
    // Reads the whole list instead, and abandons the rest of the reading by terminal.
    return sweptWhole(segment, undefined, { terminals, control })
  }
}

async function sweptWhole(
  segment: Segment,
  before: SweepPosition | undefined,
  { terminals, control }: { terminals: readonly string[]; control: SegmentControl },
): Promise<SweepResult> {
  const { connection, request, sweepId } = segment
  if (before !== undefined && isRead(before)) return resultOf(request, before)
  const limited = terminals.length > 0 ? { ...segment, only: terminals } : segment
  try {
    await sweepSegment(limited, before, control)
  } catch (error) {
    if (before !== undefined || !isAboutAll(error, request)) throw error
    return sweepEachTerminal(segment, terminals, { ...control, instead: error })
  }
  return resultOf(request, await sweepPosition(connection, sweepId))
}

/**
 * Returns true if the service refuses the list of all terminals; without an address for the list,
 * no terminal has one.
 */
const isAboutAll = (error: unknown, { list }: SweepRequest): error is Refusal =>
  error instanceof Refusal &&
  ((error.isAboutTerminal && error.status === 400) ||
    (error.isAboutAddress && list === 'terminals'))

function resultOf(request: SweepRequest, reached: SweepPosition | undefined): SweepResult {
  const { list, pass } = request
  if (reached === undefined) {
    return { list, pass, done: false, records: 0, newVersions: 0, quarantined: 0, requests: 0 }
  }
  const { sweep } = stored(reached)
  return {
    list,
    pass,
    done: sweep.done,
    records: reached.records,
    newVersions: reached.newVersions,
    quarantined: reached.quarantined,
    requests: sweep.requests,
    ...(sweep.certificate === undefined ? {} : { certificate: sweep.certificate }),
  }
}
