/**
 * Reads the head of a list again at the end of a sweep. A record that moved to the head meanwhile may be missing from
 * all pages. The sweep reads down to a record that has not moved since its beginning, and so finds all that moved.
 */
import type { Mark, ReadRecord } from '../record/record.ts'
import { fit, markOf, unlike } from './record-marks.ts'
import { overlapOf, type Head, type ReadPage, type SweepState } from './sweep-state.ts'

/** The number of records at the head that a sweep remembers. */
export const HEAD = 50
const MOST_ROUNDS = 10
/** The minimum. The head of a list that grew much during the sweep may take up a quarter of its pages. */
const MOST_PAGES = 32

interface HeadStep {
  state: SweepState
  /** Records that were not known to be at the head. */
  fresh: ReadRecord[]
  /** more: another page is needed. reached: the page holds known records. lost: they were not found. */
  outcome: 'more' | 'reached' | 'lost'
}

/** Begins the head phase after the list was read to its end. */
export function startHead(state: SweepState): SweepState {
  return {
    ...state,
    phase: 'head',
    head: { ...newRound(state, state.head.marks), rounds: 0 },
  }
}

/** Takes one page of the head. */
export function readHead(state: SweepState, { page, records }: ReadPage): HeadStep {
  const { head } = state
  const joint = fit(head.anchor, records)
  if (joint.kind === 'lost' || (records.length === 0 && page.hasNext)) return roundLost(state)
  const known = firstKnown(state, records)
  const reach = known < 0 ? records.length : Math.min(records.length, known + head.marks.length)
  const fresh = records.slice(0, reach).filter(unlike(head.marks)).filter(unlike(head.anchor))
  const round: Head = {
    ...head,
    pages: head.pages + 1,
    fresh: head.fresh + fresh.length,
    next: head.pages === 0 ? records.slice(0, HEAD).map(markOf) : head.next,
  }
  if (known < 0 && page.hasNext) {
    const overlap = overlapOf(records.length)
    const further = {
      ...round,
      offset: page.offset + records.length - overlap,
      anchor: overlap === 0 ? [] : records.slice(-overlap).map(markOf),
    }
    const most = Math.max(MOST_PAGES, state.collect.pages / 4)
    const outcome = further.pages < most ? 'more' : 'lost'
    return { state: { ...state, head: further }, fresh, outcome }
  }
  if (round.fresh === 0 || round.rounds + 1 >= MOST_ROUNDS) {
    return { state: { ...state, head: round }, fresh, outcome: 'reached' }
  }
  // New records may keep arriving, so that the next round compares with the records that are there now.
  const next = { ...state, head: { ...newRound(state, round.next), rounds: round.rounds + 1 } }
  return { state: next, fresh, outcome: 'more' }
}

function roundLost(state: SweepState): HeadStep {
  const rounds = state.head.rounds + 1
  const head = { ...newRound(state, state.head.marks), rounds }
  const outcome = rounds < MOST_ROUNDS ? 'more' : 'lost'
  return { state: { ...state, head, rewinds: state.rewinds + 1 }, fresh: [], outcome }
}

function newRound(state: SweepState, marks: Mark[]): Head {
  const offset = state.begin?.offset ?? 0
  return { marks, rounds: 0, pages: 0, offset, anchor: [], next: [], fresh: 0 }
}

/**
 * Returns the index of the first record that was at the head before and has not changed, or -1. A changed record may
 * have moved, whatever order the list seems to have.
 */
function firstKnown({ head }: SweepState, records: readonly ReadRecord[]): number {
  const isUnlike = unlike(head.marks)
  return records.findIndex((record) => !isUnlike(record))
}
