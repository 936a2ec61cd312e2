/** Reads one list from end to end and proves how completely. */
import { Failure } from '../../domain/failure.ts'
import type { List } from '../../domain/run.ts'
import { RecentIds } from './recent-ids.ts'
import { LookAhead, MOST_PAGES } from './prefetch.ts'
import type { Page } from '../http/page.ts'
import { readRecord, type ReadRecord, type Reject } from '../record/record.ts'
import type { Source } from '../http/source.ts'
import { NotFiltered, Refusal } from '../http/refusal.ts'
import { recordId } from './record-marks.ts'
import { isFixed } from './sweep-order.ts'
import { nextOffset, startState, type PageStep, type Part, type SweepState } from './sweep-state.ts'
import { step } from './sweep-step.ts'

export type { SweepState } from './sweep-state.ts'

export interface SweptPage {
  offset: number
  asked: number
  count: number
  firstId: string | null
  lastId: string | null
  bodySha256: string
}

/** What gathers the rows of a batch. */
export interface Gathering {
  readonly length: number
  /** Bytes or characters that it holds. */
  readonly size: number
  push(rows: readonly object[]): void
}

/** Records of some pages and the state to go on from after them. */
export interface SweepBatch<Rows extends Gathering = Gathering> {
  rows: Rows
  rejects: Reject[]
  pages: SweptPage[]
  state: SweepState
  /** When the last of the pages was read, by the service's clock where it tells. */
  observedAt: string
}

/** Bytes or characters of the rows of a batch: what it holds in memory is bounded, however long its records are. */
const MOST_SIZE = 24 * 1024 * 1024

/** What a sweep needs of a source. */
export type SweptSource = Pick<Source, 'hashKey' | 'counters' | 'pageSize' | 'page'>

export interface SweepOptions<Rows extends Gathering> {
  /** Makes what the rows of the next batch go into. */
  newRows: () => Rows
  /** State of the batch to go on after; undefined begins anew. */
  from?: SweepState | undefined
  /** What to read when it begins anew; undefined is all of the list. */
  part?: Part | undefined
  /** Asked after each page with the records of the batch so far: true ends it. So does what needs too much memory. */
  isEnough: (records: number) => boolean
  /** Asked after each page: true ends the batch with it, and the generator after the batch. */
  isDue?: () => boolean
  /** Only what the service has for this terminal is asked for. */
  terminalId?: string | undefined
  /** Records of other terminals are left where they are; undefined takes all. */
  only?: ReadonlySet<string> | undefined
  signal?: AbortSignal
  onPage?: (progress: { pages: number; records: number; requests: number }) => void
  /** Waited for after each page, so that pages that have come already don't keep everybody else waiting. */
  giveWay?: () => Promise<void>
}

/** A page whose records are read. */
interface Fetched {
  page: Omit<Page, 'records'>
  records: ReadRecord[]
}

/**
 * Sweeps a list from the state of an earlier batch, or from its beginning. Every batch can be landed by itself; the last
 * one has `state.done` and the certificate. Throws the Failures of a source, next_loop and schema_change; where a page will
 * not come, after the batch of the pages before it.
 */
export async function* sweep<Rows extends Gathering>(
  source: SweptSource,
  list: List,
  options: SweepOptions<Rows>,
): AsyncGenerator<SweepBatch<Rows>> {
  const ahead = new LookAhead<Page>({
    read: (offset, signal) => fetchPage(source, list, { ...options, offset, signal }),
    signal: options.signal,
  })
  try {
    yield* batches({ source, list, ahead }, options)
  } finally {
    ahead.drop()
  }
}

interface Sweeping {
  source: SweptSource
  list: List
  ahead: LookAhead<Page>
}

async function* batches<Rows extends Gathering>(
  { source, list, ahead }: Sweeping,
  options: SweepOptions<Rows>,
): AsyncGenerator<SweepBatch<Rows>> {
  const count = counting(source)
  let state = usable(options.from)
  let batch = emptyBatch(options)
  const recentIds = new RecentIds(MOST_PAGES)
  let stride: number | undefined
  let observedAt = ''
  while (state?.done !== true) {
    const offset = nextOffset(state ?? startState('', options.part))
    const next = await ahead.take(offset, stride).catch(failed)
    if ('failure' in next) {
      yield* readBefore(batch, state, observedAt)
      throw next.failure
    }
    const { page, isAhead } = next
    // Its records are read when its turn comes: in memory the bytes of a page ahead are the least of it.
    const fetched = readAll(page, { source, list, terminalId: options.terminalId })
    observedAt = fetched.page.servedAt ?? new Date().toISOString()
    const before = state ?? startState(observedAt, options.part, options.terminalId !== undefined)
    const taken = within(stepBeside(recentIds, { list, before, fetched, isAhead }), options.only)
    stride = strideAfter(before, taken.state, fetched)
    if (stride === undefined) ahead.drop()
    state = { ...taken.state, ...count(taken.state), endedAt: observedAt }
    batch.rows.push(taken.rows)
    batch.rejects.push(...taken.rejects)
    batch.pages.push(sweptPage(fetched))
    options.onPage?.(state)
    const due = dueAfter(batch, state, options)
    if (due === 'nothing') {
      if (options.giveWay !== undefined) await options.giveWay()
      continue
    }
    yield { ...batch, state, observedAt }
    batch = emptyBatch(options)
    if (due === 'end') return
  }
}

