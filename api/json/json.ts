/** Parses JSON and preserves the text of each number, so that no amount and no id passes through a double. */

/** A JSON number such as `12.34`, as distinct from the string `"12.34"`. */
export class JsonNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Stands for the value of a key that an object has twice, with different values. No field accepts it. */
export class Ambiguous {
  readonly ambiguous = true
}

/** Values below this level count as equal when records are compared. */
const MAX_COMPARED_DEPTH = 32
/** Far deeper than any record, and far from the limit of the stack. */
const MAX_DEPTH = 1000
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPENING_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

interface Cursor {
  readonly text: string
  at: number
  depth: number
}

/** Parses a JSON text; throws a SyntaxError, also for one that is nested more than 1000 deep. */
export function parseJson(text: string): unknown {
  const cursor: Cursor = { text, at: 0, depth: 0 }
  const value = readValue(cursor)
  nextCode(cursor)
  if (cursor.at < text.length) throw notJson(cursor)
  return value
}

/** The text of a JSON string that is given with its quotes. */
export const unquoted = (quoted: string): string => String(JSON.parse(quoted))

/** True for a JSON object. Arrays, numbers and ambiguous values are objects of JavaScript alone. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof JsonNumber) &&
    !(value instanceof Ambiguous)
  )
}

/**
 * Returns a text that is the same for equal values, whatever the order of their keys. Values below 32 levels count as
 * equal.
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (value instanceof JsonNumber) return value.text
  if (depth > MAX_COMPARED_DEPTH) return '"…"'
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`
  }
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null'
  const fields = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key], depth + 1)}`)
  return `{${fields.join(',')}}`
}

/** Moves the cursor to the next character that is no white space, and gives its code; NaN at the end. */
function nextCode(cursor: Cursor): number {
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code
    cursor.at += 1
  }
}

function readValue(cursor: Cursor): unknown {
  switch (nextCode(cursor)) {
    case QUOTE:
      return readString(cursor)
    case OPENING_BRACE:
      return nested(cursor, readObject)
    case OPENING_BRACKET:
      return nested(cursor, readArray)
    case 0x74:
      return readWord(cursor, 'true', true)
    case 0x66:
      return readWord(cursor, 'false', false)
    case 0x6e:
      return readWord(cursor, 'null', null)
    default:
      return readNumber(cursor)
  }
}

function nested<T>(cursor: Cursor, read: (cursor: Cursor) => T): T {
  cursor.at += 1
  cursor.depth += 1
  if (cursor.depth > MAX_DEPTH) throw notJson(cursor)
  const value = read(cursor)
  cursor.at += 1
  cursor.depth -= 1
  return value
}

function readObject(cursor: Cursor): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  if (nextCode(cursor) === CLOSING_BRACE) return object
  for (;;) {
    if (nextCode(cursor) !== QUOTE) throw notJson(cursor)
    const key = readString(cursor)
    if (nextCode(cursor) !== COLON) throw notJson(cursor)
    cursor.at += 1
    assign(object, key, readValue(cursor))
    if (endsWith(cursor, CLOSING_BRACE)) return object
  }
}

function readArray(cursor: Cursor): unknown[] {
  const array: unknown[] = []
  if (nextCode(cursor) === CLOSING_BRACKET) return array
  for (;;) {
    array.push(readValue(cursor))
    if (endsWith(cursor, CLOSING_BRACKET)) return array
  }
}

/** True at the closing character, where the cursor stays; false after a comma, which the cursor passes. */
function endsWith(cursor: Cursor, closing: number): boolean {
  const code = nextCode(cursor)
  if (code === closing) return true
  if (code !== COMMA) throw notJson(cursor)
  cursor.at += 1
  return false
}

function assign(object: Record<string, unknown>, key: string, value: unknown): void {
  // A plain assignment of this key would give the record another prototype, and with it fields that the service never
  // sent.
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true })
  } else if (Object.hasOwn(object, key) && !isSame(object[key], value)) {
    object[key] = new Ambiguous()
  } else {
    object[key] = value
  }
}

/** Two objects or two arrays never count as the same. */
function isSame(one: unknown, other: unknown): boolean {
  return one instanceof JsonNumber && other instanceof JsonNumber
    ? one.text === other.text
    : one === other
}

function readString(cursor: Cursor): string {
  const { text, at: start } = cursor
  let isPlain = true
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      cursor.at = at + 1
      return isPlain ? text.slice(start + 1, at) : unquoted(text.slice(start, at + 1))
    }
    if (code < 0x20) break
    if (code === BACKSLASH) {
      isPlain = false
      at += 1
    }
  }
  throw notJson(cursor)
}

function readNumber(cursor: Cursor): JsonNumber {
  NUMBER.lastIndex = cursor.at
  const text = NUMBER.exec(cursor.text)?.[0]
  if (text === undefined) throw notJson(cursor)
  cursor.at += text.length
  return new JsonNumber(text)
}

function readWord<T>(cursor: Cursor, word: string, value: T): T {
  if (!cursor.text.startsWith(word, cursor.at)) throw notJson(cursor)
  cursor.at += word.length
  return value
}

function notJson(cursor: Cursor): SyntaxError {
  return new SyntaxError(`not JSON from position ${cursor.at} on`)
}
