/** Applies one page to the state of a sweep. The step uses no clock and no network, so that tests can simulate it. */
import { Failure } from '../../domain/failure.ts'
import type { Certificate, List } from '../../domain/run.ts'
import { countNames } from '../record/unknown-fields.ts'
import type { ReadRecord } from '../record/record.ts'
import { begunAt, collected, nextAnchor } from './sweep-collect.ts'
import { refuseEndless } from './endless-list.ts'
import { HEAD, readHead, startHead } from './sweep-head.ts'
import { searchStep } from './sweep-search.ts'
import { fit, markOf, recordId, sha256, shiftOf, unlike, type Fit } from './record-marks.ts'
import { refuseSchemaChange, refuseUnreadable } from '../record/schema-change.ts'
import { follow, growsAtEnd, isFixed, isOlder, isSorted, liesBefore } from './sweep-order.ts'
import {
  beginning,
  newCollect,
  noHead,
  overlapOf,
  type PageStep,
  type ReadPage,
  type Search,
  type Start,
  type SweepState,
} from './sweep-state.ts'

/** The most consecutive pages that have a next one and nothing new. */
const MOST_EMPTY = 1000
/** The requests for such a page: the first time, and once the list is known to have such pages. */
const EMPTY_TRIES = { first: 4, later: 2 }
const MOST_LOST = 8
/** A short list is read again until two collects agree. For a long list that moves, this would hardly succeed. */
const SHORT_PAGES = 50
const MOST_COLLECTS = { short: 12, long: 3 }
/**
 * A collect may read ten records for each one before its place, and a thousand besides. If it reads more, the list moves
 * faster than the sweep can go back.
 */
const MOST_REREAD = { times: 10, records: 1000 }

/** Takes one page. Throws next_loop for a list that does not end, and schema_change for a list that can't be read. */
export function step(list: List, before: SweepState, read: ReadPage): PageStep {
  const repeats = refuseEndless(list, before, read)
  refuseUnreadable(list, read)
  const state = {
    ...before,
    ...repeats,
    pages: before.pages + 1,
    bodiesSha256: sha256(`${before.bodiesSha256}${read.page.bodySha256}`),
  }
  if (state.search !== undefined) return seekStart(list, { ...state, search: state.search }, read)
  if (state.phase === 'list') return listStep(list, state, read)
  const { state: after, fresh, outcome } = readHead(state, read)
  const taken = handedOver(after, fresh)
  if (outcome === 'reached') return finish(list, taken, 'CONTIGUOUS')
  return outcome === 'lost' ? anew(list, taken) : taken
}

/**
 * Evaluates a page of the search for the place to begin. The sweep that follows checks whether the list really has
 * that order.
 */
function seekStart(list: List, before: SweepState & { search: Search }, read: ReadPage): PageStep {
  const { search, ...state } = before
  const isEmpty = read.records.length === 0 && read.page.hasNext
  if (isEmpty && before.emptyPages < EMPTY_TRIES.later) {
    return { state: { ...before, emptyPages: before.emptyPages + 1 }, rows: [], rejects: [] }
  }
  // If the places that were looked at have no records, no order is known, and the list is read from its head.
  if (isEmpty || hasMissingRecords(read))
    return { state: { ...state, ...wholeList('no-order') }, rows: [], rejects: [] }
  const result = searchStep(search, read)
  const none = { rows: [], rejects: [] }
  if (result.kind === 'on') {
    return { state: { ...state, search: result.search, emptyPages: 0 }, ...none }
  }
  if (result.kind === 'start') {
    const { start } = result
    const begun = { ...beginning(start), begin: start, phase: 'list', sought: 'start' } as const
    return { state: { ...state, ...begun }, ...none }
  }
  const whole: SweepState = { ...state, ...wholeList(result.why) }
  // The first probed page is also the first page of the list.
  return search.probes.length === 0 ? listStep(list, whole, read) : { state: whole, ...none }
}

/** Begins at the head of the list, in whatever order it is. */
const wholeList = (sought: 'all-needed' | 'falling' | 'no-order') =>
  ({ phase: 'list', emptyPages: 0, sought }) as const

