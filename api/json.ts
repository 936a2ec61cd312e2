/** JSON whose numbers keep the text that was sent, so that no amount and no id ever passes through a double. */
import { parse } from 'lossless-json'

/** A JSON number: `12.34`, which is not the same as the string `"12.34"`. */
export class JsonNumber {
  // A public field, because the parser compares the values of repeated keys field by field.
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Stands where one object had the same key twice with different values: it is no value of any type. */
export class Ambiguous {
  readonly ambiguous = true
}

const MAX_DEPTH = 32
const PARSING = {
  parseNumber: (text: string) => new JsonNumber(text),
  onDuplicateKey: () => new Ambiguous(),
}

/** Parses a JSON text; throws a SyntaxError, or a RangeError when it is nested thousands deep. */
export function parseJson(text: string): unknown {
  return parse(text, null, PARSING)
}

/** True for a JSON object, and for nothing else that happens to be one in JavaScript. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof JsonNumber) &&
    !(value instanceof Ambiguous)
  )
}

/** The same text for the same value, whatever the order of its keys; what lies below 32 levels counts as equal. */
export function canonicalJson(value: unknown, depth = 0): string {
  if (value instanceof JsonNumber) return value.text
  if (depth > MAX_DEPTH) return '"…"'
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`
  }
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null'
  const fields = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key], depth + 1)}`)
  return `{${fields.join(',')}}`
}
