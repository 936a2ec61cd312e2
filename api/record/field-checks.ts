/**
 * Checks of single values. Each takes a parsed JSON value and returns the value for the lake, or the reason why it is
 * wrong.
 */
import { parseCents, parseNumberCents } from '../../domain/cents.ts'
import { maskCardNumbers } from './card-numbers.ts'
import { Ambiguous, JsonNumber, isJsonObject } from '../json/json.ts'
import { instantText } from './instant.ts'

/** The reason why a value is refused; it completes the sentence "amountTotal …". */
export interface Wrong {
  wrong: string
}
export type Check<T = unknown> = (value: unknown) => T | Wrong

const MAX_FIELD_CHARACTERS = 65_536
const MAX_WORD_CHARACTERS = 64
const MAX_WORDS = 64
/** No double needs this many characters. A longer text would only cost time. */
const MAX_NUMBER_CHARACTERS = 400
const MAX_PERCENTAGE_DECIMALS = 4
const MAX_ID = '9223372036854775807'
const INTEGER = /^[1-9][0-9]{0,18}$/
const PLAIN_PERCENTAGE = /^(?:0|[1-9][0-9]{0,4})(?:\.[0-9]{0,3}[1-9])?$/
const DECIMAL = /^([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,2}))?$/
/** An amount with more than 13 digits before its decimals. */
const TOO_LARGE = /^-?[0-9]{14,}\.[0-9]{2}$/
/** A spreadsheet takes a text that begins with one of these for a formula. */
const FORMULA = /^[=+@-]/
/** Shorter texts hold no card number. */
const SHORTEST_CARD = 13
// Controls, lone surrogates, and marks that change the direction of text.
const CONTROL = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u
const CONTROLS = new RegExp(CONTROL.source, 'gu')

