/** Readers of single fields. Each takes what stood in the JSON and answers a value, or what is wrong with it. */
import { z } from 'zod'
import { parseCents, parseNumberCents } from '../../domain/cents.ts'
import { assert } from '../../domain/failure.ts'
import { maskCardNumbers } from './card-numbers.ts'
import { Ambiguous, JsonNumber, isJsonObject } from '../json/json.ts'
import { instantText } from './instant.ts'

/** Why a value was refused; it completes the sentence "amountTotal …". */
export interface Wrong {
  wrong: string
}
type Read<T> = (value: unknown) => T | Wrong

const MAX_FIELD_CHARACTERS = 65_536
const MAX_WORD_CHARACTERS = 64
const MAX_WORDS = 64
/** A double never needs as many characters; a text of a million digits would only cost time. */
const MAX_NUMBER_CHARACTERS = 400
const MAX_PERCENTAGE_DECIMALS = 4
const MAX_ID = '9223372036854775807'
const INTEGER = /^[1-9][0-9]{0,18}$/
const PLAIN_PERCENTAGE = /^(?:0|[1-9][0-9]{0,4})(?:\.[0-9]{0,3}[1-9])?$/
const POINT = 0x2e
const ZERO = 0x30
const DECIMAL = /^([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,2}))?$/
/** A spreadsheet would take a text that begins so for a formula. */
const FORMULA = /^[=+@-]/
/** Shorter texts hold no card number. */
const SHORTEST_CARD = 13
// Controls, lone surrogates, and marks that turn the direction of the text around them.
const CONTROL = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u
const CONTROLS = new RegExp(CONTROL.source, 'gu')

/** What a schema of this file demands, for readers that do without it as long as nothing is wrong. */
export type Rule = FieldRule | ObjectRule
export interface FieldRule {
  isRequired: boolean
  read: Read<unknown>
}
export interface ObjectRule {
  fields: Record<string, Rule>
}

const rules = new WeakMap<object, Rule>()

/** The rule of a schema that `required`, `optional`, `record` or `nested` made. */
export function ruleOf(schema: object): Rule {
  const rule = rules.get(schema)
  assert(rule !== undefined, 'a schema without a rule')
  return rule
}

function ruled<S extends object>(schema: S, rule: Rule): S {
  rules.set(schema, rule)
  return schema
}

/** What the fields of a record came to, in the order of its schema, those of nested objects in their place. */
export type Values = readonly unknown[]

/** The fields of an object in the order of its values, such as `response.code`. */
export function pathsOf({ fields }: ObjectRule, prefix = ''): string[] {
  return Object.entries(fields).flatMap(([name, rule]) =>
    'fields' in rule ? pathsOf(rule, `${prefix}${name}.`) : [`${prefix}${name}`],
  )
}

/** Where among the values of a schema a field stands. */
export function placeOf(schema: object, path: string): number {
  const rule = ruleOf(schema)
  const place = 'fields' in rule ? pathsOf(rule).indexOf(path) : -1
  assert(place >= 0, 'a field that the schema lacks')
  return place
}

/** The values of an object that its schema has read. */
export function valuesOf(schema: object, read: object): Values {
  return routesOf(schema).map((route) => {
    let held: unknown = read
    for (const name of route) held = (held as Record<string, unknown>)[name]
    return held
  })
}

const routes = new WeakMap<object, readonly (readonly string[])[]>()

/** The names that lead to each value of a schema. */
function routesOf(schema: object): readonly (readonly string[])[] {
  const rule = ruleOf(schema)
  const known = routes.get(schema)
  if (known !== undefined) return known
  const made = 'fields' in rule ? pathsOf(rule).map((path) => path.split('.')) : [[]]
  routes.set(schema, made)
  return made
}

/** A text that a required field came to. */
export const given = (values: Values, place: number) => values[place] as string

/** A text that an optional field came to. */
export const textAt = (values: Values, place: number) => values[place] as string | null

/** What a field of true or false came to. */
export const flagAt = (values: Values, place: number) => values[place] as boolean | null

