/** Remembers the ids of the last pages of a sweep, so that a prefetched page can be recognised as stale. */
import type { ReadRecord } from '../record/record.ts'
import { recordId } from './record-marks.ts'

/**
 * The ids of the most recently taken pages. A page that was prefetched before them may hold older states of these
 * records.
 */
export class RecentIds {
  readonly #most: number
  readonly #pages: string[][] = []
  readonly #ids = new Map<string, number>()

  /** Remembers the ids of at most `most` pages. */
  constructor(most: number) {
    this.#most = most
  }

  has = (record: ReadRecord): boolean => this.#ids.has(recordId(record))

  /** Remembers the records of one more page. */
  add(records: readonly ReadRecord[]): void {
    const page = records.map(recordId)
    this.#pages.push(page)
    for (const id of page) this.#ids.set(id, (this.#ids.get(id) ?? 0) + 1)
    if (this.#pages.length > this.#most) this.#forget(this.#pages.shift() ?? [])
  }

  clear(): void {
    this.#pages.length = 0
    this.#ids.clear()
  }

  #forget(page: readonly string[]): void {
    for (const id of page) {
      const times = (this.#ids.get(id) ?? 1) - 1
      if (times === 0) this.#ids.delete(id)
      else this.#ids.set(id, times)
    }
  }
}
