/** A record in the bytes of its page, not yet parsed. */
import { parseJson } from './json.ts'
import { textOf, type ScannedPage } from './scan.ts'

export class SentRecord {
  readonly page: ScannedPage
  /** The record lies from `from` to before `to`. */
  readonly from: number
  readonly to: number
  /** Its members and those inside their values are the page's members from `first` to before `last`. */
  readonly first: number
  readonly last: number

  constructor(page: ScannedPage, place: Pick<SentRecord, 'from' | 'to' | 'first' | 'last'>) {
    this.page = page
    this.from = place.from
    this.to = place.to
    this.first = place.first
    this.last = place.last
  }
}

/** The record as parseJson gives it. */
export function parsed(record: unknown): unknown {
  return record instanceof SentRecord
    ? parseJson(textOf(record.page, record.from, record.to))
    : record
}
