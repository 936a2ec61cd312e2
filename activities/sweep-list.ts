import type { DuckDBConnection } from '@duckdb/node-api'
import type { Source } from '../api/source.ts'
import { sweep, type SweepBatch, type SweepState } from '../api/sweep.ts'
import type { SweepRequest, SweepResult } from '../domain/run.ts'
import { knowledge, land, sweepPosition, type SweepEnd, type SweepPosition } from '../lake/land.ts'
import type { Lake } from '../lake/open.ts'
import { START_RULES, sweepStart, type StartRules } from '../lake/sweep-start.ts'
import type { SharedLake } from './shared-lake.ts'

/** A segment ends after this time, so that an activity stays short and a worker can be stopped between two. */
const SEGMENT_MS = 45_000
/** Small commits make small files; ten thousand records are a few seconds of paging at most. */
const BATCH_RECORDS = 10_000

/** What the sweep has reached, for heartbeats. */
export interface SweepProgress {
  pages: number
  records: number
  requests: number
}

interface Hearing {
  signal?: AbortSignal
  heard: (progress: SweepProgress) => void
}

/** What lies in the lake beside each batch: what the sweep needs to go on, and how much was known when it began. */
interface StoredState {
  startedSeq: string
  sweep: SweepState
}

interface Segment {
  lake: Lake
  connection: DuckDBConnection
  source: Source
  request: SweepRequest
  sweepId: string
  rules: StartRules
}

/**
 * Sweeps one list for up to a segment's time and lands what it reads. Where to go on is read from the lake, not from
 * memory: a worker that was killed goes on after the last batch that landed.
 */
export const createSweepList =
  (shared: SharedLake, source: () => Source, rules: StartRules = START_RULES) =>
  async (
    request: SweepRequest,
    signal?: AbortSignal,
    heard: Hearing['heard'] = () => {},
  ): Promise<SweepResult> =>
    shared.connected(async (lake, connection) => {
      const sweepId = `${request.runId}/${request.list}/${request.pass}`
      const before = await sweepPosition(connection, sweepId)
      if (before === undefined || !stored(before).sweep.done) {
        const segment = { lake, connection, source: source(), request, sweepId, rules }
        await sweepSegment(segment, before, { heard, ...(signal === undefined ? {} : { signal }) })
      }
      const reached = await sweepPosition(connection, sweepId)
      return resultOf(request, reached)
    }, signal)

async function sweepSegment(
  segment: Segment,
  before: SweepPosition | undefined,
  { signal, heard }: Hearing,
): Promise<void> {
  const { connection, source, request } = segment
  const since_ms = performance.now()
  const startedSeq =
    before === undefined ? (await knowledge(connection)).toString() : stored(before).startedSeq
  let batch = before === undefined ? 0 : before.batch + 1
  const part =
    before === undefined && request.list === 'transactions'
      ? await sweepStart(connection, request.account, segment.rules)
      : undefined
  const batches = sweep(source, request.list, {
    part,
    from: before && stored(before).sweep,
    batchRecords: BATCH_RECORDS,
    // What was read beyond the last batch would be read again.
    isDue: () => performance.now() - since_ms > SEGMENT_MS,
    onPage: heard,
    ...(signal === undefined ? {} : { signal }),
  })
  // The next batch is read while this one lands: the network and the disk don't wait for each other.
  let reading = batches.next()
  try {
    for (;;) {
      const { value: read, done } = await reading
      if (done === true) return
      reading = batches.next()
      // Where landing fails, nobody waits for this one any more.
      reading.catch(() => {})
      const landed = await landBatch(segment, { batch, startedSeq }, read)
      // Another attempt is ahead: what it landed counts, and the next segment goes on from there.
      if (!landed) return
      batch += 1
    }
  } finally {
    await batches.return(undefined)
  }
}

async function landBatch(
  { lake, connection, request, sweepId }: Segment,
  { batch, startedSeq }: { batch: number; startedSeq: string },
  read: SweepBatch,
): Promise<boolean> {
  const state: StoredState = { startedSeq, sweep: read.state }
  const end = read.state.done ? endOf(read.state, startedSeq) : undefined
  const { landed } = await land(lake, connection, {
    account: request.account,
    runId: request.runId,
    sweepId,
    list: request.list,
    batch,
    rows: read.rows,
    rejects: read.rejects,
    pages: read.pages,
    state,
    observedAt: read.observedAt,
    ...(end === undefined ? {} : { end }),
  })
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
  }
}

function stored(position: SweepPosition): StoredState {
  const state: StoredState = JSON.parse(position.state)
  return state
}

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
