/** Remembers the ids of the last pages of a sweep, so that a prefetched page can be recognised as stale. */
import type { ReadRecord } from '../record/record.ts'
import { recordId } from './record-marks.ts'

/**
 * The ids of the most recently taken pages. A page that was prefetched before them may hold older states of these
 * records.
 */
export class RecentIds {
  readonly #most: number
  #pages: (readonly string[])[] = []
  /** For each id, the newest page that has it. */
  readonly #ids = new Map<string, readonly string[]>()

  /** Remembers the ids of at most `most` pages. */
  constructor(most: number) {
    this.#most = most
  }

  has = (record: ReadRecord): boolean => this.#ids.has(recordId(record))

  /** Remembers the records of one more page. */
  add(records: readonly ReadRecord[]): void {
    const page = records.map(recordId)
    this.#pages.push(page)
    for (const id of page) this.#ids.set(id, page)
    for (const old of this.#pages.slice(0, -this.#most)) this.#forget(old)
    this.#pages = this.#pages.slice(-this.#most)
  }

  clear(): void {
    this.#pages = []
    this.#ids.clear()
  }

  #forget(page: readonly string[]): void {
    for (const id of page) if (this.#ids.get(id) === page) this.#ids.delete(id)
  }
}
