/**
 * Finds the place to begin in a list of which only the records newer than an instant are needed. The search probes
 * pages at doubled offsets, then between them, until one holds the last older record. The probed pages are not part
 * of the sweep.
 */
import type { ReadRecord } from '../record/record.ts'
import { recordId } from './record-marks.ts'
import { agesOf, directionOf } from './sweep-order.ts'
import type { ReadPage, Search, Start } from './sweep-state.ts'

const MOST_PROBES = 80

type SearchResult =
  /** Another page must be probed, at `search.offset`. */
  | { kind: 'on'; search: Search }
  | { kind: 'start'; start: Start }
  /** The sweep must read the list from its head: all is needed, the newest come first, or no order shows a place. */
  | { kind: 'whole'; why: 'all-needed' | 'falling' | 'no-order' }

/** Evaluates one probed page. */
export function searchStep(search: Search, { page, records }: ReadPage): SearchResult {
  const direction = directionOf(records)
  if (search.probes.length === 0) {
    if (direction === 'falls') return { kind: 'whole', why: 'falling' }
    if (!page.hasNext || records.length === 0) return { kind: 'whole', why: 'all-needed' }
    if (direction !== 'rises') return { kind: 'whole', why: 'no-order' }
  }
  const probe = {
    offset: page.offset,
    first: agesOf(records)[0]?.created ?? null,
    last: lastOlder(records, page.offset, search.since),
  }
  const probes = [...search.probes, probe].toSorted((a, b) => a.offset - b.offset)
  const isOrdered = direction === 'rises' || direction === 'level'
  if (!isOrdered || !isRising(probes.map(({ first }) => first)) || probes.length > MOST_PROBES) {
    return { kind: 'whole', why: 'no-order' }
  }
  return narrowed({ ...search, probes, size: Math.max(search.size, records.length) }, page)
}

/** Returns the next place to probe, or the last record before the needed part. */
function narrowed(search: Search, { hasNext, asked }: ReadPage['page']): SearchResult {
  const { probes, size } = search
  const index = probes.findLastIndex(({ last }) => last !== null)
  const low = probes[index]
  if (low === undefined || low.last === null) return { kind: 'whole', why: 'all-needed' }
  const high = probes[index + 1]
  if (high === undefined && hasNext) {
    return { kind: 'on', search: { ...search, offset: Math.max(size, low.offset * 2) } }
  }
  if (high !== undefined && high.offset - low.offset > size) {
    return { kind: 'on', search: { ...search, offset: Math.floor((low.offset + high.offset) / 2) } }
  }
  // This close to the head, a later start would save less than a page. If the service sent short pages, the search saw
  // too few records there to prove an order.
  return low.last.offset < Math.max(size, asked)
    ? { kind: 'whole', why: 'all-needed' }
    : { kind: 'start', start: low.last }
}

/**
 * Returns the last record that was created, and last changed, before `since`. No record before it can have been
 * created after `since`, whether the list is sorted by creation or by last change.
 */
function lastOlder(records: readonly ReadRecord[], offset: number, since: string): Start | null {
  const ages = agesOf(records)
  const index = ages.findLastIndex(({ newest }) => newest !== null && newest < since)
  const [age, record] = [ages[index], records[index]]
  if (record === undefined || typeof age?.newest !== 'string') return null
  return { offset: offset + index, firstId: recordId(record), coversFrom: age.newest }
}

function isRising(values: readonly (string | null)[]): boolean {
  const known = values.filter((value) => value !== null)
  return known.toSorted().join() === known.join()
}
