/** A record as it stands in the text of its page, not yet parsed. */
import { parseJson } from './json.ts'
import { textOf, type Skimmed } from './scan.ts'

export class SentRecord {
  readonly page: Skimmed
  /** The record is what stands from here to before `to`. */
  readonly from: number
  readonly to: number
  /** Its members, and those of what is in it, are these of the page's: from `first` to before `last`. */
  readonly first: number
  readonly last: number

  constructor(page: Skimmed, place: Pick<SentRecord, 'from' | 'to' | 'first' | 'last'>) {
    this.page = page
    this.from = place.from
    this.to = place.to
    this.first = place.first
    this.last = place.last
  }
}

/** The record as parsed by parseJson, whether it was parsed before or not. */
export function parsed(record: unknown): unknown {
  return record instanceof SentRecord
    ? parseJson(textOf(record.page, record.from, record.to))
    : record
}