function listStep(list: List, state: SweepState, read: ReadPage): PageStep {
  const { records, isAhead } = read
  const found = fit(state.anchor, records)
  const refused = isAhead ? refusedAhead(list, state, { read, found }) : undefined
  if (refused !== undefined) return refused
  if (tellsNothing(state, read, found)) {
    if (!read.page.hasNext) return endOfList(list, { state, rows: [], rejects: [] })
    // The list may have moved by a page, or pages may have become as short as their overlap.
    const isMoved = records.length > 0 && !isRounded(state, read) && !hasMissingRecords(read)
    if (!isMoved || state.emptyPages === 0) return again(list, state, read)
  }
  return found.kind === 'lost' ? seek(list, state, read) : goOn(list, state, { read, found })
}

/**
 * Judges a prefetched page. The page is good if nothing moved meanwhile, and it never proves the end of the list.
 * Returns undefined if the page is good, or else the step that replaces it.
 */
function refusedAhead(
  list: List,
  state: SweepState,
  { read, found }: { read: ReadPage; found: Fit },
): PageStep | undefined {
  const { page, records } = read
  if (found.kind !== 'exact' || !page.hasNext || records.length === 0) {
    const shifted = page.hasNext ? shiftedStep(list, state, read) : undefined
    return shifted ?? { state, rows: [], rejects: [] }
  }
  if (!isOutrun(read, found.after)) return undefined
  return { state: { ...state, outrun: (state.outrun ?? 0) + 1 }, rows: [], rejects: [] }
}

/**
 * True if one of this page's records was also on a preceding page that was read later. This page's version of the
 * record may be older.
 */
const isOutrun = ({ records, isRecent }: ReadPage, after: number): boolean =>
  isRecent !== undefined && records.slice(after).some(isRecent)

/**
 * Handles a prefetched page after the list has moved by a few records. If records never change their neighbours, the
 * records after the anchor are the next ones of the list. Those before the anchor were read with the previous page,
 * perhaps in a newer state.
 */
function shiftedStep(list: List, state: SweepState, read: ReadPage): PageStep | undefined {
  const { page, records } = read
  const shift = shiftOf(state.anchor, records)
  if (shift === undefined || shift.index + shift.length >= records.length) return undefined
  const rest = {
    ...read,
    page: { ...page, offset: page.offset + shift.index },
    records: records.slice(shift.index),
    size: records.length,
  }
  const collect = { ...state.collect, isStill: state.collect.isStill && state.hasGaps === true }
  const before = { ...state, collect, shifted: (state.shifted ?? 0) + 1 }
  const taken = goOn(list, before, { read: rest, found: { kind: 'exact', after: shift.length } })
  return isFixed(taken.state.orders) ? taken : undefined
}

function goOn(
  list: List,
  state: SweepState,
  { read, found }: { read: ReadPage; found: Exclude<Fit, { kind: 'lost' }> },
): PageStep {
  const { page, records } = read
  // The record at which a sweep begins may have moved since an earlier sweep saw it. Places prove nothing in a list
  // with gaps.
  const isStill = found.kind === 'exact' || state.collect.pages === 0 || state.hasGaps === true
  const taken = accept(isStill ? state : moved(state), read, found.after)
  if (isMisled(taken.state)) {
    return { ...taken, state: { ...nextCollect(taken.state, null), sought: 'misled' } }
  }
  // After a full page without a next one, the sweep requests one more page: the service may cap a page there.
  const mayGoOn = records.length >= page.asked || page.isBare === true
  const isFull = mayGoOn && records.length > found.after
  const coversFrom = coveredFrom(taken.state, records)
  if (coversFrom !== undefined) {
    return endOfList(list, { ...taken, state: { ...taken.state, coversFrom } })
  }
  return page.hasNext || isFull ? taken : endOfList(list, taken)
}

/**
 * Returns the instant from which the sweep covers a list whose newest records come first, once no more needed records
 * can follow this page. Undefined if more may follow.
 */
function coveredFrom(
  { until, orders, sought }: SweepState,
  records: readonly ReadRecord[],
): string | undefined {
  if (typeof until !== 'string') return undefined
  const isPast = isOlder(orders, records, { instant: until, isNew: sought !== undefined })
  return isPast ? until : undefined
}

/**
 * True if the list turned out not to be in the order that the search needs. Needed records may lie before the place
 * where the sweep began.
 */
const isMisled = ({ sought, begin, orders }: SweepState) =>
  sought === 'start' && begin !== null && !orders.created.rises

/**
 * True if a page in the middle of the list has no record after those that were read before. The service may have sent
 * an earlier page again. A list that can't name a next page ends with such a page, or with its first page once more.
 */