/** A field that must be there. */
export function required<T>(read: Read<T>) {
  const schema = z
    .unknown()
    .transform((value, context): T =>
      settle(value === null ? wrong('is null') : read(value), context),
    )
  return ruled(schema, { isRequired: true, read })
}

/** Whether a value is there and holds nothing: null, an empty text, array or object. */
export function holdsNothing(value: unknown): boolean {
  if (value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isJsonObject(value) && Object.keys(value).length === 0
}

/** A field that may be missing, or hold nothing, which is null in the end. */
export function optional<T>(read: Read<T>) {
  const schema = z
    .unknown()
    .transform((value, context) => (holdsNothing(value) ? null : settle(read(value), context)))
    .prefault(null)
  return ruled(schema, { isRequired: false, read })
}

/** An object of such fields. Fields that are not named pass and are dropped. */
export function record<S extends z.ZodRawShape>(shape: S) {
  // Numbers are objects in our JSON; neither they nor anything else may pass for an empty one.
  const schema = z.preprocess(
    (value) => (isJsonObject(value) ? value : undefined),
    z.object(shape, { error: 'is not an object' }),
  )
  return ruled(schema, objectRule(shape))
}

/** An object whose fields are all optional; missing, or where it holds nothing, it is an object of nulls. */
export function nested<S extends z.ZodRawShape>(shape: S) {
  const schema = z
    .preprocess((value) => (holdsNothing(value) ? {} : value), record(shape))
    .prefault(null)
  return ruled(schema, objectRule(shape))
}

function objectRule(shape: z.ZodRawShape): ObjectRule {
  const fields = Object.entries(shape).map(([name, field]) => [name, ruleOf(field)] as const)
  return { fields: Object.fromEntries(fields) }
}

function settle<T>(read: T | Wrong, context: z.RefinementCtx): T {
  if (!isWrong(read)) return read
  context.addIssue({ code: 'custom', message: read.wrong })
  return z.NEVER
}

/** Text of exactly two decimals, such as `12.30`, as cents in integer text. Its sign is never part of it. */
export function amount(value: unknown): string | Wrong {
  if (typeof value !== 'string') return notA('text', value)
  const plain = plainCents(value)
  if (plain !== undefined) return plain
  const parsed = parseCents(value)
  if (parsed === undefined) return wrong('is not an amount with two decimals')
  return value.startsWith('-') ? wrong('is negative') : parsed.toString()
}

/** What nearly every amount looks like, without a regular expression and a bigint; undefined leaves it to parseCents. */
function plainCents(text: string): string | undefined {
  const point = text.length - 3
  // Fifteen digits are a whole number that a double holds.
  if (point < 1 || point > 13 || text.charCodeAt(point) !== POINT) return undefined
  let cents = 0
  for (let at = 0; at < text.length; at += 1) {
    if (at === point) continue
    const digit = text.charCodeAt(at) - ZERO
    if (!(digit >= 0 && digit <= 9)) return undefined
    cents = cents * 10 + digit
  }
  return String(cents)
}

export interface NetAmount {
  cents: string
  noise: boolean
}

/** A JSON number within a millionth of a whole cent. */
export function netAmount(value: unknown): NetAmount | Wrong {
  if (!(value instanceof JsonNumber)) return notA('a number', value)
  if (value.text.length > MAX_NUMBER_CHARACTERS) return wrong('has too many digits')
  const parsed = parseNumberCents(value.text)
  if (parsed === undefined) return wrong('is not a number of whole cents')
  return { cents: parsed.cents.toString(), noise: parsed.noise }
}

/** A JSON integer from 1 to 2^63 - 1, as its digits. */
export function id(value: unknown): string | Wrong {
  if (!(value instanceof JsonNumber)) return notA('a number', value)
  const { text } = value
  if (!INTEGER.test(text)) return wrong('is not a positive integer')
  return text.length === MAX_ID.length && text > MAX_ID ? wrong('is above 2^63 - 1') : text
}

/** An id in a field that the interface does not promise: whatever is not an id counts as absent. */
export function undocumentedId(value: unknown): string | null {
  const read = id(value)
  return isWrong(read) ? null : read
}

/** An ISO 8601 instant with Z or an offset, as `YYYY-MM-DD HH:MM:SS.ffffff` in UTC. */
export function instant(value: unknown): string | Wrong {
  if (typeof value !== 'string') return notA('text', value)
  return instantText(value) ?? wrong('is not an ISO 8601 instant with Z or an offset')
}

export function flag(value: unknown): boolean | Wrong {
  return typeof value === 'boolean' ? value : notA('true or false', value)
}

/** A percentage: a JSON number below 100000 with at most four decimals, as plain decimal text. */
export function percentage(value: unknown): string | Wrong {
  if (!(value instanceof JsonNumber)) return notA('a number', value)
  if (PLAIN_PERCENTAGE.test(value.text)) return value.text
  if (value.text.length > MAX_NUMBER_CHARACTERS) return wrong('has too many digits')
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(value.text) ?? []
  if (whole === '') return wrong('is not a number from 0 to 99999')
  // The point stands after so many of the digits.
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

/** A value of a list that may grow, such as a status: kept as it is, whatever it says. */
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

/** A word where the empty text means that there is none. */
export function optionalWord(value: unknown): string | null | Wrong {
  return value === '' ? null : word(value)
}

/** An identifier that somebody else assigned; never masked, since a masked one identifies nothing. */
export function identifier(value: unknown): string | null | Wrong {
  const text = shortText(value)
  if (isWrong(text)) return text
  return text === '' ? null : text.replace(CONTROLS, '\ufffd').slice(0, MAX_WORD_CHARACTERS)
}

const freeTexts = new Map<number, Read<string | null>>()

/** Free text: card numbers masked, controls replaced, cut to `max` characters; empty text counts as none. */
export function freeText(max: number): Read<string | null> {
  const read = freeTexts.get(max) ?? newFreeText(max)
  freeTexts.set(max, read)
  return read
}

function newFreeText(max: number): Read<string | null> {
  return (value) => {
    const text = shortText(value)
    if (isWrong(text)) return text
    if (text !== '' && text.length < SHORTEST_CARD && isPrintable(text)) return text
    const kept = maskCardNumbers(text.replace(CONTROLS, '\ufffd'))
    // A pair of surrogates that the cut would split is dropped whole.
    return kept === '' ? null : kept.slice(0, max).replace(/[\ud800-\udbff]$/, '')
  }
}

/** A text of the cardholder: it is hashed and never kept. */
export function personalText(value: unknown): string | Wrong {
  return shortText(value)
}

/** The last four digits of an account; masking characters before them are dropped, and before fewer they may hide some. */
export function lastFour(value: unknown): string | null | Wrong {
  const text = shortText(value)
  if (isWrong(text)) return text
  if (text === '') return null
  const digits = /^(?:[^0-9]{1,15}(?=[0-9]{4}$))?([0-9]{1,4})$/u.exec(text)?.[1]
  return digits ?? wrong('is not the last four digits')
}

/** One word or an array of words, as sorted words with commas between them; an empty array says nothing. */
export function words(value: unknown): string | null | Wrong {
  if (!Array.isArray(value)) return optionalWord(value)
  if (value.length > MAX_WORDS) return wrong('has more than 64 words')
  const read = new Set<string>()
  for (const item of value) {
    const one = word(item)
    if (isWrong(one)) return one
    read.add(one)
  }
  return read.size === 0 ? null : [...read].toSorted().join(',')
}

export function isWrong(read: unknown): read is Wrong {
  return typeof read === 'object' && read !== null && 'wrong' in read
}

/** True for a short text of printable ASCII; other texts are looked at more closely. */
function isPrintable(text: string): boolean {
  if (text.length > MAX_WORD_CHARACTERS) return false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code > 0x7e) return false
  }
  return true
}

function shortText(value: unknown): string | Wrong {
  if (typeof value !== 'string') return notA('text', value)
  return value.length > MAX_FIELD_CHARACTERS ? wrong('is longer than 64 KiB') : value
}

function notA(expected: string, value: unknown): Wrong {
  if (value === undefined) return wrong('is missing')
  if (value instanceof Ambiguous) return wrong('is there twice with different values')
  return wrong(`is not ${expected}`)
}

function wrong(reason: string): Wrong {
  return { wrong: reason }
}
