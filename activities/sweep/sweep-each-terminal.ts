/** The reading of a list by terminal: a refused terminal is recorded, and the others continue. */
import { Refusal } from '../../api/http/refusal.ts'
import { startState } from '../../api/sweep/sweep-state.ts'
import { refuseSchemaChange } from '../../api/record/schema-change.ts'
import { CERTIFICATES, type SweepResult } from '../../domain/run.ts'
import { land } from '../../lake/landing/land.ts'
import {
  knownTerminals,
  terminalPositions,
  type SweepPosition,
} from '../../lake/landing/sweep-position.ts'
import {
  beginning,
  nextBatch,
  stored,
  sweepSegment,
  type SegmentControl,
  type Segment,
  type SweepProgress,
} from './sweep-segment.ts'

type Positions = ReadonlyMap<string, SweepPosition>

/** Returns true if nothing is left to read: the list is at its end, or the service refuses it. */
export function isRead(position: SweepPosition): boolean {
  const { sweep, refused } = stored(position)
  return refused === true || sweep.done
}

/**
 * Reads each terminal for the time of a segment: the given ones, or all that the lake knows. Throws
 * `instead`, the reason for reading by terminal, if there is none, and the last refusal if all are
 * refused.
 */
export async function sweepEachTerminal(
  segment: Segment,
  terminals: readonly string[],
  control: SegmentControl & { instead?: Refusal },
): Promise<SweepResult> {
  const { connection, request, sweepId } = segment
  const wanted = await wantedTerminals(segment, terminals)
  if (wanted.length === 0 && request.list !== 'terminals' && control.instead !== undefined) {
    throw control.instead
  }
  const begun = await terminalPositions(connection, sweepId)
  let refusal: Refusal | undefined
  let read = [...begun.values()]
    .filter(isRead)
    .map((position) => stored(position).sweep)
    .reduce(sumOf, { pages: 0, records: 0, requests: 0 })
  for (const [at, terminalId] of wanted.entries()) {
    const before = begun.get(terminalId)
    if (before !== undefined && isRead(before)) continue
    if (segment.isDue()) break
    const one = { ...segment, sweepId: `${sweepId}/${terminalId}`, terminalId }
    const [place, earlier] = [{ terminal: at + 1, terminals: wanted.length }, read]
    const onProgress = (now: SweepProgress) => {
      read = sumOf(earlier, now)
      control.onProgress({ ...read, ...place })
    }
    refusal = (await sweepOne(one, before, { ...control, onProgress })) ?? refusal
  }
  const reached = await terminalPositions(connection, sweepId)
  if (refusal !== undefined && wanted.every((id) => isRefused(reached.get(id)))) throw refusal
  return resultOf(segment, wanted, { reached, isLimited: terminals.length > 0 })
}

const sumOf = (earlier: SweepProgress, { pages, records, requests }: SweepProgress) => ({
  pages: earlier.pages + pages,
  records: earlier.records + records,
  requests: earlier.requests + requests,
})

/** Sorted, so that each segment has the same order. */
async function wantedTerminals(
  { connection, request }: Segment,
  terminals: readonly string[],
): Promise<readonly string[]> {
  const all = terminals.length > 0 ? terminals : await knownTerminals(connection, request.account)
  if (request.list !== 'terminals' || request.pass === 1) return all
  const read = await terminalPositions(connection, `${request.runId}/terminals/1`)
  return all.filter((terminalId) => !read.has(terminalId))
}

/** Returns the refusal if the service refuses this terminal. */
async function sweepOne(
  segment: Segment & { terminalId: string },
  before: SweepPosition | undefined,
  control: SegmentControl,
): Promise<Refusal | undefined> {
  try {
    await sweepSegment(segment, before, control)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal && error.isAboutTerminal)) throw error
    await landRefusal(segment, before, error)
    return error
  }
}

async function landRefusal(
  segment: Segment & { terminalId: string },
  before: SweepPosition | undefined,
  { status, parameters, servedAt }: Refusal,
): Promise<void> {
  const { lake, connection, request, sweepId, terminalId, hashKeys } = segment
  const { account, runId, list } = request
  // The service's clock, which also dates the records, has priority.
  const observedAt = servedAt ?? new Date().toISOString()
  const begun =
    before === undefined
      ? { ...(await beginning(segment)), sweep: startState(observedAt, {}, true) }
      : stored(before)
  await land(lake, connection, {
    ...{ account, hashKeys, runId, list, sweepId, terminalId, observedAt },
    ...{ rows: [], rejects: [], pages: [] },
    batch: nextBatch(before),
    state: { ...begun, refused: true },
    refusal: { status, parameter: parameters[0] ?? null },
  })
}

const isRefused = (position: SweepPosition | undefined) =>
  position !== undefined && stored(position).refused === true

function resultOf(
  { request }: Segment,
  wanted: readonly string[],
  { reached, isLimited }: { reached: Positions; isLimited: boolean },
): SweepResult {
  const { list, pass } = request
  const all = [...reached.values()]
  const sum = (count: (position: SweepPosition) => number) =>
    all.reduce((total, position) => total + count(position), 0)
  const [records, quarantined] = [sum((one) => one.records), sum((one) => one.quarantined)]
  const done = wanted.every((id) => {
    const position = reached.get(id)
    return position !== undefined && isRead(position)
  })
  // Checked for the whole list, because one bad day can fill a terminal's few records.
  if (done) {
    const faults = all.map((position) => stored(position).sweep.collect.firstFault)
    const firstFault = faults.find((fault) => fault !== undefined)
    refuseSchemaChange(list, {
      unreadable: quarantined,
      records: records + quarantined,
      firstFault,
    })
  }
  const certificate = CERTIFICATES.findLast((name) =>
    all.some((position) => stored(position).sweep.certificate === name),
  )
  return {
    ...{ list, pass, done, records, quarantined },
    newVersions: sum((one) => one.newVersions),
    requests: sum((one) => stored(one).sweep.requests),
    ...(certificate === undefined ? {} : { certificate }),
    ...(list === 'terminals' && pass === 1 && !isLimited ? { later: true } : {}),
  }
}
