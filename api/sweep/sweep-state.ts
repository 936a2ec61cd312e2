/** What a sweep knows between two pages: plain JSON of a few kilobytes, all that a worker needs to take over. */
import type { Certificate } from '../../domain/run.ts'
import type { NameCounts } from '../record/unknown-fields.ts'
import type { Page } from '../http/page.ts'
import type { Mark, ReadRecord, Reject } from '../record/record.ts'
import type { Row } from '../record/rows.ts'
import { noOrders, type Orders } from './sweep-order.ts'

/** Where in the list to begin instead of at its head: a record that an earlier sweep saw at this position. */
export interface Start {
  offset: number
  firstId: string
  coversFrom: string
}

/** What of a list is to be read: nothing of this means all of it. */
export interface Part {
  /** Where to begin, in a list to whose end new records come. */
  start?: Start | undefined
  /** Created before which nothing is needed, in a list whose newest records come first. */
  until?: string | undefined
  /** Created before which nothing is needed, in a list of which nobody knows the order. */
  since?: string | undefined
}

/** The search for the place at which what is needed begins. */
export interface Search {
  /** What was created before is not needed. */
  since: string
  /** Where to look next. */
  offset: number
  /** Records of the largest page. */
  size: number
  /** Pages that were looked at, by offset. */
  probes: Probe[]
}

interface Probe {
  offset: number
  /** Created of its first record; null for an empty page. */
  first: string | null
  /** Its last record that is older than what is needed. */
  last: Start | null
}

export interface SweepState {
  version: 2
  /** The list is read to its end, perhaps after a search for where to begin; then its head once more. */
  phase: 'search' | 'list' | 'head'
  done: boolean
  /** Where the next unread record is thought to be. */
  offset: number
  /** The last records that were read, in order: the next page begins with them. */
  anchor: Mark[]
  /** Where the sweep begins if not at the head of the list. */
  begin: Start | null
  /** The list is read terminal by terminal, and this is one of them: what can't be read is judged for all together. */
  isPart: boolean
  /** Created before which the sweep may end; absent or null where it reads to the end. */
  until?: string | null
  search?: Search
  /** What a search led to, and whether the list then proved to be in another order; absent where there was none. */
  sought?: 'all-needed' | 'falling' | 'misled' | 'no-order' | 'start'
  collect: Collect
  /** The collect before this one, where nothing moved while it was read. */
  before: Pick<Collect, 'pagesSha256' | 'content' | 'bodies'> | null
  head: Head
  /** True while the anchor of every page was found in the next. */
  held: boolean
  /** Pages that `next` alone led to, because those that overlap held nothing new; absent where there were none. */
  followed?: number
  /** The service rounds offsets down to pages, so that no two of them can overlap. */
  isRounded?: true
  /** A page held fewer records than the places up to its next one; absent where none did. */
  hasGaps?: true
  lostAnchors: number
  emptyPages: number
  orders: Orders
  pages: number
  records: number
  quarantined: number
  rewinds: number
  /** Pages that were read ahead of a list that moved by a few records, and fitted all the same; absent where there were none. */
  shifted?: number
  /** Pages that were read ahead and held a record that another page had shown meanwhile; absent where there were none. */
  outrun?: number
  requests: number
  throttled: number
  bodiesSha256: string
  /** What was met beyond the interface as it is known; absent where nothing was. */
  unknownNames?: NameCounts
  startedAt: string
  /** Null where the whole list was read; else the sweep covers what was created from then on. */
  coversFrom: string | null
  endedAt?: string
  certificate?: Certificate
}

/** One reading of the list from its beginning to its end. */
export interface Collect {
  /** 1, 2 … within the sweep. */
  number: number
  pages: number
  /** False once a record was not where it had been left. */
  isStill: boolean
  records: number
  unreadable: number
  /** Of its pages, one after the other. */
  pagesSha256: string
  /** Of its records and their places, however they came in pages; null once the list seemed sorted, which proves enough. */
  content: string | null
  /** Short hashes of its first pages. */
  bodies: string[]
}

/** The first records of the list, and how far its head was read again. */
export interface Head {
  marks: Mark[]
  rounds: number
  /** Pages of this round that were read, where the next one begins, and the last records before it. */
  pages: number
  offset: number
  anchor: Mark[]
  /** First records of this round, which the next one compares with, and how many were new. */
  next: Mark[]
  fresh: number
}

export interface ReadPage {
  page: Omit<Page, 'records'>
  records: ReadRecord[]
  /** The page was asked for before the one that precedes it had been read. */
  isAhead: boolean
  /** Whether a page that was taken since this one was asked for held a record, too; absent where that can't be. */
  isRecent?: ((record: ReadRecord) => boolean) | undefined
  /** How many records the page had, where those that precede the anchor are left out. */
  size?: number
}

/** What one page gave: records that were not read before, in the order of the list. */
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

/** The part of the state that a new reading of the list begins with. */
export function beginning(begin: Start | null) {
  // The record that the sweep begins at is read again itself: a hash that fits nothing makes it new.
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

/** A reading of the list of which no page was read yet. */
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

/** Nothing of the head is remembered. */
export const noHead = (): Head => ({
  marks: [],
  rounds: 0,
  pages: 0,
  offset: 0,
  anchor: [],
  next: [],
  fresh: 0,
})

/** Nothing was looked at yet. */
const newSearch = (since: string): Search => ({ since, offset: 0, size: 0, probes: [] })

/** Where to read next. Pages overlap, so that a list that moved is noticed. */
export function nextOffset({ phase, head, search, offset, anchor }: SweepState): number {
  if (phase === 'head') return head.offset
  return phase === 'search' ? (search?.offset ?? 0) : Math.max(0, offset - anchor.length)
}

/** How many records of a page the next one repeats: a twelfth, at least two where that leaves two, at most ten. */
export function overlapOf(count: number): number {
  return Math.min(10, Math.max(Math.floor(count / 12), Math.min(2, Math.floor(count / 2))))
}
