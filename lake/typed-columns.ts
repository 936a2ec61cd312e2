/** Columns of text, as rows are packed, read into the memory of DuckDB's own types. */
import { type DuckDBType, DuckDBTypeId } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import { ABSENT, BETWEEN } from '../domain/packed-rows.ts'

const BETWEEN_CODE = BETWEEN.charCodeAt(0)
const ABSENT_CODE = ABSENT.charCodeAt(0)
/** Rows that a vector holds at most. */
export const VECTOR_ROWS = duckdb.vector_size()
/** Bytes of a text in a vector: its length, and then up to twelve of its own. */
const TEXT_BYTES = 16
const INLINE_BYTES = 12
/** Digits of a whole number that a double holds exactly. */
const SAFE_DIGITS = 15
const HIGH = 2 ** 32
const ZERO = 0x30
const MINUS = 0x2d
const DECIMAL = /^(-?)(\d{1,5})(?:\.(\d{1,4}))?$/
const DAY_MS = 86_400_000
/** `2026-11-21 07:00:00.000000` */
const INSTANT_LENGTH = 26

/** Reads the value that begins at `from` into a row; the position after it, or -1 where it is written in an unusual way. */
type Read = (column: Memory, text: string, at: { from: number; row: number }) => number

interface Memory {
  bytes: Uint8Array
  words: Uint32Array
  longs: BigInt64Array
  /** Texts that don't fit into their row, by row. */
  long: { row: number; text: string }[]
  /** What was read last, and what it came to. */
  last: { text: string; value: number }
}

/** One column of a chunk of rows. */
export class TypedColumn {
  readonly #read: Read
  readonly #width: number
  readonly #memory: Memory
  readonly #validity = new Uint8Array(VECTOR_ROWS / 8)
  #hasAbsent = false
  /** How far the text was read. */
  #at = 0

  constructor(type: DuckDBType) {
    const { read, width } = readerOf(type)
    this.#read = read
    this.#width = width
    const buffer = new ArrayBuffer(VECTOR_ROWS * width)
    this.#memory = {
      bytes: new Uint8Array(buffer),
      words: width < 4 ? new Uint32Array() : new Uint32Array(buffer),
      longs: width < 8 ? new BigInt64Array() : new BigInt64Array(buffer),
      long: [],
      last: { text: '', value: 0 },
    }
  }

  /** Begins with another text. */
  begin(): void {
    this.#at = 0
  }

  /** Reads the values of the next rows; false where one is written in an unusual way, or they are not so many. */
  read(text: string | undefined, rows: number, isEnd: boolean): boolean {
    this.#clear(text === undefined ? 0x00 : 0xff)
    if (text === undefined) return true
    let at = this.#at
    for (let row = 0; row < rows; row += 1) {
      // Behind the last value stands nothing, and nothing follows it.
      if (at > text.length) return false
      const end = this.#valueEnd(text, at, row)
      if (end < 0 || (end < text.length && text.charCodeAt(end) !== BETWEEN_CODE)) return false
      at = end + 1
    }
    this.#at = at
    return isEnd ? at === text.length + 1 : at <= text.length
  }

  /** Puts what was read into a vector. */
  put(vector: duckdb.Vector, rows: number): void {
    const { bytes, long } = this.#memory
    copy(vector, bytes, rows * this.#width)
    for (const { row, text } of long) {
      duckdb.vector_assign_string_element_len(vector, row, Buffer.from(text))
    }
    if (!this.#hasAbsent) return
    duckdb.vector_ensure_validity_writable(vector)
    const { buffer, byteLength } = this.#validity
    duckdb.copy_data_to_vector_validity(vector, 0, buffer, 0, byteLength)
  }

  #clear(validity: number): void {
    this.#validity.fill(validity)
    this.#hasAbsent = validity === 0
    this.#memory.bytes.fill(0)
    this.#memory.long.length = 0
  }

  #valueEnd(text: string, from: number, row: number): number {
    if (text.charCodeAt(from) !== ABSENT_CODE) return this.#read(this.#memory, text, { from, row })
    this.#hasAbsent = true
    this.#validity[row >> 3] = (this.#validity[row >> 3] ?? 0) & ~(1 << (row & 7))
    return from + 1
  }
}

