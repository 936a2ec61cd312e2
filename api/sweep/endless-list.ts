/** The refusal of a list that never ends. */
import { Failure } from '../../domain/failure.ts'
import type { List } from '../../domain/run.ts'
import { recordId } from './record-marks.ts'
import type { ReadPage, SweepState } from './sweep-state.ts'

const MOST_PAGES = 200_000
/** The most consecutive pages that begin as the first one does. */
const MOST_REPEATS = 1000

/** Throws next_loop for such a list. Returns the part of the state that counts pages which began as the first one did. */
export function refuseEndless(
  list: List,
  state: SweepState,
  read: ReadPage,
): Pick<SweepState, 'repeats'> {
  if (state.pages >= MOST_PAGES) throw new Failure('next_loop', `the list of ${list} doesn't end`)
  if (!isFirstAgain(state, read)) return state.repeats === undefined ? {} : { repeats: 0 }
  const repeats = (state.repeats ?? 0) + 1
  if (repeats < MOST_REPEATS) return { repeats }
  throw new Failure(
    'next_loop',
    `the list of ${list} shows its first page at every offset, up to offset ${read.page.offset} at least`,
  )
}

/** True if a page further on begins with the record that this reading of the list began with. */
const isFirstAgain = ({ head, collect }: SweepState, { page, records: [first] }: ReadPage) =>
  collect.pages > 0 &&
  page.offset > 0 &&
  first !== undefined &&
  head.marks[0]?.[0] === recordId(first)
