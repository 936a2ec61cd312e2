/** A bounded part of one sweep, which reads pages ahead while a batch lands. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Source } from '../../api/http/source.ts'
import { sweep, type SweepBatch } from '../../api/sweep/sweep.ts'
import { readAgain, type SweepState } from '../../api/sweep/sweep-state.ts'
import { sweepTerminal } from '../../api/sweep/sweep-terminal.ts'
import type { KeyRing, SweepRules } from '../../domain/settings.ts'
import type { SweepRequest } from '../../domain/run.ts'
import { LISTS } from '../../lake/landing/list-schemas.ts'
import { land } from '../../lake/landing/land.ts'
import { type Landing, type SweepEnd } from '../../lake/landing/landing.ts'
import { type SweepPosition } from '../../lake/landing/sweep-position.ts'
import type { Lake } from '../../lake/connection/lake.ts'
import { currentFence } from '../../lake/connection/transact.ts'
import { sweepStart, type SweepPart } from '../../lake/landing/sweep-start.ts'
import { TypedRows } from '../../lake/landing/typed-rows.ts'
import type { BatchCounts } from '../runtime/metrics.ts'

/**
 * A commit costs as much as the rows of ten thousand records, and small ones make small files.
 * Segments of a slow service land by time.
 */
const BATCH_RECORDS = 20_000

/** While a batch lands, at most this many further records are read. They must fit into memory. */
const MOST_RECORDS = 25_000

/** The progress of the sweep, for heartbeats. */
export interface SweepProgress {
  pages: number
  records: number
  requests: number
  expectedRecords?: number
  terminal?: number
  terminals?: number
}

export interface SegmentControl {
  signal?: AbortSignal
  onProgress: (progress: SweepProgress) => void
}

/**
 * The state beside each batch in the lake: the position of the sweep, and the knowledge at its
 * start.
 */
interface StoredState {
  startedSeq: string
  /** The record rules, the same from the first record to the last. */
  schemaVersion: number
  /** The only terminals whose records are stored; absent: all. */
  only?: readonly string[]
  sweep: SweepState
  /** The service refuses it. */
  refused?: boolean
}

export interface Segment {
  lake: Lake
  connection: DuckDBConnection
  source: Source
  request: SweepRequest
  sweepId: string
  /** The one terminal that is requested. */
  terminalId?: string | undefined
  /** The only terminals whose records are stored. */
  only?: readonly string[] | undefined
  rules: SweepRules
  hashKeys?: KeyRing | undefined
  schemaVersion: number
  /** Instant at which a requested range begins; absent: the nightly range. */
  from?: string
  /** Landing number at the start of the segment, before it read anything that it lands. */
  readSince: bigint
  isDue: () => boolean
  /** Receives each batch after it has landed. */
  onLanded?: ((batch: BatchCounts) => void) | undefined
}

/** Continues a sweep, or starts it, until the list or the segment ends. */
export async function sweepSegment(
  segment: Segment,
  before: SweepPosition | undefined,
  { signal, onProgress }: SegmentControl,
): Promise<void> {
  const { source, request, terminalId } = segment
  const state = before && stored(before)
  const begun = state ?? (await beginning(segment))
  let batch = nextBatch(before)
  if (request.list === 'terminals' && terminalId !== undefined) {
    const read = await sweepTerminal(source, terminalId, signal)
    await landBatch(segment, { batch, begun }, read)
    return
  }
  let isLanding = false
  const batches = sweep(source, request.list, {
    ...(await placeOf(segment, state?.sweep, before?.isForgotten === true)),
    newRows: () => new TypedRows(LISTS[request.list].types),
    isEnough: (records) => records >= (isLanding ? MOST_RECORDS : BATCH_RECORDS),
    // Pages beyond the last batch would be read again.
    isDue: segment.isDue,
    ...{ terminalId, only: begun.only && new Set(begun.only) },
    onPage: onProgress,
    // Lets the landing of the last batch continue.
    giveWay: nextTurn,
    ...(signal === undefined ? {} : { signal }),
  })
  // Reads the next batch while this one lands, so that network and disk don't wait for each other.
  let reading = batches.next()
  try {
    for (;;) {
      const { value: read, done } = await reading
      if (done === true) return
      isLanding = true
      reading = batches.next()
      // After a failed landing the caller no longer awaits this read.
      reading.catch(() => {})
      const landed = await landBatch(segment, { batch, begun }, read)
      isLanding = false
      // Another attempt or run is ahead: its landings count, and the next segment continues from
      // there.
      if (!landed) return
      batch += 1
    }
  } finally {
    await batches.return(undefined)
  }
}

/** The place at which a sweep goes on, or the part of the list that it reads from its beginning. */
async function placeOf(
  segment: Segment,
  reached: SweepState | undefined,
  isForgotten: boolean,
): Promise<{ part?: SweepPart | undefined; from?: SweepState | undefined }> {
  if (reached !== undefined && !isForgotten) return { from: reached }
  const { connection, request, rules } = segment
  const about = { ...segment, account: request.account, since: request.since }
  const part =
    request.list === 'transactions' ? await sweepStart(connection, about, rules) : undefined
  return { part, from: reached && readAgain(reached, part) }
}

/** The facts that are fixed when a sweep begins. */
type Begun = Pick<StoredState, 'startedSeq' | 'schemaVersion' | 'only'>

export async function beginning({ connection, schemaVersion, only }: Segment): Promise<Begun> {
  const startedSeq = String(await currentFence(connection))
  return { startedSeq, schemaVersion, ...(only === undefined ? {} : { only }) }
}

async function landBatch(
  segment: Segment,
  { batch, begun }: { batch: number; begun: Begun },
  read: SweepBatch<Landing['rows']>,
): Promise<boolean> {
  const { lake, connection, request, sweepId, terminalId, schemaVersion, readSince } = segment
  const { hashKeys } = segment
  const { startedSeq, only } = begun
  const state: StoredState = {
    ...{ startedSeq, schemaVersion: begun.schemaVersion, sweep: read.state },
    ...(only === undefined ? {} : { only }),
  }
  const end = read.state.done ? endOf(read.state, startedSeq) : undefined
  const { account, runId, list } = request
  const { landed, newVersions } = await land(lake, connection, {
    ...{ account, hashKeys, runId, list, sweepId, terminalId, only, readSince },
    batch,
    rows: read.rows,
    rejects: read.rejects,
    schemaVersion,
    pages: read.pages,
    state,
    observedAt: read.observedAt,
    ...(end === undefined ? {} : { end }),
  })
  if (landed) {
    segment.onLanded?.({
      ...{ pages: read.pages.length, newVersions, quarantined: read.rejects.length },
      records: read.rows.length + read.rejects.length,
    })
  }
  return landed
}

function endOf(state: SweepState, startedSeq: string): SweepEnd {
  const { pages, records, quarantined, rewinds, requests, throttled } = state
  return {
    startedSeq,
    coversFrom: state.coversFrom,
    startedAt: state.startedAt,
    endedAt: state.endedAt ?? state.startedAt,
    ...{ pages, records, quarantined, rewinds, requests, throttled },
    certificate: state.certificate ?? 'BEST_EFFORT',
    bodiesSha256: state.bodiesSha256,
    unknownNames: state.unknownNames,
  }
}

/** Reads the state beside the last batch in the lake. */
export function stored(position: SweepPosition): StoredState {
  const state: StoredState = JSON.parse(position.state)
  return state
}

/** The number of the next batch. */
export const nextBatch = (before: SweepPosition | undefined) =>
  before === undefined ? 0 : before.batch + 1
