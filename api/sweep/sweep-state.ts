/**
 * The state of a sweep between two pages. The state is plain JSON of a few kilobytes, from which another worker can
 * continue.
 */
import type { Certificate } from '../../domain/run.ts'
import type { NameCounts } from '../record/unknown-fields.ts'
import type { Page } from '../http/page.ts'
import type { NamedFault } from '../record/schema-change.ts'
import type { Mark, ReadRecord, Reject } from '../record/record.ts'
import type { Row } from '../record/rows.ts'
import { noOrders, type Orders } from './sweep-order.ts'

/** A place to begin other than the head of the list: a record that an earlier sweep saw at this offset. */
export interface Start {
  offset: number
  firstId: string
  coversFrom: string
}

/** The part of a list that must be read. An empty object means the whole list. */
export interface Part {
  /** The place to begin, for a list to whose end new records come. */
  start?: Start | undefined
  /** An instant. Records created before it are not needed. For a list whose newest records come first. */
  until?: string | undefined
  /** An instant. Records created before it are not needed. For a list whose order is not known. */
  since?: string | undefined
}

/** The search for the place at which the needed part begins. */
export interface Search {
  /** Records created before this instant are not needed. */
  since: string
  /** The offset of the next probe. */
  offset: number
  /** Records of the largest page. */
  size: number
  /** The pages that were probed, by offset. */
  probes: Probe[]
}

interface Probe {
  offset: number
  /** The created time of its first record; null for an empty page. */
  first: string | null
  /** Its last record that is older than the needed part. */
  last: Start | null
}

export interface SweepState {
  version: 2
  /**
   * The phases of a sweep. A sweep may search for a place to begin, then reads the list to its end, and at last the
   * head once more.
   */
  phase: 'search' | 'list' | 'head'
  done: boolean
  /** The offset at which the next unread record is expected. */
  offset: number
  /** The last records that were read, in order. The next page should begin with them. */
  anchor: Mark[]
  /** The place at which the sweep begins; null for the head of the list. */
  begin: Start | null
  /**
   * The list is read terminal by terminal, and this is one of them. Unreadable records are then judged for all
   * terminals together.
   */
  isPart: boolean
  /** The sweep may end at records created before this instant. Absent or null: it reads to the end. */
  until?: string | null
  /** Absent in all phases but the search. */
  search?: Search
  /**
   * The result of a search; misled if the list later proved to be in another order. Absent if there was no search.
   */
  sought?: 'all-needed' | 'falling' | 'misled' | 'no-order' | 'start'
  collect: Collect
  /** The previous collect, if nothing moved while it was read. */
  before: Pick<Collect, 'pagesSha256' | 'content' | 'bodies'> | null
  head: Head
  /** True while every anchor was found in the next page. */
  held: boolean
  /**
   * Number of pages that were reached by `next` alone, because the overlapping pages had nothing new. Absent if zero.
   */
  followed?: number
  /** The service rounds offsets down to whole pages, so that no two pages can overlap. */
  isRounded?: true
  /** A page had fewer records than the distance to the next page's offset. Absent if none had. */
  hasGaps?: true
  lostAnchors: number
  emptyPages: number
  /** Number of consecutive pages that began as the first page does. Absent if there was none. */
  repeats?: number
  orders: Orders
  pages: number
  records: number
  quarantined: number
  rewinds: number
  /** Number of prefetched pages that still fitted after the list had moved by a few records. Absent if zero. */
  shifted?: number
  /**
   * Number of prefetched pages that were stale: another page had shown one of their records meanwhile. Absent if
   * zero.
   */
  outrun?: number
  requests: number
  throttled: number
  bodiesSha256: string
  /** Counts of names and words that the interface does not have. Absent if none was seen. */
  unknownNames?: NameCounts
  startedAt: string
  /** Null if the whole list was read. Otherwise the sweep covers the records created from this instant on. */
  coversFrom: string | null
  endedAt?: string
  certificate?: Certificate
}

