/** What one page adds to a reading of the list. */
import type { ReadRecord } from '../record/record.ts'
import { addContent, markOf, recordId, sha256 } from './record-marks.ts'
import { isSorted } from './sweep-order.ts'
import type { Collect, ReadPage, Start, SweepState } from './sweep-state.ts'

/** Pages of a collect whose hashes are kept: with them a second collect doesn't land the same page again. */
const MOST_BODIES = 128

/** Where the record that the sweep begins at was found. */
export function begunAt(
  { begin }: SweepState,
  page: ReadPage['page'],
  records: readonly ReadRecord[],
): Start | null {
  const index = records.findIndex((record) => recordId(record) === begin?.firstId)
  return begin === null || index < 0 ? begin : { ...begin, offset: page.offset + index }
}

/** The reading of the list after one page more. */
export function collected(
  { collect, orders }: SweepState,
  read: Omit<ReadPage, 'isAhead'> & { after: number; body: string },
): Collect {
  const { page, after, body } = read
  const records = read.records.slice(after)
  // Two pages tell a sorted list, for which this sum would be made in vain; so does the need for another collect.
  const isWanted = collect.number > 1 || collect.pages < 2 || !isSorted(orders)
  const isSummed = collect.content !== null && isWanted
  return {
    ...collect,
    pages: collect.pages + 1,
    records: collect.records + records.length,
    unreadable: collect.unreadable + records.filter((record) => 'reject' in record).length,
    pagesSha256: sha256(`${collect.pagesSha256}${body}`),
    content: isSummed ? addContent(collect.content ?? '0', records, page.offset + after) : null,
    bodies: collect.pages < MOST_BODIES ? [...collect.bodies, body.slice(0, 16)] : collect.bodies,
  }
}

/** The last records of the page; where it is short, of those before it too. */
export function nextAnchor(
  { anchor }: SweepState,
  records: readonly ReadRecord[],
  size: number,
): SweepState['anchor'] {
  if (size > 0) return records.slice(-size).map(markOf)
  return records.length === 0 ? anchor : []
}
