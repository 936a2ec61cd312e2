/** The rows of a batch in memory, as they were read. */
import type { Row } from '../../api/record/rows.ts'
import type { Gathering } from '../../api/sweep/sweep.ts'

export class SweptRows implements Gathering, Iterable<Row> {
  readonly size = 0
  readonly #rows: Row[] = []

  get length(): number {
    return this.#rows.length
  }

  push(rows: readonly object[]): void {
    this.#rows.push(...(rows as readonly Row[]))
  }

  [Symbol.iterator](): Iterator<Row> {
    return this.#rows.values()
  }
}
