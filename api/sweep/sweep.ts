/** Reads one list from its start to its end, and certifies how complete the reading was. */
import { Failure } from '../../domain/failure.ts'
import type { List, SweptPage } from '../../domain/run.ts'
import { RecentIds } from './recent-ids.ts'
import { LookAhead, MOST_PAGES } from './prefetch.ts'
import type { Page } from '../http/page.ts'
import { readRecord, type ReadRecord, type Reject } from '../record/record.ts'
import type { Source } from '../http/source.ts'
import { NotFiltered, Refusal } from '../http/refusal.ts'
import { recordId } from './record-marks.ts'
import { nextOffset, startState, type PageStep, type Part, type SweepState } from './sweep-state.ts'
import { step } from './sweep-step.ts'

export type { SweepState } from './sweep-state.ts'

/** A container for the rows of a batch. */
export interface Gathering {
  readonly length: number
  /** Bytes that it holds. */
  readonly size: number
  push(rows: readonly object[]): void
}

/** Records of some pages, and the state from which the sweep goes on after them. */
export interface SweepBatch<Rows = Gathering> {
  rows: Rows
  rejects: Reject[]
  pages: SweptPage[]
  state: SweepState
  /** When the last of the pages was read, by the service's clock if the answer has a date. */
  observedAt: string
}

/** The most bytes in the rows of a batch, which bounds its memory however long the records are. */
const MOST_SIZE = 24 * 1024 * 1024

/** The parts of a source that a sweep uses. */
export type SweptSource = Pick<Source, 'hashKey' | 'counters' | 'pageSize' | 'page'>

export interface SweepOptions<Rows extends Gathering> {
  /** Makes the container for the rows of the next batch. */
  newRows: () => Rows
  /** The sweep goes on after the batch with this state. Undefined: the sweep begins anew. */
  from?: SweepState | undefined
  /** The part to read if the sweep begins anew. Undefined: the whole list. */
  part?: Part | undefined
  /**
   * Called after each page with the number of records in the batch. True ends the batch; so does a batch that needs
   * too much memory.
   */
  isEnough: (records: number) => boolean
  /** Called after each page. If true, the batch ends with this page, and the generator ends after the batch. */
  isDue?: () => boolean
  /** Asks the service only for the records of this terminal. */
  terminalId?: string | undefined
  /** Leaves out the records of all other terminals. Undefined: takes all. */
  only?: ReadonlySet<string> | undefined
  signal?: AbortSignal
  onPage?: (progress: { pages: number; records: number; requests: number }) => void
  /**
   * Awaited after each page. Pages that have already arrived would otherwise block the other work of this process.
   */
  giveWay?: () => Promise<void>
}

/** A page whose records are read. */
interface Fetched {
  page: Omit<Page, 'records'>
  records: ReadRecord[]
}

/**
 * Sweeps a list from the state of an earlier batch, or from its beginning. Each batch can be landed by itself. The
 * last one has `state.done` and the certificate. Throws the Failures of a source, next_loop and schema_change. If a
 * page fails, the generator first yields the batch of the pages before it.
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
    // The records are read when the page is taken, because the bytes of a waiting page need much less memory.
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

/** Takes a page, and remembers its records, because one of them may appear again in a prefetched page. */
function stepBeside(
  recentIds: RecentIds,
  about: { list: List; before: SweepState; fetched: Fetched; isAhead: boolean },
): PageStep {
  const { list, before, fetched, isAhead } = about
  // A page requested from now on is newer than all pages that were taken.
  if (!isAhead) recentIds.clear()
  const taken = step(list, before, { ...fetched, isAhead, isRecent: recentIds.has })
  recentIds.add(fetched.records)
  return taken
}

/** Yields the pages before a failure, so that they can land. A later try need not read them again. */
function* readBefore<Rows extends Gathering>(
  batch: Gathered<Rows>,
  state: SweepState | undefined,
  observedAt: string,
): Generator<SweepBatch<Rows>> {
  if (state !== undefined && batch.pages.length > 0) yield { ...batch, state, observedAt }
}

/**
 * Returns the Failure of a page that can't be read. Throws a Refusal, after which the caller may read the list in
 * another way. Throws an abortion, too, because it is not a failure.
 */
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

/** True of a record of another terminal. A record without a terminal counts as none. */
const isForeign = (record: ReadRecord, terminalId: string) =>
  (terminalOf(record) ?? terminalId) !== terminalId

/** Leaves out the records of other terminals, and does not count them. */
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

/**
 * Returns the distance from one page to the next if the sweep went on through the list as expected, or else
 * undefined.
 */
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

/** Ignores a state of another version: the sweep begins anew. Records that have landed do not land twice. */
const usable = (state: SweepState | undefined) => (state?.version === 2 ? state : undefined)

/**
 * Makes a function that adds the requests sent since its last call. Requests are sent ahead of the pages that are
 * taken.
 */
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
