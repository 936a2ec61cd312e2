/**
 * Reads fields from the bytes of their page where they look as nearly all do. What is unusual is left to the rules of
 * api/fields.ts; what is read here comes to the same.
 */
import {
  amount,
  freeText,
  id,
  instant,
  isWrong,
  lastFour,
  optionalWord,
  percentage,
  word,
} from './fields.ts'
import type { FieldRule } from './fields.ts'
import { byteAt, type Skimmed } from '../json/scan.ts'
import { stands, type Written, writtenAt } from '../json/byte-pattern.ts'

/** Reads the value that stands from `from` to before `to`; undefined where it is unusual. */
export type PlainRead = (page: Skimmed, from: number, to: number) => string | null | undefined

const QUOTE = 0x22
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const BACKSLASH = 0x5c
const LETTER_T = 0x54
const LETTER_Z = 0x5a
/** Digits of a whole number that a double holds exactly. */
const SAFE_DIGITS = 15
const ID_DIGITS = 18
/** With its quotes, `2026-11-21T07:00:00Z`. */
const INSTANT_BYTES = 22
/** Shorter texts hold no card number. */
const SHORT_BYTES = 12

const PLAIN = new Map<unknown, () => PlainRead>([
  [id, () => plainId],
  [amount, () => plainAmount],
  [instant, plainInstant],
  [lastFour, () => plainLastFour],
  [freeText(64), () => plainText],
  [freeText(255), () => plainText],
])
/** Texts of few values, of which the rule is asked once each. */
const WORDS = new Set<unknown>([word, optionalWord, percentage])

/** A reader of its own for a field of this rule; undefined where there is none. */
export const plainRead = ({ read }: FieldRule): PlainRead | undefined => PLAIN.get(read)?.()

/** Whether a field of this rule says the same few things again and again. */
export const isRepeating = ({ read }: FieldRule): boolean => WORDS.has(read)

const isDigit = (code: number) => code >= ZERO && code <= NINE

function plainId({ bytes, latin1 }: Skimmed, from: number, to: number): string | undefined {
  if (to - from > ID_DIGITS || byteAt(bytes, from) === ZERO) return undefined
  for (let at = from; at < to; at += 1) if (!isDigit(byteAt(bytes, at))) return undefined
  return latin1.slice(from, to)
}

function plainAmount({ bytes }: Skimmed, from: number, to: number): string | undefined {
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

function plainLastFour({ bytes, latin1 }: Skimmed, from: number, to: number): string | undefined {
  if (to - from !== 6 || byteAt(bytes, from) !== QUOTE) return undefined
  for (let at = from + 1; at < to - 1; at += 1) if (!isDigit(byteAt(bytes, at))) return undefined
  return latin1.slice(from + 1, to - 1)
}

/** A short text of printable ASCII without escapes. */
function plainText({ bytes, latin1 }: Skimmed, from: number, to: number): string | undefined {
  if (byteAt(bytes, from) !== QUOTE || to - from < 3 || to - from > SHORT_BYTES + 2)
    return undefined
  for (let at = from + 1; at < to - 1; at += 1) {
    const code = byteAt(bytes, at)
    if (code < 0x20 || code > 0x7e || code === BACKSLASH) return undefined
  }
  return latin1.slice(from + 1, to - 1)
}

/** An instant in UTC without a fraction, on the same day as the one before it. */
function plainInstant(): PlainRead {
  let day: { written: Written; text: string } | undefined
  return ({ bytes, view, latin1 }, from, to) => {
    if (to - from !== INSTANT_BYTES || !isTime(bytes, from + 11)) return undefined
    if (day === undefined || !stands(view, from, day.written)) {
      const read = instant(latin1.slice(from + 1, to - 1))
      if (isWrong(read)) return undefined
      day = { written: writtenAt(view, from, from + 11), text: read.slice(0, 11) }
      return read
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

/** Whether two digits stand here that are less than `limit`. */
function isBelow(bytes: Uint8Array, at: number, limit: number): boolean {
  const [tens, ones] = [byteAt(bytes, at), byteAt(bytes, at + 1)]
  return isDigit(tens) && isDigit(ones) && (tens - ZERO) * 10 + (ones - ZERO) < limit
}
