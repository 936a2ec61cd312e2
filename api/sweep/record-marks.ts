/** How a sweep recognises what it has read: a few records by id and content, never the whole list. */
import { hash as digestOf } from 'node:crypto'
import type { Mark, ReadRecord } from '../record/record.ts'
import { idOf } from './sweep-order.ts'

/** What a page shows of the records that it should begin with. */
export type Fit =
  /** They stand at its beginning, unchanged. */
  | { kind: 'exact'; after: number }
  /** Some of them are there, unchanged; `after` counts the records up to the last one. */
  | { kind: 'moved'; after: number }
  | { kind: 'lost' }

/** The id as digits, or what stands for it in a record that can't be read. */
export const recordId = (record: ReadRecord): string =>
  'row' in record ? idOf(record.row) : record.reject.subject_id

/** What stands for a record; it is asked for several times while its page is taken in. */
export function markOf(record: ReadRecord): Mark {
  if (record.mark !== undefined) return record.mark
  const hash = 'row' in record ? sha256(JSON.stringify(record.row)) : record.reject.record_sha256
  const mark: Mark = [recordId(record), hash.slice(0, 16)]
  record.mark = mark
  return mark
}

/** Whether a record is new, or says something else than the one that is remembered. */
export function unlike(marks: readonly Mark[]): (record: ReadRecord) => boolean {
  const remembered = new Map(marks)
  return (record) => {
    const hash = remembered.get(recordId(record))
    return hash === undefined || hash !== markOf(record)[1]
  }
}

/** Looks for the anchor in a page. Without an anchor every page fits; an empty hash stands for any content. */
export function fit(anchor: readonly Mark[], records: readonly ReadRecord[]): Fit {
  const isExact = anchor.every(([id, hash], index) => {
    const record = records[index]
    if (record === undefined || recordId(record) !== id) return false
    return hash === '' || markOf(record)[1] === hash
  })
  if (isExact) return { kind: 'exact', after: anchor.length }
  // One that has changed may have gone to another place, where the list is sorted by that.
  const hashes = new Map(anchor)
  const last = records.findLastIndex((record) => {
    const hash = hashes.get(recordId(record))
    return hash === '' || (hash !== undefined && hash === markOf(record)[1])
  })
  return last < 0 ? { kind: 'lost' } : { kind: 'moved', after: last + 1 }
}

/**
 * Where in a page the anchor stands when the list has grown or shrunk by a few records between two pages: all of it further
 * down, or its end at the page's beginning. Undefined where a record of it has changed or another one came in between.
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
  // One record alone could have come there in other ways.
  if (index < 0 || rest.length < Math.min(2, anchor.length)) return undefined
  const found = fit(rest, records.slice(index))
  return found.kind === 'exact' ? { index, length: rest.length } : undefined
}

/**
 * Adds records to a sum over all that a collect has read: the same for the same records at the same places, in whatever
 * pages they came.
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
