/** The conversion of values to the memory layout of DuckDB's types. */
import { type DuckDBType, DuckDBTypeId } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import { DAY_MS } from '../../domain/business-day.ts'
import { assert } from '../../domain/failure.ts'

const FIRST_PRINTABLE = 0x20
/** The content hash puts the one between two columns, and the other in the place of null. */
const BETWEEN = '\u001f'
const ABSENT = '\u001e'
/** Bytes of a text in a vector: its length, and up to twelve bytes of the text. */
const TEXT_BYTES = 16
const INLINE_BYTES = 12
/** Digits of a whole number that a double holds exactly. */
const SAFE_DIGITS = 15
const HIGH = 2 ** 32
const ZERO = 0x30
const MINUS = 0x2d
const DECIMAL = /^(-?)(\d{1,5})(?:\.(\d{1,4}))?$/
/** The length of `2026-11-21 07:00:00.000000`. */
const INSTANT_LENGTH = 26

/** Converts a value into a row; false if it is not written as `readRecord` writes it. */
type Read = (column: Memory, text: string, row: number) => boolean

interface Memory {
  bytes: Uint8Array
  words: Uint32Array
  longs: BigInt64Array
  /** Texts that don't fit into their row, by row. */
  long: { row: number; text: string }[]
  /** The last text with its converted value. */
  last: { text: string; value: number }
}

/** The values of one column, for no more rows than a vector holds. */
export class TypedColumn {
  readonly #memory: Memory
  readonly #validity: Uint8Array | undefined

  private constructor(memory: Memory, validity: Uint8Array | undefined) {
    this.#memory = memory
    this.#validity = validity
  }

  /** Converts the values of one column. Each value must be written as `readRecord` writes it. */
  static read(
    type: DuckDBType,
    rows: readonly Readonly<Record<string, unknown>>[],
    name: string,
  ): TypedColumn {
    const { read, width } = readerOf(type)
    const claim = `the reader of records writes ${name} in the form of ${String(type)}`
    const memory = memoryOf(rows.length * width, width)
    let validity: Uint8Array | undefined
    for (let row = 0; row < rows.length; row += 1) {
      const value = rows[row]?.[name] ?? null
      if (value === null) {
        validity ??= new Uint8Array(Math.ceil(rows.length / 64) * 8).fill(0xff)
        validity[row >> 3] = (validity[row >> 3] ?? 0) & ~(1 << (row & 7))
      } else {
        assert(read(memory, typeof value === 'string' ? value : String(value), row), claim)
      }
    }
    return new TypedColumn(memory, validity)
  }

  /** The size in bytes. */
  get size(): number {
    const { bytes, long } = this.#memory
    return long.reduce((sum, { text }) => sum + text.length, bytes.length)
  }