function tellsNothing(state: SweepState, { page, records }: ReadPage, found: Fit): boolean {
  const isKnown = found.kind !== 'lost' && found.after === records.length
  if (page.hasNext) return records.length === 0 || isKnown
  if (page.isBare !== true || state.collect.pages === 0) return false
  const [first] = records
  return isKnown || (first !== undefined && state.head.marks[0]?.[0] === recordId(first))
}

/**
 * Handles a page that has a next one but nothing new. Some services answer so while they are busy, and so the page is
 * requested again. Others leave records out after cutting the page, or round offsets down. Then the sweep goes on at
 * the offset that `next` names, and nothing joins the two pages.
 */
function again(list: List, state: SweepState, { page, records }: ReadPage): PageStep {
  const none = { rows: [], rejects: [] }
  const emptyPages = state.emptyPages + 1
  if (emptyPages >= MOST_EMPTY) {
    throw new Failure(
      'next_loop',
      `the list of ${list} goes on with pages that hold nothing new, up to offset ${page.offset} at least`,
    )
  }
  const { first, later } = EMPTY_TRIES
  const isOften = emptyPages % (state.followed === undefined ? first : later) === 0
  const next = page.next?.offset
  if (!isOften || next === undefined) return { state: { ...state, emptyPages }, ...none }
  const followed = (state.followed ?? 0) + 1
  return {
    state: {
      ...state,
      ...{ emptyPages, followed, hasGaps: true, offset: next, anchor: [] },
      ...(isRounded(state, { page, records }) ? { isRounded: true as const } : {}),
    },
    ...none,
  }
}

type Records = Pick<ReadPage, 'page' | 'records'>

/** True if the service sent the preceding page once more: its next one begins where that page ended. */
const isRounded = ({ offset }: SweepState, { page, records }: Records) =>
  records.length > 0 && page.next?.offset === offset

/** True if the page has fewer records than the distance to the next offset. */
const hasMissingRecords = ({ page, records }: Records) =>
  page.next !== undefined && page.next.offset > page.offset + records.length

function moved(state: SweepState): SweepState {
  return {
    ...state,
    rewinds: state.rewinds + 1,
    collect: { ...state.collect, isStill: false },
  }
}

/** Looks for the anchor some pages further on, or some pages back, if it is not at its expected place. */
function seek(list: List, before: SweepState, { page, records }: ReadPage): PageStep {
  const state = { ...moved(before), lostAnchors: before.lostAnchors + 1 }
  const none = { rows: [], rejects: [] }
  const isPossible = state.lostAnchors <= MOST_LOST && !isCircling(state)
  if (isPossible && page.hasNext && liesBefore(state.orders, records) === true) {
    return {
      state: { ...state, offset: page.offset + records.length + state.anchor.length },
      ...none,
    }
  }
  const offset = state.offset - Math.max(page.asked, 10) * 2 ** before.lostAnchors
  if (isPossible && offset > state.anchor.length) return { state: { ...state, offset }, ...none }
  if (mayCollectAgain(state)) return { state: nextCollect(state, null), ...none }
  return accepted(list, { ...state, held: false, anchor: [] }, { page, records })
}

/**
 * True if the collect goes back so often that it may never reach the end. The sweep then begins a new collect, or goes on
 * without proof.
 */
const isCircling = ({ collect, offset }: SweepState) =>
  collect.records > MOST_REREAD.times * offset + MOST_REREAD.records

function accepted(list: List, state: SweepState, read: Omit<ReadPage, 'isAhead'>): PageStep {
  const taken = accept(state, { ...read, isAhead: false }, 0)
  return read.page.hasNext ? taken : endOfList(list, taken)
}

/** Takes a page whose first `after` records end with the anchor. */
function accept(state: SweepState, read: ReadPage, after: number): PageStep {
  const { page, records, size = records.length } = read
  const { collect, anchor } = state
  const body = sha256(`${page.offset}/${page.bodySha256}`)
  // If nothing has changed, records that an earlier collect handed over are not handed over again.
  const isRepeated = collect.isStill && state.before?.bodies[collect.pages] === body.slice(0, 16)
  const fresh = isRepeated ? [] : records.filter(unlike(anchor))
  const next: SweepState = {
    ...state,
    ...(collect.pages === 0 ? headOf(state, page, records) : {}),
    // A page of one record overlaps with nothing, so that nothing joins it to the next page.
    held: state.held && (collect.pages === 0 || anchor.length > 0 || state.followed !== undefined),
    ...(hasMissingRecords(read) ? { hasGaps: true as const } : {}),
    orders: follow(state.orders, records, after),
    offset: page.offset + records.length,
    anchor: state.isRounded === true ? [] : nextAnchor(state, records, overlapOf(size)),
    lostAnchors: 0,
    emptyPages: 0,
    collect: collected(state, { page, records, after, body }),
  }
  return handedOver(next, fresh)
}