const copy = (vector: duckdb.Vector, { buffer }: Uint8Array, bytes: number) =>
  duckdb.copy_data_to_vector(vector, 0, buffer as ArrayBuffer, 0, bytes)

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

const readWhole: Read = ({ words, longs }, text, { from, row }) => {
  const first = text.charCodeAt(from) === MINUS ? from + 1 : from
  let at = first
  let value = 0
  for (let digit = digitAt(text, at); digit >= 0; digit = digitAt(text, at)) {
    value = value * 10 + digit
    at += 1
  }
  if (at === first) return -1
  if (at - first <= SAFE_DIGITS) {
    putWhole(words, row, first > from ? -value : value)
    return at
  }
  const long = BigInt(text.slice(from, at))
  if (BigInt.asIntN(64, long) !== long) return -1
  longs[row] = long
  return at
}

/** In two halves, the lower one first. */
function putWhole(words: Uint32Array, row: number, value: number): void {
  const high = Math.floor(value / HIGH)
  words[row * 2] = value - high * HIGH
  words[row * 2 + 1] = high
}

const digitAt = (text: string, at: number) => {
  const digit = text.charCodeAt(at) - ZERO
  return digit <= 9 ? digit : -1
}

/** The first half of a hash in hex, of which sixteen digits make the number. */
const readHalfHash: Read = ({ words }, text, { from, row }) => {
  const end = textEnd(text, from)
  if (end - from < 16) return -1
  const [high, low] = [hexAt(text, from), hexAt(text, from + 8)]
  if (high < 0 || low < 0) return -1
  words[row * 2] = low
  words[row * 2 + 1] = high
  return end
}

/** The number that eight small hexadecimal digits make, or -1. */
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

const readInstant: Read = ({ words, last }, text, { from, row }) => {
  if (!text.startsWith(last.text, from) || last.text === '') {
    const day = text.slice(from, from + 10)
    const day_ms = Date.parse(`${day}T00:00:00Z`)
    if (Number.isNaN(day_ms) || new Date(day_ms).toISOString().slice(0, 10) !== day) return -1
    last.text = day
    last.value = day_ms
  }
  const time_us = timeAt(text, from + 10)
  if (time_us < 0) return -1
  putWhole(words, row, last.value * 1000 + time_us)
  return from + INSTANT_LENGTH
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

/** So many digits as a number; not a number where there are fewer. */
function numberAt(text: string, from: number, digits: number): number {
  let value = 0
  for (let at = from; at < from + digits; at += 1) {
    const digit = digitAt(text, at)
    if (digit < 0) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

/** A decimal of nine digits, four of them behind the point. */
const readDecimal: Read = ({ words, last }, text, { from, row }) => {
  const end = textEnd(text, from)
  const written = text.slice(from, end)
  if (written !== last.text) {
    const [, sign, whole, fraction = ''] = DECIMAL.exec(written) ?? []
    if (whole === undefined) return -1
    last.text = written
    last.value = Number(`${sign}${whole}${fraction.padEnd(4, '0')}`)
  }
  words[row] = last.value
  return end
}

const readFlag: Read = ({ bytes }, text, { from, row }) => {
  if (text.startsWith('false', from)) return from + 5
  if (!text.startsWith('true', from)) return -1
  bytes[row] = 1
  return from + 4
}

const readText: Read = ({ bytes, words, long }, text, { from, row }) => {
  const into = row * TEXT_BYTES + 4
  let at = from
  let code = text.charCodeAt(at)
  while (code !== BETWEEN_CODE && code < 0x80 && at - from < INLINE_BYTES) {
    bytes[into + at - from] = code
    at += 1
    code = text.charCodeAt(at)
  }
  words[row * 4] = at - from
  if (at === text.length || code === BETWEEN_CODE) return at
  const end = textEnd(text, at)
  long.push({ row, text: text.slice(from, end) })
  return end
}

function textEnd(text: string, from: number): number {
  const end = text.indexOf(BETWEEN, from)
  return end < 0 ? text.length : end
}