  /** Copies the converted values into a vector. */
  put(vector: duckdb.Vector): void {
    const { bytes, long } = this.#memory
    copy(vector, bytes)
    for (const { row, text } of long) {
      duckdb.vector_assign_string_element_len(vector, row, Buffer.from(text))
    }
    if (this.#validity === undefined) return
    duckdb.vector_ensure_validity_writable(vector)
    const { buffer, byteLength } = this.#validity
    duckdb.copy_data_to_vector_validity(vector, 0, buffer as ArrayBuffer, 0, byteLength)
  }
}

function memoryOf(length: number, width: number): Memory {
  const buffer = new ArrayBuffer(length)
  return {
    bytes: new Uint8Array(buffer),
    words: width < 4 ? new Uint32Array() : new Uint32Array(buffer),
    longs: width < 8 ? new BigInt64Array() : new BigInt64Array(buffer),
    long: [],
    last: { text: '', value: 0 },
  }
}

const copy = (vector: duckdb.Vector, { buffer, byteLength }: Uint8Array) =>
  duckdb.copy_data_to_vector(vector, 0, buffer as ArrayBuffer, 0, byteLength)

/** Throws for a type that no list has. */
function readerOf(type: DuckDBType): { read: Read; width: number } {
  switch (type.typeId) {
    case DuckDBTypeId.BIGINT:
      return { read: readWhole, width: 8 }
    case DuckDBTypeId.UBIGINT:
      return { read: readHalfHash, width: 8 }
    case DuckDBTypeId.TIMESTAMP:
      return { read: readInstant, width: 8 }
    case DuckDBTypeId.DECIMAL:
      return { read: readDecimal, width: 4 }
    case DuckDBTypeId.BOOLEAN:
      return { read: readFlag, width: 1 }
    case DuckDBTypeId.VARCHAR:
      return { read: readText, width: TEXT_BYTES }
    default:
      throw new Error(`no column of a list is ${String(type)}`)
  }
}

const readWhole: Read = ({ words, longs }, text, row) => {
  const first = text.charCodeAt(0) === MINUS ? 1 : 0
  const { length } = text
  if (length === first) return false
  let value = 0
  for (let at = first; at < length; at += 1) {
    const digit = digitAt(text, at)
    if (digit < 0) return false
    value = value * 10 + digit
  }
  if (length - first <= SAFE_DIGITS) {
    putWhole(words, row, first > 0 ? -value : value)
    return true
  }
  const long = BigInt(text)
  if (BigInt.asIntN(64, long) !== long) return false
  longs[row] = long
  return true
}

/** Writes two halves, the lower one first. */
function putWhole(words: Uint32Array, row: number, value: number): void {
  const high = Math.floor(value / HIGH)
  words[row * 2] = value - high * HIGH
  words[row * 2 + 1] = high
}

const digitAt = (text: string, at: number) => {
  const digit = text.charCodeAt(at) - ZERO
  return digit >= 0 && digit <= 9 ? digit : -1
}

/** Converts the first half of a hash in hex: sixteen digits make the number. */
const readHalfHash: Read = ({ words }, text, row) => {
  if (text.length < 16) return false
  const [high, low] = [hexAt(text, 0), hexAt(text, 8)]
  if (high < 0 || low < 0) return false
  words[row * 2] = low
  words[row * 2 + 1] = high
  return true
}

/** The number of eight lower-case hexadecimal digits, or -1. */
function hexAt(text: string, from: number): number {
  let value = 0
  for (let at = from; at < from + 8; at += 1) {
    const code = text.charCodeAt(at)
    const digit = code <= 0x39 ? code - ZERO : code - 0x57
    if (!(digit >= 0 && digit < 16) || (code > 0x39 && digit < 10)) return -1
    value = value * 16 + digit
  }
  return value
}

const readInstant: Read = ({ words, last }, text, row) => {
  if (text.length !== INSTANT_LENGTH) return false
  if (last.text === '' || !text.startsWith(last.text)) {
    const day = text.slice(0, 10)
    const day_ms = Date.parse(`${day}T00:00:00Z`)
    if (Number.isNaN(day_ms) || new Date(day_ms).toISOString().slice(0, 10) !== day) return false
    last.text = day
    last.value = day_ms
  }
  const time_us = timeAt(text, 10)
  if (time_us < 0) return false
  putWhole(words, row, last.value * 1000 + time_us)
  return true
}

/** Microseconds since midnight of ` 07:00:00.000000`, or -1. */
function timeAt(text: string, from: number): number {
  const separated =
    text.charCodeAt(from) === 0x20 &&
    text.charCodeAt(from + 3) === 0x3a &&
    text.charCodeAt(from + 6) === 0x3a &&
    text.charCodeAt(from + 9) === 0x2e
  const hours = numberAt(text, from + 1, 2)
  const minutes = numberAt(text, from + 4, 2)
  const seconds = numberAt(text, from + 7, 2)
  const micros = numberAt(text, from + 10, 6)
  if (!separated || !(hours < 24 && minutes < 60 && seconds < 60)) return -1
  const time_us = ((hours * 60 + minutes) * 60 + seconds) * 1e6 + micros
  return time_us < DAY_MS * 1000 ? time_us : -1
}

/** The number of so many digits; NaN if there are fewer. */
function numberAt(text: string, from: number, digits: number): number {
  let value = 0
  for (let at = from; at < from + digits; at += 1) {
    const digit = digitAt(text, at)
    if (digit < 0) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

/** Converts a decimal of nine digits, four of them behind the point. */
const readDecimal: Read = ({ words, last }, text, row) => {
  if (text !== last.text) {
    const [, sign, whole, fraction = ''] = DECIMAL.exec(text) ?? []
    if (whole === undefined) return false
    last.text = text
    last.value = Number(`${sign}${whole}${fraction.padEnd(4, '0')}`)
  }
  words[row] = last.value
  return true
}

const readFlag: Read = ({ bytes }, text, row) => {
  if (text === 'true') bytes[row] = 1
  return text === 'true' || text === 'false'
}

const readText: Read = ({ bytes, words, long }, text, row) => {
  const { length } = text
  if (length > INLINE_BYTES) return readLong(long, text, row)
  const into = row * TEXT_BYTES + 4
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < FIRST_PRINTABLE || code >= 0x80) return readLong(long, text, row)
    bytes[into + at] = code
  }
  words[row * 4] = length
  return true
}

/** Stores a text that DuckDB copies itself. The text may contain neither of the two separator characters. */
function readLong(long: Memory['long'], text: string, row: number): boolean {
  if (text.includes(BETWEEN) || text.includes(ABSENT)) return false
  long.push({ row, text })
  return true
}