/** Returns the head of the list and the record that the sweep begins at, as the first page shows them. */
function headOf(state: SweepState, page: ReadPage['page'], records: readonly ReadRecord[]) {
  const marks = records.slice(0, HEAD).map(markOf)
  return { head: { ...state.head, marks }, begin: begunAt(state, page, records) }
}

function endOfList(list: List, taken: PageStep): PageStep {
  const { collect, held, followed, orders, begin } = taken.state
  if (isSnapshot(taken.state)) return finish(list, taken, 'SNAPSHOT')
  if (held && followed === undefined && collect.pages > 1 && isSorted(orders)) {
    // Nothing moves at the head of such a list, and this sweep did not begin there.
    if (begin !== null && growsAtEnd(orders)) return finish(list, taken, 'CONTIGUOUS')
    return { ...taken, state: startHead(taken.state) }
  }
  return anew(list, taken)
}

/**
 * True if two consecutive collects are the same to the record. The list then had this content at one moment between
 * them.
 */
function isSnapshot({ collect, held, before }: SweepState): boolean {
  if (!held || !collect.isStill || before === null) return false
  const isSameContent = collect.content !== null && collect.content === before.content
  return isSameContent || collect.pagesSha256 === before.pagesSha256
}

/** Reads the whole list once more if that may still prove something. */
function anew(list: List, taken: PageStep): PageStep {
  const { state } = taken
  if (mayCollectAgain(state)) return { ...taken, state: nextCollect(state, state.begin) }
  // A single page is read at one moment.
  const isJoined = state.held && state.followed === undefined
  const isWhole = isJoined && state.phase === 'list' && state.collect.pages === 1
  return finish(list, taken, isWhole ? 'CONTIGUOUS' : 'BEST_EFFORT')
}

function mayCollectAgain({ collect, pages }: SweepState): boolean {
  const isShort = pages <= SHORT_PAGES * collect.number
  return collect.number < (isShort ? MOST_COLLECTS.short : MOST_COLLECTS.long)
}

function nextCollect(state: SweepState, begin: Start | null): SweepState {
  const { pagesSha256, content, bodies, isStill, number } = state.collect
  return {
    ...state,
    ...beginning(begin),
    phase: 'list',
    begin,
    before: isStill && state.held ? { pagesSha256, content, bodies } : null,
    collect: newCollect(number + 1),
  }
}

function finish(list: List, taken: PageStep, certificate: Certificate): PageStep {
  if (!taken.state.isPart) refuseSchemaChange(list, withoutRepeats(taken.state))
  // The finished state needs no evidence of its certificate any more.
  const collect = { ...taken.state.collect, bodies: [] }
  const head = noHead()
  return {
    ...taken,
    state: { ...taken.state, done: true, certificate, collect, head, before: null },
  }
}

/** A list that moves shows records again, bad ones too. Their share stays, and the list's length bounds their number. */
function withoutRepeats({ collect, offset, begin }: SweepState) {
  const records = Math.min(collect.records, offset - (begin?.offset ?? 0))
  const share = collect.records === 0 ? 0 : collect.unreadable / collect.records
  return { unreadable: Math.round(share * records), records, firstFault: collect.firstFault }
}

function handedOver(state: SweepState, fresh: readonly ReadRecord[]): PageStep {
  const rows: PageStep['rows'] = []
  const rejects: PageStep['rejects'] = []
  for (const record of fresh) {
    if ('row' in record) rows.push(record.row)
    else rejects.push(record.reject)
  }
  const records = state.records + fresh.length
  const quarantined = state.quarantined + rejects.length
  return { state: { ...state, records, quarantined, ...withNames(state, fresh) }, rows, rejects }
}

function withNames({ unknownNames }: SweepState, fresh: readonly ReadRecord[]) {
  const hasNames = fresh.some(({ unknown }) => unknown !== undefined)
  return hasNames ? { unknownNames: countNames(unknownNames ?? {}, fresh) } : {}
}
