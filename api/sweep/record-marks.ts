/**
 * Recognises records that a sweep has read. A sweep remembers a few records by id and content hash, never the whole
 * list.
 */
import { hash as digestOf } from 'node:crypto'
import type { Mark, ReadRecord } from '../record/record.ts'
import { idOf } from './sweep-order.ts'

/** The result of looking for the anchor (the last records read) in the next page. */
export type Fit =
  /** The anchor stands at the beginning of the page, unchanged. */
  | { kind: 'exact'; after: number }
  /** Some records of the anchor are in the page, unchanged. `after` counts the records up to the last of them. */
  | { kind: 'moved'; after: number }
  | { kind: 'lost' }

/** Returns the id as digits, or the keyed hash of a record without a readable id. */
export const recordId = (record: ReadRecord): string =>
  'row' in record ? idOf(record.row) : record.reject.subject_id

/**
 * Returns the id and content hash of a record. The result is cached on the record object, because several callers
 * need it.
 */
export function markOf(record: ReadRecord): Mark {
  if (record.mark !== undefined) return record.mark
  const hash = 'row' in record ? sha256(JSON.stringify(record.row)) : record.reject.record_sha256
  const mark: Mark = [recordId(record), hash.slice(0, 16)]
  record.mark = mark
  return mark
}

/** Makes a test that is true of a record that is new, or whose content differs from the remembered one. */
export function unlike(marks: readonly Mark[]): (record: ReadRecord) => boolean {
  const remembered = new Map(marks)
  return (record) => {
    const hash = remembered.get(recordId(record))
    return hash === undefined || hash !== markOf(record)[1]
  }
}

/** Looks for the anchor in a page. Every page fits an empty anchor; an empty hash fits any content. */
export function fit(anchor: readonly Mark[], records: readonly ReadRecord[]): Fit {
  const isExact = anchor.every(([id, hash], index) => {
    const record = records[index]
    if (record === undefined || recordId(record) !== id) return false
    return hash === '' || markOf(record)[1] === hash
  })
  if (isExact) return { kind: 'exact', after: anchor.length }
  // A changed record may have moved in a list that is sorted by its last change. The unchanged ones show the place.
  const hashes = new Map(anchor)
  const last = records.findLastIndex((record) => {
    const hash = hashes.get(recordId(record))
    return hash === '' || (hash !== undefined && hash === markOf(record)[1])
  })
  return last < 0 ? { kind: 'lost' } : { kind: 'moved', after: last + 1 }
}

/**
 * Returns the place of the anchor in a page after the list has grown or shrunk by a few records. The whole anchor
 * stands further down, or its end stands at the page's beginning. Returns undefined if a record of it has changed, or
 * if another record stands between them.
 */
export function shiftOf(
  anchor: readonly Mark[],
  records: readonly ReadRecord[],
): { index: number; length: number } | undefined {
  const first = records[0]
  if (first === undefined) return undefined
  const cut = Math.max(
    0,
    anchor.findIndex(([id]) => id === recordId(first)),
  )
  const rest = anchor.slice(cut)
  const index = records.findIndex((record) => recordId(record) === rest[0]?.[0])
  // A single record could also have moved to this place.
  if (index < 0 || rest.length < Math.min(2, anchor.length)) return undefined
  const found = fit(rest, records.slice(index))
  return found.kind === 'exact' ? { index, length: rest.length } : undefined
}

/**
 * Adds records to a sum over all records of a collect. The sum depends on the records and their places, and not on
 * the pages in which they came.
 */
export function addContent(sum: string, records: readonly ReadRecord[], offset: number): string {
  let total = BigInt(`0x${sum}`)
  for (const [index, record] of records.entries()) {
    const [id, hash] = markOf(record)
    total += BigInt(`0x${sha256(`${offset + index} ${id} ${hash}`).slice(0, 16)}`)
  }
  return BigInt.asUintN(64, total).toString(16)
}

export const sha256 = (text: string): string => digestOf('sha256', text)
