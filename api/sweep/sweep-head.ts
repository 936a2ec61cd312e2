/**
 * The head of a list, read again at the end of a sweep: what moved there while the pages below were read was in none of
 * them. One look that reaches a record which has not moved since the beginning shows all that did.
 */
import type { Mark, ReadRecord } from '../record/record.ts'
import { fit, markOf, recordId, unlike } from './record-marks.ts'
import { overlapOf, type Head, type ReadPage, type SweepState } from './sweep-state.ts'

const HEAD = 50
const MOST_ROUNDS = 10
/** At least; of a long list that grew while it was read the head may be a quarter of its pages. */
const MOST_PAGES = 32

interface HeadStep {
  state: SweepState
  /** Records that were not known to be at the head. */
  fresh: ReadRecord[]
  /** More: another page is needed. Reached: known records joined. Lost: they are not there. */
  outcome: 'more' | 'reached' | 'lost'
}

/** The list was read to its end: its head comes next. */
export function startHead(state: SweepState): SweepState {
  return {
    ...state,
    phase: 'head',
    head: { ...newRound(state, state.head.marks), rounds: 0 },
  }
}

/** Takes one page of the head in. */
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
  // What is new may go on coming: the next round compares with what is there now.
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
 * Place of the first record that was at the head before and has not changed; -1 if there is none. One that changed may
 * have moved, whatever the order of the list seems to be.
 */
function firstKnown({ head }: SweepState, records: readonly ReadRecord[]): number {
  const marks = new Map(head.marks)
  return records.findIndex((record) => {
    const hash = marks.get(recordId(record))
    return hash !== undefined && hash === markOf(record)[1]
  })
}