/** A single reading of the list from its beginning to its end. */
export interface Collect {
  /** Numbered from 1 within the sweep. */
  number: number
  pages: number
  /** False once a record was not at its expected place. */
  isStill: boolean
  records: number
  unreadable: number
  /** The fault of its first unreadable record. Absent if there is none. */
  firstFault?: NamedFault
  /** Running hash over the collect's pages, in order. */
  pagesSha256: string
  /**
   * Sum over the records and their places, independent of page boundaries. Null once the list proved to be sorted,
   * which needs no such sum.
   */
  content: string | null
  /** Short hashes of its first pages. */
  bodies: string[]
}

/** The first records of the list, and how far its head was read again. */
export interface Head {
  marks: Mark[]
  rounds: number
  /** Pages of this round that were read, the offset of the next one, and the last records before it. */
  pages: number
  offset: number
  anchor: Mark[]
  /** The first records of this round, which the next round compares with, and the number of new ones. */
  next: Mark[]
  fresh: number
}

export interface ReadPage {
  page: Omit<Page, 'records'>
  records: ReadRecord[]
  /** The page was requested before the preceding page was read. */
  isAhead: boolean
  /**
   * True of a record that another page contained which was taken since this one was requested. Absent if that can't
   * happen.
   */
  isRecent?: ((record: ReadRecord) => boolean) | undefined
  /** The number of records of the page, including those before the anchor that were left out. */
  size?: number
}

/** The result of one page: the records that were not read before, in the order of the list. */
export interface PageStep {
  state: SweepState
  rows: Row[]
  rejects: Reject[]
}

export function startState(
  startedAt: string,
  { start, until, since }: Part = {},
  isPart = false,
): SweepState {
  return {
    version: 2,
    ...(since === undefined ? { phase: 'list' } : { phase: 'search', search: newSearch(since) }),
    done: false,
    ...beginning(start ?? null),
    begin: start ?? null,
    isPart,
    until: until ?? since ?? null,
    collect: newCollect(1),
    before: null,
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

/** Begins a sweep again, and goes on counting what it has landed. */
export function readAgain(before: SweepState, part?: Part): SweepState {
  const { pages, records, quarantined, rewinds, requests, throttled, bodiesSha256 } = before
  return {
    ...startState(before.startedAt, part, before.isPart),
    ...{ pages, records, quarantined, rewinds, requests, throttled, bodiesSha256 },
    ...(before.unknownNames === undefined ? {} : { unknownNames: before.unknownNames }),
  }
}

/** The part of the state with which each reading of the list begins. */
export function beginning(begin: Start | null) {
  // The record that the sweep begins at must be read again. An empty hash matches no content, so that the record
  // counts as new.
  const anchor: Mark[] = begin === null ? [] : [[begin.firstId, '']]
  return {
    offset: begin === null ? 0 : begin.offset + 1,
    anchor,
    coversFrom: begin?.coversFrom ?? null,
    head: noHead(),
    held: true,
    lostAnchors: 0,
    emptyPages: 0,
    orders: noOrders(),
  }
}

/** A collect of which no page was read yet. */
export const newCollect = (number: number): Collect => ({
  number,
  pages: 0,
  isStill: true,
  records: 0,
  unreadable: 0,
  pagesSha256: '',
  content: '0',
  bodies: [],
})

/** The head before any page was read. */
export const noHead = (): Head => ({
  marks: [],
  rounds: 0,
  pages: 0,
  offset: 0,
  anchor: [],
  next: [],
  fresh: 0,
})

/** A search before its first probe. */
const newSearch = (since: string): Search => ({ since, offset: 0, size: 0, probes: [] })

/** Returns the offset of the next page. Pages overlap, so that the sweep notices if the list has moved. */
export function nextOffset({ phase, head, search, offset, anchor }: SweepState): number {
  if (search !== undefined) return search.offset
  return phase === 'head' ? head.offset : Math.max(0, offset - anchor.length)
}

/**
 * Returns how many records of a page the next one repeats: a twelfth, at most ten. The minimum is two, or half of a
 * page of fewer than four.
 */
export function overlapOf(count: number): number {
  return Math.min(10, Math.max(Math.floor(count / 12), Math.min(2, Math.floor(count / 2))))
}
