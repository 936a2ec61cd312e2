/**
 * Scans the bytes of JSON without building values: bytes are read several times faster than the characters of a
 * string. Each function takes a position and returns the one after the value, or -1 for bytes that are no JSON. The
 * bytes must be UTF-8.
 */
import { isAscii } from 'node:buffer'
import { NO_KEYS, type KnownKeys } from './known-keys.ts'
import { MemberTape } from './member-tape.ts'

/** Deeper than any record. The parser judges a text that is nested deeper. */
const MAX_DEPTH = 500
const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const OPENING_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
const LETTER_U = 0x75
const [TRUE, FALSE, NULL] = ['true', 'false', 'null'].map((word) => Buffer.from(word)) as [
  Buffer,
  Buffer,
  Buffer,
]
const BEYOND_ASCII = /[\x80-\xff]/
const ESCAPES = Buffer.from('"\\\\/bfnrt')
const HEX_DIGITS = Buffer.from('0123456789abcdefABCDEF')

/** The bytes of a page and the positions of all members in it. */
export class ScannedPage {
  readonly bytes: Buffer
  /** A view of the same bytes. */
  readonly view: DataView
  readonly isAscii: boolean
  readonly members: MemberTape
  /** The number of objects and arrays that are open during the scan, including those of the page itself. */
  depth = 0
  /** The only page that has its text. The garbage collector would copy the texts of earlier pages again and again. */
  static #withText: ScannedPage | undefined
  #latin1: string | undefined

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.isAscii = isAscii(bytes)
    this.members = new MemberTape(bytes.length)
  }

  /**
   * The page as text, one character for each byte. The text is made when the first value is read, because the garbage
   * collector would copy the texts of waiting pages.
   */
  get latin1(): string {
    if (this.#latin1 === undefined) {
      if (ScannedPage.#withText !== undefined) ScannedPage.#withText.#latin1 = undefined
      ScannedPage.#withText = this
      this.#latin1 = this.bytes.toString('latin1')
    }
    return this.#latin1
  }
}

/** The byte at a position, 0 beyond the end. */
export const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0

/** Whether the bytes from `at` on are this word. */
function isWord(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let n = 0; n < word.length; n += 1) {
    if (bytes[at + n] !== word[n]) return false
  }
  return true
}

/** Returns the text from `from` to before `to`. */
export function textOf(page: ScannedPage, from: number, to: number): string {
  const text = page.latin1.slice(from, to)
  return page.isAscii || !BEYOND_ASCII.test(text) ? text : Buffer.from(text, 'latin1').toString()
}

/** The position of the next character that is no white space. */
export function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  for (;;) {
    const code = byteAt(bytes, at)
    // Most characters are above the space: one comparison is enough for them.
    if (code > 0x20 || (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09)) return at
    at += 1
  }
}

/**
 * Scans the value that begins at `at`, and records the members of all objects in it. `keys` are the known keys of
 * those objects.
 */
export function skipValue(page: ScannedPage, at: number, keys: KnownKeys): number {
  const { bytes } = page
  switch (byteAt(bytes, at)) {
    case QUOTE:
      return skipString(bytes, at)
    case OPENING_BRACE:
    case OPENING_BRACKET:
      return skipParts(page, at, keys)
    case 0x74:
      return isWord(bytes, at, TRUE) ? at + 4 : -1
    case 0x66:
      return isWord(bytes, at, FALSE) ? at + 5 : -1
    case 0x6e:
      return isWord(bytes, at, NULL) ? at + 4 : -1
    default:
      return skipNumber(bytes, at)
  }
}

/** Scans a string whose opening quote is at `at`. */
export function skipString(bytes: Uint8Array, at: number): number {
  for (let next = at + 1; ; next += 1) {
    const code = byteAt(bytes, next)
    if (code === QUOTE) return next + 1
    if (code < 0x20) return -1
    if (code === BACKSLASH) {
      next = skipEscape(bytes, next)
      if (next < 0) return -1
    }
  }
}

/** The position of the last character of an escape whose backslash is at `at`. */
function skipEscape(bytes: Uint8Array, at: number): number {
  const letter = byteAt(bytes, at + 1)
  if (letter !== LETTER_U) return ESCAPES.includes(letter) ? at + 1 : -1
  for (let next = at + 2; next < at + 6; next += 1) {
    if (!HEX_DIGITS.includes(byteAt(bytes, next))) return -1
  }
  return at + 5
}

/** Scans a number that begins at `at`. */
function skipNumber(bytes: Uint8Array, at: number): number {
  const first = byteAt(bytes, at) === MINUS ? at + 1 : at
  const whole = skipDigits(bytes, first)
  if (whole === first) return -1
  if (byteAt(bytes, first) === ZERO && whole > first + 1) return -1
  let end = whole
  if (byteAt(bytes, end) === POINT) {
    end = skipDigits(bytes, whole + 1)
    if (end === whole + 1) return -1
  }
  return (byteAt(bytes, end) | 0x20) === 0x65 ? skipExponent(bytes, end + 1) : end
}

function skipExponent(bytes: Uint8Array, at: number): number {
  const sign = byteAt(bytes, at)
  const first = sign === 0x2b || sign === MINUS ? at + 1 : at
  const end = skipDigits(bytes, first)
  return end === first ? -1 : end
}

function skipDigits(bytes: Uint8Array, from: number): number {
  let at = from
  for (;;) {
    const code = byteAt(bytes, at)
    if (code < ZERO || code > NINE) return at
    at += 1
  }
}

/** Scans an object or an array. */
function skipParts(page: ScannedPage, from: number, keys: KnownKeys): number {
  if (page.depth >= MAX_DEPTH) return -1
  const { bytes } = page
  const isObject = byteAt(bytes, from) === OPENING_BRACE
  const closing = isObject ? CLOSING_BRACE : CLOSING_BRACKET
  let at = skipSpace(bytes, from + 1)
  if (byteAt(bytes, at) === closing) return at + 1
  page.depth += 1
  if (isObject) keys.begin()
  for (;;) {
    at = isObject ? skipMember(page, at, keys) : skipValue(page, at, keys)
    if (at < 0) return -1
    at = skipSpace(bytes, at)
    const code = byteAt(bytes, at)
    if (code === closing) break
    if (code !== COMMA) return -1
    at = skipSpace(bytes, at + 1)
  }
  page.depth -= 1
  return at + 1
}

function skipMember(page: ScannedPage, at: number, keys: KnownKeys): number {
  const { bytes, view, members } = page
  const found = keys.find(view, at)
  const value =
    found === undefined ? skipKey(bytes, at) : skipSpace(bytes, at + found.pattern.length)
  if (value < 0) return -1
  const key = found ?? keys.add(view, at, value)
  const member = members.begin(key === undefined ? ~at : key.number)
  const end = skipValue(page, value, key === undefined ? NO_KEYS : key.inner)
  if (end >= 0) members.end(member, value, end)
  return end
}

/** Scans a key and its colon, up to the value. */
export function skipKey(bytes: Uint8Array, at: number): number {
  if (byteAt(bytes, at) !== QUOTE) return -1
  const end = skipString(bytes, at)
  if (end < 0) return -1
  const colon = skipSpace(bytes, end)
  return byteAt(bytes, colon) === COLON ? skipSpace(bytes, colon + 1) : -1
}
