/** What may be shown of a value that came from outside: short, printable, and nobody's data. */
import { maskCardNumbers } from './card-numbers.ts'
import { Ambiguous, JsonNumber } from '../json/json.ts'

const MAX_CHARACTERS = 64
const UNPRINTABLE = /[^\x20-\x7e]/gu
/** Fields of the cardholder and of the receiver are never shown, not even as a shape. */
const PERSONAL = /^(?:billing|shipping)(?:\.|$)/
/** In these fields the very digits are what is wrong, as long as the text looks like what belongs there. */
const FIGURE = /^(?:amount[A-Za-z]+|transactionId|settlementId|terminalId|surcharge\.percentage)$/
const LIKE_A_FIGURE =
  /^\s*(?:[-+(]?\p{Sc}?|\p{Sc}[-+])[\p{Nd}.,_']*(?:[eE][-+]?[0-9]*)?[\s\u00a0]?\p{Sc}?[)-]?\s*$/u
const TIME = /^(?:created|lastModified)$/
const LIKE_A_TIME =
  /^\s*(?:[-+]?[0-9]{4,6}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{1,2}([./])[0-9]{1,2}\1[0-9]{2,4})(?![0-9./-])/

/** Escapes everything but printable ASCII and cuts to `max` characters. */
export function printable(text: string, max: number): string {
  const escaped = text.slice(0, max).replace(UNPRINTABLE, escapeCharacter)
  return escaped.length <= max && text.length <= max ? escaped : `${escaped.slice(0, max - 3)}...`
}

/**
 * Shows the value of one offending field in at most 64 characters. Amounts, ids and times keep their digits and
 * punctuation; of any other field only the shape is left (`9` for a digit, `a` for a letter); personal fields are empty.
 */
export function excerptOf(field: string, value: unknown): string {
  if (PERSONAL.test(field) || value === undefined) return ''
  if (value === null || typeof value === 'boolean') return String(value)
  const text = value instanceof JsonNumber ? value.text : value
  if (typeof text !== 'string') return nameOf(value)
  const head = text.slice(0, 4 * MAX_CHARACTERS)
  const shape = isTelling(field, head) ? exactShape(head) : looseShape(head)
  return printable(shape, MAX_CHARACTERS)
}

/** A telephone number in the place of an amount is somebody's data, too. */
function isTelling(field: string, text: string): boolean {
  return (
    (FIGURE.test(field) && LIKE_A_FIGURE.test(text)) || (TIME.test(field) && LIKE_A_TIME.test(text))
  )
}

function nameOf(value: unknown): string {
  if (value instanceof Ambiguous) return '(two different values)'
  return Array.isArray(value) ? '(an array)' : '(an object)'
}

/** T and Z belong to times, e and E to numbers; other letters have no business here and may be anybody's name. */
function exactShape(text: string): string {
  return maskCardNumbers(text).replace(/\p{L}/gu, (letter) =>
    'TZeE'.includes(letter) ? letter : letterShape(letter),
  )
}

function looseShape(text: string): string {
  return text.replace(/\p{N}/gu, '9').replace(/\p{L}/gu, letterShape)
}

function letterShape(letter: string): string {
  return letter === letter.toLowerCase() ? 'a' : 'A'
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}
