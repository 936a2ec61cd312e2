/** Passes over JSON without building it. Each function takes a position and gives the one after, or -1 for what is no JSON. */
import type { Members } from './members.ts'

/** Nobody nests so deep; what does is left to the parser. */
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
const HEX = /^[0-9a-fA-F]{4}$/

/** A text and what was found in it. */
export interface Skimmed {
  readonly text: string
  readonly members: Members
}

/** The position of the next character that is no white space. */
export function skipSpace(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    // Most characters are above the blank: one comparison is enough for them.
    if (code > 0x20 || (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09)) return at
    at += 1
  }
}

/** Passes one value, whose first character stands at `at`, and notes the members of all objects in it. */
export function skipValue(skimmed: Skimmed, at: number, depth: number): number {
  const { text } = skimmed
  switch (text.charCodeAt(at)) {
    case QUOTE:
      return skipString(text, at)
    case OPENING_BRACE:
      return skipObject(skimmed, at, depth)
    case OPENING_BRACKET:
      return skipArray(skimmed, at, depth)
    case 0x74:
      return text.startsWith('true', at) ? at + 4 : -1
    case 0x66:
      return text.startsWith('false', at) ? at + 5 : -1
    case 0x6e:
      return text.startsWith('null', at) ? at + 4 : -1
    default:
      return skipNumber(text, at)
  }
}

/** Passes a string, whose opening quote stands at `at`. */
export function skipString(text: string, at: number): number {
  for (let next = at + 1; ; next += 1) {
    const code = text.charCodeAt(next)
    if (code === QUOTE) return next + 1
    // Beyond the end the code is NaN, which is neither below nor above.
    if (!(code >= 0x20)) return -1
    if (code === BACKSLASH) {
      next = skipEscape(text, next)
      if (next < 0) return -1
    }
  }
}

/** The position of the last character of an escape whose backslash stands at `at`. */
function skipEscape(text: string, at: number): number {
  const letter = text.charAt(at + 1)
  if (letter === 'u') return HEX.test(text.slice(at + 2, at + 6)) ? at + 5 : -1
  return letter !== '' && '"\\/bfnrt'.includes(letter) ? at + 1 : -1
}

/** Passes a number, whose first character stands at `at`. */
export function skipNumber(text: string, at: number): number {
  const first = text.charCodeAt(at) === MINUS ? at + 1 : at
  const whole = skipDigits(text, first)
  if (whole === first) return -1
  if (text.charCodeAt(first) === ZERO && whole > first + 1) return -1
  let end = whole
  if (text.charCodeAt(end) === POINT) {
    end = skipDigits(text, whole + 1)
    if (end === whole + 1) return -1
  }
  return (text.charCodeAt(end) | 0x20) === 0x65 ? skipExponent(text, end + 1) : end
}

function skipExponent(text: string, at: number): number {
  const sign = text.charCodeAt(at)
  const first = sign === 0x2b || sign === MINUS ? at + 1 : at
  const end = skipDigits(text, first)
  return end === first ? -1 : end
}

function skipDigits(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (!(code >= ZERO && code <= NINE)) return at
    at += 1
  }
}

function skipObject(skimmed: Skimmed, from: number, depth: number): number {
  if (depth >= MAX_DEPTH) return -1
  const { text, members } = skimmed
  let at = skipSpace(text, from + 1)
  if (text.charCodeAt(at) === CLOSING_BRACE) return at + 1
  for (;;) {
    const member = members.begin(at)
    const value = skipKey(text, at)
    if (value < 0) return -1
    at = skipValue(skimmed, value, depth + 1)
    if (at < 0) return -1
    members.end(member, value, at)
    at = skipSpace(text, at)
    const code = text.charCodeAt(at)
    if (code === CLOSING_BRACE) return at + 1
    if (code !== COMMA) return -1
    at = skipSpace(text, at + 1)
  }
}

/** Passes a key and its colon, up to the value. */
export function skipKey(text: string, at: number): number {
  if (text.charCodeAt(at) !== QUOTE) return -1
  const end = skipString(text, at)
  if (end < 0) return -1
  const colon = skipSpace(text, end)
  return text.charCodeAt(colon) === COLON ? skipSpace(text, colon + 1) : -1
}

function skipArray(skimmed: Skimmed, from: number, depth: number): number {
  if (depth >= MAX_DEPTH) return -1
  const { text } = skimmed
  let at = skipSpace(text, from + 1)
  if (text.charCodeAt(at) === CLOSING_BRACKET) return at + 1
  for (;;) {
    at = skipValue(skimmed, at, depth + 1)
    if (at < 0) return -1
    at = skipSpace(text, at)
    const code = text.charCodeAt(at)
    if (code === CLOSING_BRACKET) return at + 1
    if (code !== COMMA) return -1
    at = skipSpace(text, at + 1)
  }
}
