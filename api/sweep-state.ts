/** The state of a sweep and what each page does to it: no clock, no network, so that it can be simulated. */
import { createHash } from 'node:crypto'
import { Failure } from '../domain/failure.ts'
import type { Certificate, List } from '../domain/run.ts'
import type { Page } from './page.ts'
import type { ReadRecord, Reject, Row } from './record.ts'

/** A record as the sweep remembers it: its id and a hash of what it said. */
export type Mark = readonly [id: string, hash: string]

/** Whether the list is in some order so far, and the last value of each. */
interface Order {
  last: string | null
  rises: boolean
  falls: boolean
}

/** Plain JSON of a few kilobytes: a worker that takes over needs nothing else. */
export interface SweepState {
  version: 1
  phase: 'list' | 'head'
  done: boolean
  /** Where the next unread record is thought to be. */
  offset: number
  /** The last records that were read, in order. */
  anchor: Mark[]
  /** Where the sweep began, the first records there, and how often they have been read again. */
  headOffset: number
  head: Mark[]
  headReads: number
  emptyPages: number
  lostAnchors: number
  /** False once an anchor was lost for good, or the head never came to rest. */
  held: boolean
  orders: { id: Order; created: Order; modified: Order }
  pages: number
  records: number
  quarantined: number
  rewinds: number
  requests: number
  throttled: number
  bodiesSha256: string
  startedAt: string
  /** Null where the sweep began at the head of the list; else created of the record it began at. */
  coversFrom: string | null
  endedAt?: string
  certificate?: Certificate
}

export interface ReadPage {
  page: Page
  records: ReadRecord[]
}

/** What one page gave: records that were not read before, in the order of the list. */
export interface PageStep {
  state: SweepState
  rows: Row[]
  rejects: Reject[]
}

export const OVERLAP = 10
const HEAD = 50
const MOST_EMPTY = 3
const MOST_LOST = 8
const MOST_HEAD_READS = 10
export const MOST_PAGES = 200_000

/** Where in the list to begin instead of at its head: a record that an earlier sweep saw at this position. */
export interface Start {
  offset: number
  firstId: string
  coversFrom: string
}

export function startState(startedAt: string, start?: Start): SweepState {
  const order = (): Order => ({ last: null, rises: true, falls: true })
  return {
    version: 1,
    phase: 'list',
    done: false,
    // The record itself is read again: a hash that fits nothing makes it new.
    offset: start === undefined ? 0 : start.offset + 1,
    anchor: start === undefined ? [] : [[start.firstId, '']],
    coversFrom: start?.coversFrom ?? null,
    headOffset: start?.offset ?? 0,
    head: [],
    headReads: 0,
    emptyPages: 0,
    lostAnchors: 0,
    held: true,
    orders: { id: order(), created: order(), modified: order() },
    pages: 0,
    records: 0,
    quarantined: 0,
    rewinds: 0,
    requests: 0,
    throttled: 0,
    bodiesSha256: '',
    startedAt,
  }
}

/** Where to read next. Pages overlap, so that a list that moved is noticed. */
export function nextOffset(state: SweepState): number {
  if (state.phase === 'head') return state.headOffset
  return Math.max(0, state.offset - state.anchor.length)
}

/** Takes one page in. Throws next_loop for a list that doesn't end and schema_change for one that can't be read. */
export function step(list: List, before: SweepState, read: ReadPage): PageStep {
  const state = { ...before, orders: structuredClone(before.orders), pages: before.pages + 1 }
  if (state.pages > MOST_PAGES) throw new Failure('next_loop', `the list of ${list} doesn't end`)
  state.bodiesSha256 = sha256(`${before.bodiesSha256}${read.page.bodySha256}`)
  refuseUnreadable(list, read)
  return state.phase === 'head' ? headStep(list, state, read) : listStep(list, state, read)
}

function listStep(list: List, state: SweepState, { page, records }: ReadPage): PageStep {
  const known = state.anchor.length === 0 ? 0 : anchorIn(state.anchor, records)
  if (known < 0 && !mayGoOn(state)) return rewind(state, page)
  const from = Math.max(known, 0)
  if (from !== state.anchor.length) state.rewinds += 1
  const fresh = records.filter(unlike(state.anchor))
  if (state.head.length === 0) state.head = records.slice(0, HEAD).map(markOf)
  follow(state, records.slice(from))
  state.emptyPages = records.length === 0 && page.hasNext ? state.emptyPages + 1 : 0
  if (state.emptyPages >= MOST_EMPTY) {
    throw new Failure('next_loop', `the list of ${list} goes on with empty pages`)
  }
  state.offset = page.offset + records.length
  state.anchor = [...state.anchor, ...records.slice(from).slice(-OVERLAP).map(markOf)].slice(
    -OVERLAP,
  )
  state.lostAnchors = 0
  // A full page without a next one is asked about once more: it may be a cap and not the end.
  const isFull = records.length >= page.asked && fresh.length > 0
  if (!page.hasNext && !isFull) state.phase = 'head'
  return collected(state, fresh)
}