/** Takes a page in, and remembers its records where one of them may turn up in a page that is ahead. */
function stepBeside(
  recentIds: RecentIds,
  about: { list: List; before: SweepState; fetched: Fetched; isAhead: boolean },
): PageStep {
  const { list, before, fetched, isAhead } = about
  // What is asked for from now on is newer than all that was taken.
  if (!isAhead) recentIds.clear()
  // In such a list no record overtakes a page.
  if (isFixed(before.orders)) return step(list, before, { ...fetched, isAhead })
  const taken = step(list, before, { ...fetched, isAhead, isRecent: recentIds.has })
  recentIds.add(fetched.records)
  return taken
}

/** What was read before a failure can land: whoever tries again, or looks what there is, has it. */
function* readBefore<Rows extends Gathering>(
  batch: Gathered<Rows>,
  state: SweepState | undefined,
  observedAt: string,
): Generator<SweepBatch<Rows>> {
  if (state !== undefined && batch.pages.length > 0) yield { ...batch, state, observedAt }
}

/** Of a page that will not come. A refusal may mean that the list is to be read otherwise; an abortion is nobody's failure. */
function failed(failure: unknown): { failure: Failure } {
  if (failure instanceof Failure && !(failure instanceof Refusal)) return { failure }
  throw failure
}

type Gathered<Rows extends Gathering> = Pick<SweepBatch<Rows>, 'rows' | 'rejects' | 'pages'>

function dueAfter(
  { rows, rejects }: Gathered<Gathering>,
  { done }: SweepState,
  { isEnough, isDue }: Pick<SweepOptions<Gathering>, 'isEnough' | 'isDue'>,
): 'nothing' | 'batch' | 'end' {
  if (isDue?.() === true) return 'end'
  const isFull = isEnough(rows.length + rejects.length) || rows.size >= MOST_SIZE
  return done || isFull ? 'batch' : 'nothing'
}

async function fetchPage(
  source: SweptSource,
  list: List,
  about: { offset: number; signal: AbortSignal; terminalId?: string | undefined },
): Promise<Page> {
  const { offset, signal, terminalId } = about
  const ask = { offset, limit: source.pageSize(list) }
  return source.page(list, terminalId === undefined ? ask : { ...ask, terminalId }, signal)
}

function readAll(
  { records: raw, release, ...page }: Page,
  about: { source: SweptSource; list: List; terminalId: string | undefined },
): Fetched {
  const { source, list, terminalId } = about
  const records = raw.map((record) => readRecord(list, record, source.hashKey))
  release?.()
  if (terminalId !== undefined && records.some((record) => isForeign(record, terminalId))) {
    throw new NotFiltered(list, terminalId)
  }
  return { page, records }
}

const terminalOf = (record: ReadRecord) =>
  'row' in record ? record.row.terminal_id : record.reject.terminal_id

/** A record that doesn't tell its terminal is none of another one. */
const isForeign = (record: ReadRecord, terminalId: string) =>
  (terminalOf(record) ?? terminalId) !== terminalId

/** Leaves out, uncounted, what belongs to other terminals than these. */
function within(taken: PageStep, only: ReadonlySet<string> | undefined): PageStep {
  if (only === undefined) return taken
  const isWanted = ({ terminal_id }: { terminal_id: string | null }) =>
    terminal_id === null || only.has(terminal_id)
  const [rows, rejects] = [taken.rows.filter(isWanted), taken.rejects.filter(isWanted)]
  const unread = taken.rejects.length - rejects.length
  const state = {
    ...taken.state,
    records: taken.state.records - (taken.rows.length - rows.length) - unread,
    quarantined: taken.state.quarantined - unread,
  }
  return { state, rows, rejects }
}

/** The distance to the pages that follow, where the sweep went on through the list as it was foreseen. */
function strideAfter(
  before: SweepState,
  after: SweepState,
  { page, records }: Fetched,
): number | undefined {
  const isOn =
    after.phase === 'list' &&
    before.phase === 'list' &&
    after.collect.number === before.collect.number &&
    after.collect.pages > before.collect.pages &&
    after.offset === page.offset + records.length
  return isOn && page.hasNext ? records.length - after.anchor.length : undefined
}

/** A state of another version can't be read: the sweep begins anew, and what has landed lands no second time. */
const usable = (state: SweepState | undefined) => (state?.version === 2 ? state : undefined)

/** Adds what the source has sent since the last call; it is sent ahead of the pages that are taken. */
function counting(source: SweptSource) {
  let { requests, throttled } = source.counters
  return (state: SweepState) => {
    const now = { ...source.counters }
    const sum = {
      requests: state.requests + now.requests - requests,
      throttled: state.throttled + now.throttled - throttled,
    }
    ;({ requests, throttled } = now)
    return sum
  }
}

function emptyBatch<Rows extends Gathering>({
  newRows,
}: Pick<SweepOptions<Rows>, 'newRows'>): Gathered<Rows> {
  return { rows: newRows(), rejects: [], pages: [] }
}

function sweptPage({ page, records }: Fetched): SweptPage {
  const [first, last] = [records[0], records.at(-1)]
  return {
    offset: page.offset,
    asked: page.asked,
    count: records.length,
    firstId: first === undefined ? null : recordId(first),
    lastId: last === undefined ? null : recordId(last),
    bodySha256: page.bodySha256,
  }
}
