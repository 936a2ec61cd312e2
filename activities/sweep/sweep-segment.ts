/** A bounded part of one sweep: pages are read ahead while what was read lands. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Source } from '../../api/http/source.ts'
import { sweep, type SweepBatch, type SweepState } from '../../api/sweep/sweep.ts'
import { sweepTerminal } from '../../api/sweep/sweep-terminal.ts'
import type { PackedRows } from '../../domain/packed-rows.ts'
import type { SweepRules } from '../../domain/settings.ts'
import type { SweepRequest } from '../../domain/run.ts'
import { LISTS } from '../../lake/landing/list-schemas.ts'
import { knowledge, land } from '../../lake/landing/land.ts'
import { type SweepEnd } from '../../lake/landing/landing.ts'
import { type SweepPosition } from '../../lake/landing/sweep-position.ts'
import type { Lake } from '../../lake/connection/lake.ts'
import { sweepStart } from '../../lake/landing/sweep-start.ts'
import { TypedRows } from '../../lake/landing/typed-rows.ts'
import type { BatchCounts } from '../runtime/metrics.ts'

/** A commit costs as much as the rows of ten thousand records, and small ones make small files; a segment of a slow service lands by time. */
const BATCH_RECORDS = 20_000

/** While the batch before still lands, reading goes on: nobody would land this one yet. What waits has to fit into memory. */
const MOST_RECORDS = 25_000

/** What the sweep has reached, for heartbeats. */
export interface SweepProgress {
  pages: number
  records: number
  requests: number
}

export interface Hearing {
  signal?: AbortSignal
  heard: (progress: SweepProgress) => void
}

/** What lies in the lake beside each batch: what the sweep needs to go on, and how much was known when it began. */
interface StoredState {
  startedSeq: string
  /** By which its records are judged, from the first to the last. */
  schemaVersion: number
  /** Of these terminals alone its records are kept; absent: of all. */
  only?: readonly string[]
  sweep: SweepState
  /** The service will not give it. */
  refused?: boolean
}

export interface Segment {
  lake: Lake
  connection: DuckDBConnection
  source: Source
  request: SweepRequest
  sweepId: string
  /** What this terminal has is asked for, and nothing else. */
  terminalId?: string | undefined
  /** Of what is read only these terminals are kept. */
  only?: readonly string[] | undefined
  rules: SweepRules
  schemaVersion: number
  /** Instant with which the range begins that somebody asked for; absent: what a night reads. */
  from?: string
  /** Landing number that stood when the segment began: before anything was read that it lands. */
  readSince: bigint
  isDue: () => boolean
  /** Hears of each batch once it has landed. */
  onLanded?: ((batch: BatchCounts) => void) | undefined
}

/** Goes on with a sweep, or begins it, until it is at its end or the segment is. */
export async function sweepSegment(
  segment: Segment,
  before: SweepPosition | undefined,
  { signal, heard }: Hearing,
): Promise<void> {
  const { connection, source, request, terminalId } = segment
  const begun = before === undefined ? await beginning(segment) : stored(before)
  let batch = nextBatch(before)
  if (request.list === 'terminals' && terminalId !== undefined) {
    const read = await sweepTerminal(source, terminalId, signal)
    await landBatch(segment, { batch, begun }, read)
    return
  }
  const part =
    before === undefined && request.list === 'transactions'
      ? await sweepStart(
          connection,
          { ...segment, account: request.account, since: request.since },
          segment.rules,
        )
      : undefined
  let isLanding = false
  const batches = sweep(source, request.list, {
    part,
    from: before && stored(before).sweep,
    newRows: () => new TypedRows(LISTS[request.list].types),
    isEnough: (records) => records >= (isLanding ? MOST_RECORDS : BATCH_RECORDS),
    // What was read beyond the last batch would be read again.
    isDue: segment.isDue,
    ...{ terminalId, only: begun.only && new Set(begun.only) },
    onPage: heard,
    // The landing of the batch before waits for nothing else.
    giveWay: nextTurn,
    ...(signal === undefined ? {} : { signal }),
  })
  // The next batch is read while this one lands: the network and the disk don't wait for each other.
  let reading = batches.next()
  try {
    for (;;) {
      const { value: read, done } = await reading
      if (done === true) return
      isLanding = true
      reading = batches.next()
      // Where landing fails, nobody waits for this one any more.
      reading.catch(() => {})
      const landed = await landBatch(segment, { batch, begun }, read)
      isLanding = false
      // Another attempt is ahead, or another run: what has landed counts, and the next segment goes on from there.
      if (!landed) return
      batch += 1
    }
  } finally {
    await batches.return(undefined)
  }
}

/** What is fixed when a sweep begins. */
type Begun = Pick<StoredState, 'startedSeq' | 'schemaVersion' | 'only'>

export async function beginning({ connection, schemaVersion, only }: Segment): Promise<Begun> {
  const startedSeq = String(await knowledge(connection))
  return { startedSeq, schemaVersion, ...(only === undefined ? {} : { only }) }
}

type Landed = PackedRows | TypedRows

async function landBatch(
  segment: Segment,
  { batch, begun }: { batch: number; begun: Begun },
  read: SweepBatch<Landed>,
): Promise<boolean> {
  const { lake, connection, request, sweepId, terminalId, schemaVersion, readSince } = segment
  const { startedSeq, only } = begun
  const state: StoredState = {
    ...{ startedSeq, schemaVersion: begun.schemaVersion, sweep: read.state },
    ...(only === undefined ? {} : { only }),
  }
  const end = read.state.done ? endOf(read.state, startedSeq) : undefined
  const { account, runId, list } = request
  const { landed, newVersions } = await land(lake, connection, {
    ...{ account, runId, list, sweepId, terminalId, only, readSince },
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

/** What lies in the lake beside the last batch. */
export function stored(position: SweepPosition): StoredState {
  const state: StoredState = JSON.parse(position.state)
  return state
}

/** The batch to land next. */
export const nextBatch = (before: SweepPosition | undefined) =>
  before === undefined ? 0 : before.batch + 1