/** Whether a record is new, or says something else than the one that is remembered. */
function unlike(marks: readonly Mark[]): (record: ReadRecord) => boolean {
  const remembered = new Map(marks)
  return (record) => {
    const hash = remembered.get(recordId(record))
    return hash === undefined || hash !== markOf(record)[1]
  }
}

/** How many records of the page lie up to the newest one that was read before; -1 if none is there. */
function anchorIn(anchor: readonly Mark[], records: readonly ReadRecord[]): number {
  const ids = new Set(anchor.map(([id]) => id))
  return records.findLastIndex((record) => ids.has(recordId(record))) + 1 || -1
}

/** The anchor is not where it was left: some pages back it may still be. */
function rewind(state: SweepState, page: Page): PageStep {
  const back = Math.max(page.asked, OVERLAP) * 2 ** state.lostAnchors
  return {
    state: {
      ...state,
      rewinds: state.rewinds + 1,
      lostAnchors: state.lostAnchors + 1,
      offset: Math.max(state.anchor.length, state.offset - back),
    },
    rows: [],
    rejects: [],
  }
}

function mayGoOn(state: SweepState): boolean {
  if (state.lostAnchors < MOST_LOST && state.offset > state.anchor.length) return false
  state.held = false
  return true
}

/** The head is read again until it holds nothing that is new: what came or moved there meanwhile was not seen below. */
function headStep(list: List, state: SweepState, { page, records }: ReadPage): PageStep {
  const heads = new Set(state.head.map(([id]) => id))
  const upTo = records.findIndex((record) => heads.has(recordId(record)))
  const reach = Math.min(records.length, (upTo < 0 ? records.length : upTo) + state.head.length)
  const fresh = records.slice(0, reach).filter(unlike(state.head))
  state.headReads += 1
  const atRest = fresh.length === 0 && (state.head.length > 0 || records.length === 0)
  const lost = upTo < 0 && records.length > 0 && page.hasNext
  if (!atRest && !lost && state.headReads < MOST_HEAD_READS) {
    state.head = records.slice(0, HEAD).map(markOf)
    return collected(state, fresh)
  }
  if (!atRest) state.held = false
  return finish(list, collected(state, fresh))
}

function finish(list: List, { state, rows, rejects }: PageStep): PageStep {
  const { quarantined, records } = state
  if (quarantined >= 20 && quarantined * 100 > records) {
    throw new Failure(
      'schema_change',
      `${quarantined} of ${records} records of ${list} can't be read: the service seems to have changed`,
    )
  }
  const inOrder = Object.values(state.orders).some(
    ({ last, rises, falls }) => (rises || falls) && (last !== null || records <= 1),
  )
  const certificate = state.held && inOrder ? 'CONTIGUOUS' : 'BEST_EFFORT'
  return { state: { ...state, done: true, certificate }, rows, rejects }
}

function collected(state: SweepState, fresh: readonly ReadRecord[]): PageStep {
  const rows = fresh.flatMap((record) => ('row' in record ? [record.row] : []))
  const rejects = fresh.flatMap((record) => ('reject' in record ? [record.reject] : []))
  state.records += fresh.length
  state.quarantined += rejects.length
  return { state, rows, rejects }
}

function refuseUnreadable(list: List, { records }: ReadPage): void {
  if (records.length < 20) return
  const rejects = records.flatMap((record) => ('reject' in record ? [record.reject] : []))
  const first = rejects[0]
  if (rejects.length < records.length || first === undefined) return
  throw new Failure(
    'schema_change',
    `none of the ${records.length} records of a page of ${list} can be read: field ${first.field}, ${first.reason}`,
  )
}

function follow(state: SweepState, records: readonly ReadRecord[]): void {
  const { id, created, modified } = state.orders
  for (const record of records) {
    if (!('row' in record)) continue
    const { row } = record
    compare(id, idOf(row).padStart(20, '0'))
    if ('created' in row) compare(created, row.created)
    if ('last_modified' in row) compare(modified, row.last_modified)
  }
}

function compare(order: Order, value: string | null): void {
  if (value === null) return
  if (order.last !== null && value < order.last) order.rises = false
  if (order.last !== null && value > order.last) order.falls = false
  order.last = value
}

function markOf(record: ReadRecord): Mark {
  const hash = 'row' in record ? sha256(JSON.stringify(record.row)) : record.reject.record_sha256
  return [recordId(record), hash.slice(0, 16)]
}

export const recordId = (record: ReadRecord): string =>
  'row' in record ? idOf(record.row) : record.reject.subject_id

function idOf(row: Row): string {
  if ('transaction_id' in row) return row.transaction_id
  return 'settlement_id' in row ? row.settlement_id : row.terminal_id
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
