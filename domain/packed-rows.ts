/**
 * Rows in compact form: one text for each column of about a thousand rows, which the lake takes as
 * it is.
 */

/** Two characters that no stored text holds: a separator of values, and a mark for null. */
export const BETWEEN = '\u001f'
export const ABSENT = '\u001e'
/** Rows in a piece: few enough to be in the cache when they are packed. */
const ROWS_PER_PIECE = 1024

type Row = Readonly<Record<string, unknown>>

/** Consecutive rows. */
export interface Piece {
  count: number
  /** The values of each column as text, in the order of the names. */
  columns: readonly string[]
}

/** Rows in their order; all have the same columns, and values that are text, booleans or null. */
export class PackedRows implements Iterable<Row> {
  length = 0
  /** The packed characters. */
  size = 0
  #names: readonly string[]
  #pieces: Piece[] = []
  #open: Row[] = []

  /** Without names, the first row gives them. */
  constructor(names: readonly string[] = []) {
    this.#names = names
  }

  static of(rows: readonly object[], names: readonly string[] = []): PackedRows {
    const packed = new PackedRows(names)
    packed.push(rows)
    return packed
  }

  get names(): readonly string[] {
    if (this.#names.length === 0) this.#pack()
    return this.#names
  }

  push(rows: readonly object[]): void {
    for (const row of rows) this.#open.push(row as Row)
    this.length += rows.length
    if (this.#open.length >= ROWS_PER_PIECE) this.#pack()
  }

  pieces(): readonly Piece[] {
    this.#pack()
    return this.#pieces
  }

  /** Yields the rows with their values as text. */
  *[Symbol.iterator](): Iterator<Row> {
    for (const { count, columns } of this.pieces()) {
      const values = columns.map((column) => column.split(BETWEEN))
      for (let n = 0; n < count; n += 1) {
        const named = this.#names.map((name, index) => [name, textAt(values[index], n)] as const)
        yield Object.fromEntries(named)
      }
    }
  }

  #pack(): void {
    const rows = this.#open
    if (rows.length === 0) return
    if (this.#names.length === 0) this.#names = Object.keys(rows[0] ?? {})
    const columns = this.#names.map((name) => columnOf(rows, name))
    this.#pieces.push({ count: rows.length, columns })
    for (const { length } of columns) this.size += length
    this.#open = []
  }
}

function columnOf(rows: readonly Row[], name: string): string {
  const values = Array<unknown>(rows.length)
  for (let n = 0; n < rows.length; n += 1) values[n] = rows[n]?.[name] ?? ABSENT
  return values.join(BETWEEN)
}

const textAt = (values: readonly string[] | undefined, n: number): string | null => {
  const value = values?.[n] ?? ABSENT
  return value === ABSENT ? null : value
}