/** True if a value is empty: null, or an empty text, array or object. */
export function holdsNothing(value: unknown): boolean {
  if (value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isJsonObject(value) && Object.keys(value).length === 0
}

/** Checks text of exactly two decimals, such as `12.30`; gives cents as digits. A negative amount is refused. */
export function amount(value: unknown): string | Wrong {
  if (typeof value !== 'string') return notA('text', value)
  const parsed = parseCents(value)
  if (parsed === undefined) {
    return wrong(TOO_LARGE.test(value) ? 'is too large' : 'is not an amount with two decimals')
  }
  return value.startsWith('-') ? wrong('is negative') : parsed.toString()
}

export interface NetAmount {
  cents: string
  /** The number was not exactly a whole cent. */
  noise: boolean
}

/** Checks a JSON number within a millionth of a whole cent. */
export function netAmount(value: unknown): NetAmount | Wrong {
  if (!(value instanceof JsonNumber)) return notA('a number', value)
  if (value.text.length > MAX_NUMBER_CHARACTERS) return wrong('has too many digits')
  const parsed = parseNumberCents(value.text)
  if (parsed === undefined) return wrong('is not a number of whole cents')
  return { cents: parsed.cents.toString(), noise: parsed.noise }
}

/** Checks a JSON integer from 1 to 2^63 - 1; gives its digits. */
export function id(value: unknown): string | Wrong {
  if (!(value instanceof JsonNumber)) return notA('a number', value)
  const { text } = value
  if (!INTEGER.test(text)) return wrong('is not a positive integer')
  return text.length === MAX_ID.length && text > MAX_ID ? wrong('is above 2^63 - 1') : text
}

/** Checks a whole number of at most 40 digits, which may be too large for an id; gives its digits. */
export const wholeNumber = (value: unknown): string | Wrong =>
  value instanceof JsonNumber && /^[1-9][0-9]{0,39}$/.test(value.text)
    ? value.text
    : wrong('is not a whole number')

/** Checks an id in a field that the service's description does not have. Any value but an id counts as absent. */
export function looseId(value: unknown): string | null {
  const digits = id(value)
  return isWrong(digits) ? null : digits
}

/** Checks an ISO 8601 instant with Z or an offset; gives `YYYY-MM-DD HH:MM:SS.ffffff` in UTC. */
export function instant(value: unknown): string | Wrong {
  if (typeof value !== 'string') return notA('text', value)
  return instantText(value) ?? wrong('is not an ISO 8601 instant with Z or an offset')
}

/** Checks a JSON true or false. */
export function flag(value: unknown): boolean | Wrong {
  return typeof value === 'boolean' ? value : notA('true or false', value)
}

/** Checks a JSON number from 0 to 99999 with at most four decimals; gives plain decimal text. */
export function percentage(value: unknown): string | Wrong {
  if (!(value instanceof JsonNumber)) return notA('a number', value)
  if (PLAIN_PERCENTAGE.test(value.text)) return value.text
  if (value.text.length > MAX_NUMBER_CHARACTERS) return wrong('has too many digits')
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(value.text) ?? []
  if (whole === '') return wrong('is not a number from 0 to 99999')
  // The number of digits before the point.
  const point = whole.length + Number(exponent)
  const digits = `${whole}${fraction}`.padStart(1 - point + whole.length + fraction.length, '0')
  return plainDecimal(digits, Math.max(point, 1))
}

function plainDecimal(digits: string, point: number): string | Wrong {
  const whole = digits
    .slice(0, point)
    .padEnd(point, '0')
    .replace(/^0+(?=.)/, '')
  const fraction = digits.slice(point).replace(/0+$/, '')
  if (whole.length > 5) return wrong('is not a number from 0 to 99999')
  if (fraction.length > MAX_PERCENTAGE_DECIMALS) return wrong('has more than four decimals')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** Checks a value of a list that may grow, such as a status. Returns the text unchanged except for card numbers. */
export function word(value: unknown): string | Wrong {
  const text = shortText(value)
  if (isWrong(text)) return text
  if (text === '') return wrong('is empty')
  if (isPrintable(text) && text.length < SHORTEST_CARD && !FORMULA.test(text)) {
    return text
  }
  if (CONTROL.test(text)) return wrong('holds control characters')
  if (FORMULA.test(text)) return wrong('begins like a formula')
  if (text.length > MAX_WORD_CHARACTERS) return wrong('is longer than 64 characters')
  return maskCardNumbers(text)
}

/** Checks a word. The empty text counts as absent. */
export function optionalWord(value: unknown): string | null | Wrong {
  return value === '' ? null : word(value)
}

/**
 * Checks an identifier of another system. The check never masks it, because a masked identifier identifies nothing.
 */
export function identifier(value: unknown): string | null | Wrong {
  const text = shortText(value)
  if (isWrong(text)) return text
  return text === '' ? null : cut(text.replace(CONTROLS, '\ufffd'), MAX_WORD_CHARACTERS)
}

/**
 * Checks free text. The result has card numbers masked, control characters replaced, and at most `max` characters.
 * The empty text counts as absent.
 */
export const freeText =
  (max: number): Check<string | null> =>
  (value) => {
    const text = shortText(value)
    if (isWrong(text)) return text
    if (text !== '' && text.length < SHORTEST_CARD && isPrintable(text)) return text
    const masked = maskCardNumbers(text.replace(CONTROLS, '\ufffd'))
    return masked === '' ? null : cut(masked, max)
  }

/** At most `max` characters. The cut may leave half of a surrogate pair, which is dropped. */
const cut = (text: string, max: number) => text.slice(0, max).replace(/[\ud800-\udbff]$/, '')

/**
 * Checks the last four digits of an account. A mask before four digits is dropped. A mask before fewer digits is
 * refused, because it may hide one of the four.
 */
export function lastFour(value: unknown): string | null | Wrong {
  const text = shortText(value)
  if (isWrong(text)) return text
  if (text === '') return null
  const digits = /^(?:[^0-9]{1,15}(?=[0-9]{4}$))?([0-9]{1,4})$/u.exec(text)?.[1]
  return digits ?? wrong('is not the last four digits')
}

/**
 * Checks one word or an array of words. Returns the words sorted, with commas between them. An empty array counts as
 * absent.
 */
export function words(value: unknown): string | null | Wrong {
  if (!Array.isArray(value)) return optionalWord(value)
  if (value.length > MAX_WORDS) return wrong('has more than 64 words')
  const checked = new Set<string>()
  for (const item of value) {
    const one = word(item)
    if (isWrong(one)) return one
    checked.add(one)
  }
  return checked.size === 0 ? null : [...checked].toSorted().join(',')
}

export function isWrong(checked: unknown): checked is Wrong {
  return typeof checked === 'object' && checked !== null && 'wrong' in checked
}

/** True for printable ASCII of at most 64 characters, which needs no further check of its characters. */
function isPrintable(text: string): boolean {
  if (text.length > MAX_WORD_CHARACTERS) return false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code > 0x7e) return false
  }
  return true
}

/** Checks a text, and changes nothing in it. */
export function shortText(value: unknown): string | Wrong {
  if (typeof value !== 'string') return notA('text', value)
  return value.length > MAX_FIELD_CHARACTERS ? wrong('is longer than 64 KiB') : value
}

function notA(expected: string, value: unknown): Wrong {
  if (value === undefined) return wrong('is missing')
  if (value instanceof Ambiguous) return wrong('is there twice with different values')
  return wrong(`is not ${expected}`)
}

export function wrong(reason: string): Wrong {
  return { wrong: reason }
}
