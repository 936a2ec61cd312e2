/** Shows a value of the service in an error: short, printable, and without personal data. */
import { maskCardNumbers } from './card-numbers.ts'
import { Ambiguous, JsonNumber } from '../json/json.ts'
import type { FieldRule } from './record-rules.ts'

const MAX_CHARACTERS = 64
const UNPRINTABLE = /[^\x20-\x7e]/gu
/** Kinds whose digits show the fault, as long as the text looks like a number. */
const FIGURES: readonly FieldRule['kind'][] = ['amount', 'net', 'id', 'looseId', 'percentage']
const LIKE_A_FIGURE =
  /^\s*(?:[-+(]?\p{Sc}?|\p{Sc}[-+])[\p{Nd}.,_']*(?:[eE][-+]?[0-9]*)?[\s\u00a0]?\p{Sc}?[)-]?\s*$/u
const LIKE_A_TIME =
  /^\s*(?:[-+]?[0-9]{4,6}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{1,2}([./])[0-9]{1,2}\1[0-9]{2,4})(?![0-9./-])/

/** Escapes everything but printable ASCII and cuts to `max` characters. */
export function printable(text: string, max: number): string {
  const escaped = text.slice(0, max).replace(UNPRINTABLE, escapeCharacter)
  return escaped.length <= max && text.length <= max ? escaped : `${escaped.slice(0, max - 3)}...`
}

/**
 * Shows the value of a wrong field in at most 64 characters. Amounts, ids and times keep their digits and punctuation.
 * Other fields show only their shape: `9` for a digit, `a` for a letter. Personal fields show nothing.
 */
export function excerptOf(
  { kind, inner }: Pick<FieldRule, 'kind' | 'inner'>,
  value: unknown,
): string {
  const isPersonal = kind === 'personal' || inner?.isPersonal === true
  if (isPersonal || value === undefined) return ''
  if (value === null || typeof value === 'boolean') return String(value)
  const text = value instanceof JsonNumber ? value.text : value
  if (typeof text !== 'string') return nameOf(value)
  const head = text.slice(0, 4 * MAX_CHARACTERS)
  const shape = showsDigits(kind, head) ? exactShape(head) : looseShape(head)
  return printable(shape, MAX_CHARACTERS)
}

/** A telephone number in an amount's field is personal data, too. */
const showsDigits = (kind: FieldRule['kind'], text: string): boolean =>
  (FIGURES.includes(kind) && LIKE_A_FIGURE.test(text)) ||
  (kind === 'instant' && LIKE_A_TIME.test(text))

function nameOf(value: unknown): string {
  if (value instanceof Ambiguous) return '(two different values)'
  return Array.isArray(value) ? '(an array)' : '(an object)'
}

/** Times have T and Z, numbers have e and E. Other letters may be a person's name. */
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
