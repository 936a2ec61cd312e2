/** Adds one page to a collect, which is one reading of the list. */
import type { ReadRecord } from '../record/record.ts'
import { firstFaultIn } from '../record/schema-change.ts'
import { addContent, markOf, recordId, sha256 } from './record-marks.ts'
import { isSorted } from './sweep-order.ts'
import type { Collect, ReadPage, Start, SweepState } from './sweep-state.ts'

/**
 * The most pages of a collect whose hashes are stored. With these hashes a second collect does not land the same page
 * again.
 */
const MOST_BODIES = 128

/** Corrects the offset of the record that the sweep begins at, if this page shows the record at another one. */
export function begunAt(
  { begin }: SweepState,
  page: ReadPage['page'],
  records: readonly ReadRecord[],
): Start | null {
  const index = records.findIndex((record) => recordId(record) === begin?.firstId)
  return begin === null || index < 0 ? begin : { ...begin, offset: page.offset + index }
}

/** Returns the collect with one more page. */
export function collected(
  { collect, orders }: SweepState,
  read: Omit<ReadPage, 'isAhead'> & { after: number; body: string },
): Collect {
  const { page, after, body } = read
  const records = read.records.slice(after)
  // Two pages show whether the list is sorted. A sorted list needs no second collect, and so no sum.
  const isWanted = collect.number > 1 || collect.pages < 2 || !isSorted(orders)
  const firstFault = collect.firstFault ?? firstFaultIn(records)
  return {
    ...collect,
    ...(firstFault === undefined ? {} : { firstFault }),
    pages: collect.pages + 1,
    records: collect.records + records.length,
    unreadable: collect.unreadable + records.filter((record) => 'reject' in record).length,
    pagesSha256: sha256(`${collect.pagesSha256}${body}`),
    content:
      collect.content !== null && isWanted
        ? addContent(collect.content, records, page.offset + after)
        : null,
    bodies: collect.pages < MOST_BODIES ? [...collect.bodies, body.slice(0, 16)] : collect.bodies,
  }
}

/** Returns the marks of the last `size` records of the page, which the next page should begin with. */
export function nextAnchor(
  { anchor }: SweepState,
  records: readonly ReadRecord[],
  size: number,
): SweepState['anchor'] {
  if (size > 0) return records.slice(-size).map(markOf)
  return records.length === 0 ? anchor : []
}
