/** The conversion of one column's vectors to the buffers of an Arrow record batch. */
import duckdb from '@duckdb/node-bindings'
import { Data, type DataType } from '#libraries/arrow'
import type { Column } from './columns.ts'

/**
 * A text in DuckDB takes 16 bytes: its length, then itself if it is this short, else its address.
 */
const TEXT_BYTES = 16
const INLINE_BYTES = 12

const FIRST_TEXT_BYTES = 1 << 16

export interface Gather {
  /** Bytes of the added texts, which the number of rows doesn't limit. */
  readonly textBytes: number
  add(vector: duckdb.Vector, rows: number): void
  data(): Data
}

/** Makes the converter of a column for at most so many rows. */
export function gatherOf(column: Column, type: DataType, capacity: number): Gather {
  const validity = new Validity(capacity)
  if (column.family === 'boolean') return new Flags(type, validity, capacity)
  if (column.family === 'text' || column.family === 'blob') {
    return new Texts(type, validity, capacity)
  }
  return new Fixed(type, validity, { width: widthOf(column), capacity })
}

function widthOf({ family, bits }: Column): number {
  if (family === 'decimal') return 16
  if (family === 'instant') return 8
  return family === 'date' ? 4 : bits / 8
}

/**
 * The validity bits of a column, in the layout of both DuckDB and Arrow: one bit per row, set if there is a value.
 */
class Validity {
  readonly #bits: Uint8Array
  #nulls = 0
  rows = 0

  constructor(capacity: number) {
    this.#bits = new Uint8Array(Math.ceil(capacity / 8)).fill(0xff)
  }

  get nulls(): number {
    return this.#nulls
  }

  /** Copies the vector's bits and returns them; undefined if every row has a value. */
  add(vector: duckdb.Vector, rows: number): Uint8Array | undefined {
    const given = validityOf(vector, rows)
    if (given !== undefined) {
      for (let row = 0; row < rows; row += 1) {
        if (isSet(given, row)) continue
        const at = this.rows + row
        this.#bits[at >> 3] = (this.#bits[at >> 3] ?? 0) & ~(1 << (at & 7))
        this.#nulls += 1
      }
    }
    this.rows += rows
    return given
  }

  buffer(): Uint8Array {
    return this.#nulls === 0 ? new Uint8Array(0) : this.#bits
  }
}

/** The binding returns null for a vector without nulls, which its types don't declare. */
function validityOf(vector: duckdb.Vector, rows: number): Uint8Array | undefined {
  const bits: Uint8Array | null = duckdb.vector_get_validity(vector, Math.ceil(rows / 64) * 8)
  return bits ?? undefined
}

const isSet = (bits: Uint8Array, row: number) => (((bits[row >> 3] ?? 0) >> (row & 7)) & 1) === 1

/** Values of a fixed width, whose bytes are in Arrow's layout already. */
class Fixed implements Gather {
  readonly textBytes = 0
  readonly #type: DataType
  readonly #validity: Validity
  readonly #width: number
  readonly #bytes: Uint8Array

  constructor(type: DataType, validity: Validity, size: { width: number; capacity: number }) {
    this.#type = type
    this.#validity = validity
    this.#width = size.width
    this.#bytes = new Uint8Array(size.capacity * size.width)
  }

  add(vector: duckdb.Vector, rows: number): void {
    const bytes = duckdb.vector_get_data(vector, rows * this.#width)
    this.#bytes.set(bytes, this.#validity.rows * this.#width)
    this.#validity.add(vector, rows)
  }

  data(): Data {
    const { ArrayType } = this.#type as { ArrayType: Items }
    const count = (this.#validity.rows * this.#width) / ArrayType.BYTES_PER_ELEMENT
    return dataOf(this.#type, this.#validity, {
      items: new ArrayType(this.#bytes.buffer, 0, count),
    })
  }
}

/** The kind of array that Arrow uses for a type. */
interface Items {
  BYTES_PER_ELEMENT: number
  new (buffer: ArrayBufferLike, offset: number, length: number): Uint8Array
}

/** Booleans: a byte each in DuckDB, a bit in Arrow. */
class Flags implements Gather {
  readonly textBytes = 0
  readonly #type: DataType
  readonly #validity: Validity
  readonly #bits: Uint8Array

  constructor(type: DataType, validity: Validity, capacity: number) {
    this.#type = type
    this.#validity = validity
    this.#bits = new Uint8Array(Math.ceil(capacity / 8))
  }

  add(vector: duckdb.Vector, rows: number): void {
    const bytes = duckdb.vector_get_data(vector, rows)
    const first = this.#validity.rows
    for (let row = 0; row < rows; row += 1) {
      const at = first + row
      if (bytes[row] === 1) this.#bits[at >> 3] = (this.#bits[at >> 3] ?? 0) | (1 << (at & 7))
    }
    this.#validity.add(vector, rows)
  }

  data(): Data {
    return dataOf(this.#type, this.#validity, { items: this.#bits })
  }
}

/** Texts and blobs, one after the other, with the offset of each. */
class Texts implements Gather {
  readonly #type: DataType
  readonly #validity: Validity
  readonly #offsets: Int32Array
  #bytes = new Uint8Array(FIRST_TEXT_BYTES)
  #length = 0

  constructor(type: DataType, validity: Validity, capacity: number) {
    this.#type = type
    this.#validity = validity
    this.#offsets = new Int32Array(capacity + 1)
  }

  get textBytes(): number {
    return this.#length
  }

  add(vector: duckdb.Vector, rows: number): void {
    const places = duckdb.vector_get_data(vector, rows * TEXT_BYTES)
    const view = new DataView(places.buffer, places.byteOffset, places.byteLength)
    const first = this.#validity.rows
    const given = this.#validity.add(vector, rows)
    for (let row = 0; row < rows; row += 1) {
      if (given === undefined || isSet(given, row)) this.#append(textAt(view, row * TEXT_BYTES))
      this.#offsets[first + row + 1] = this.#length
    }
  }

  #append(text: Uint8Array): void {
    const needed = this.#length + text.length
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2))
      larger.set(this.#bytes.subarray(0, this.#length))
      this.#bytes = larger
    }
    this.#bytes.set(text, this.#length)
    this.#length = needed
  }

  data(): Data {
    const offsets = this.#offsets.subarray(0, this.#validity.rows + 1)
    const items = this.#bytes.subarray(0, this.#length)
    return dataOf(this.#type, this.#validity, { offsets, items })
  }
}

/** The bytes of a text in a vector's data; they last as long as the vector. */
export function textAt(view: DataView, at: number): Uint8Array {
  const length = view.getUint32(at, true)
  return length <= INLINE_BYTES
    ? new Uint8Array(view.buffer, view.byteOffset + at + 4, length)
    : duckdb.get_data_from_pointer(view.buffer as ArrayBuffer, view.byteOffset + at + 8, length)
}

function dataOf(
  type: DataType,
  validity: Validity,
  { offsets, items }: { offsets?: Int32Array; items: Uint8Array },
): Data {
  return new Data(type, 0, validity.rows, validity.nulls, [offsets, items, validity.buffer()])
}
