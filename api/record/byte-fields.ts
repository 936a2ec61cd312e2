/** Checks of single values by their bytes, in the spelling that nearly all values have. */
import { matchesAt, patternAt, type BytePattern } from '../json/byte-pattern.ts'
import { byteAt, type ScannedPage } from '../json/scan.ts'
import { instant, isWrong } from './field-checks.ts'

/**
 * Returns the value that lies from `from` to before `to`, or undefined for an unusual spelling, which the check of
 * the parsed value judges.
 */
export type ByteCheck = (page: ScannedPage, from: number, to: number) => string | undefined

const QUOTE = 0x22
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const BACKSLASH = 0x5c
const LETTER_T = 0x54
const LETTER_Z = 0x5a
/** A double represents a whole number of this many digits exactly. */
const SAFE_DIGITS = 15
const ID_DIGITS = 18
/** `2026-11-21T07:00:00Z` with its quotes. */
const INSTANT_BYTES = 22
/** A text of this many characters is too short for a card number. */
const SHORT_BYTES = 12

const isDigit = (code: number) => code >= ZERO && code <= NINE

/** Checks an id of at most 18 digits. */
export function idBytes(
  { bytes, latin1 }: ScannedPage,
  from: number,
  to: number,
): string | undefined {
  if (to - from > ID_DIGITS || byteAt(bytes, from) === ZERO) return undefined
  for (let at = from; at < to; at += 1) if (!isDigit(byteAt(bytes, at))) return undefined
  return latin1.slice(from, to)
}

/** Checks an amount of at most 15 digits, two of them decimals; gives cents as digits. */
export function amountBytes({ bytes }: ScannedPage, from: number, to: number): string | undefined {
  const point = to - 4
  if (byteAt(bytes, from) !== QUOTE || point < from + 2 || point - from > SAFE_DIGITS - 2) {
    return undefined
  }
  let cents = 0
  for (let at = from + 1; at < to - 1; at += 1) {
    const code = byteAt(bytes, at)
    if (at === point) {
      if (code !== POINT) return undefined
    } else if (isDigit(code)) cents = cents * 10 + (code - ZERO)
    else return undefined
  }
  return String(cents)
}

/** Checks four digits without a mask. */
export function lastFourBytes(
  { bytes, latin1 }: ScannedPage,
  from: number,
  to: number,
): string | undefined {
  if (to - from !== 6 || byteAt(bytes, from) !== QUOTE) return undefined
  for (let at = from + 1; at < to - 1; at += 1) if (!isDigit(byteAt(bytes, at))) return undefined
  return latin1.slice(from + 1, to - 1)
}

/** Checks a short text of printable ASCII without escapes. */
export function textBytes(
  { bytes, latin1 }: ScannedPage,
  from: number,
  to: number,
): string | undefined {
  if (byteAt(bytes, from) !== QUOTE || to - from < 3 || to - from > SHORT_BYTES + 2)
    return undefined
  for (let at = from + 1; at < to - 1; at += 1) {
    const code = byteAt(bytes, at)
    if (code < 0x20 || code > 0x7e || code === BACKSLASH) return undefined
  }
  return latin1.slice(from + 1, to - 1)
}

/**
 * Makes a check of an instant in UTC without a fraction. The check parses a date once and recognises its bytes
 * afterwards.
 */
export function instantBytes(): ByteCheck {
  let day: { pattern: BytePattern; text: string } | undefined
  return ({ bytes, view, latin1 }, from, to) => {
    if (to - from !== INSTANT_BYTES || !isTime(bytes, from + 11)) return undefined
    if (day === undefined || !matchesAt(view, from, day.pattern)) {
      const checked = instant(latin1.slice(from + 1, to - 1))
      if (isWrong(checked)) return undefined
      day = { pattern: patternAt(view, from, from + 11), text: checked.slice(0, 11) }
      return checked
    }
    return `${day.text}${latin1.slice(from + 12, from + 20)}.000000`
  }
}

/** `T07:00:00Z` */
function isTime(bytes: Uint8Array, at: number): boolean {
  return (
    byteAt(bytes, at) === LETTER_T &&
    isBelow(bytes, at + 1, 24) &&
    byteAt(bytes, at + 3) === COLON &&
    isBelow(bytes, at + 4, 60) &&
    byteAt(bytes, at + 6) === COLON &&
    isBelow(bytes, at + 7, 60) &&
    byteAt(bytes, at + 9) === LETTER_Z
  )
}

/** True if the two bytes are digits of a number below `limit`. */
function isBelow(bytes: Uint8Array, at: number, limit: number): boolean {
  const [tens, ones] = [byteAt(bytes, at), byteAt(bytes, at + 1)]
  return isDigit(tens) && isDigit(ones) && (tens - ZERO) * 10 + (ones - ZERO) < limit
}
