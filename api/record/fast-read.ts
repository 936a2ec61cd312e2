/** Reads valid records straight from the text of their page, by the rules of their schema. */
import type { z } from 'zod'
import { JsonNumber, unquoted } from '../json/json.ts'
import { assert } from '../../domain/failure.ts'
import { emptyName, shown, unknownWords } from './unknown-fields.ts'
import { isWrong, pathsOf, ruleOf, type ObjectRule, type Rule, type Values } from './fields.ts'
import { areWords, knownOf, type Fields, type Known } from './known-names.ts'
import type { SentRecord } from '../json/sent-record.ts'
import { keyNumbered } from '../json/known-keys.ts'
import { keyOf, nextOf, valueEndOf, valueOf } from '../json/member-tape.ts'
import { isRepeating, plainRead, type PlainRead } from './byte-fields.ts'
import { byteAt, type Skimmed, skipString, textOf } from '../json/scan.ts'
import { stands, type Written, writtenAt } from '../json/byte-pattern.ts'

const QUOTE = 0x22
const OPENING_BRACKET = 0x5b
const LETTER_F = 0x66
const LETTER_N = 0x6e
const LETTER_T = 0x74
const OPENING_BRACE = 0x7b
const MAX_FIELDS = 31
/** Values of one field that are remembered, and how long they may be. */
const MAX_VALUES = 8
const MAX_VALUE_BYTES = 40
const NONE: readonly string[] = []

/** One object of the schema, compiled. */
interface Plan {
  fields: ReadonlyMap<string, Field>
  /** A bit for each field that has to be there. */
  required: number
  /** What is known of the object; undefined where all names in it pass. */
  known: Fields | undefined
  /** Before the names of its fields, where they are told. */
  prefix: string
  /** Of keys that have a number, by it. */
  places: (Place | undefined)[]
}

interface Field {
  name: string
  /** None for what the schema doesn't have. */
  bit: number
  /** Where its value goes. */
  place: number
  isRequired: boolean
  /** Undefined for an object, and for what nobody reads. */
  read: ((value: unknown) => unknown) | undefined
  plain: PlainRead | undefined
  /** Values that were read before; undefined for a field that says something else each time. */
  values: Value[] | undefined
  plan: Plan | undefined
  /** The words that it may say without being new. */
  words: readonly string[] | undefined
  path: string
}

/** What a value comes to that was written so. */
interface Value {
  written: Written
  read: unknown
  /** As names that nobody knows. */
  unknown: readonly string[]
}

/** What there is to do about a key. */
interface Place {
  /** Undefined where there is nothing to read and nothing to tell of the value. */
  field: Field | undefined
  /** As it is told where nobody knows it. */
  unknown: string | undefined
}

export interface FastRead {
  sent: Values
  /** Names that the interface as it is known doesn't have, each once, sorted. */
  unknown: readonly string[]
}

/**
 * A reader that gives the values of a record in the order of the schema's fields, as `valuesOf` does, or undefined: then
 * the schema has to judge it. The schema is one that `record` made; `known` are the names of the list.
 */
export function compileFastRead(schema: z.ZodType, known: Fields) {
  const rule = ruleOf(schema)
  assert('fields' in rule, 'a schema of no object')
  const places = pathsOf(rule)
  const plan = planOf(rule, { known, prefix: '', places })
  const sent: unknown[] = places.map(() => null)
  return ({ page, from, first, last }: SentRecord): FastRead | undefined => {
    // Of a page that was released no member is known any more.
    if (byteAt(page.bytes, from) !== OPENING_BRACE || last > page.members.size) return undefined
    // One array for all records: what follows takes out what it needs before the next one is read.
    sent.fill(null)
    const reading: Reading = { page, sent, last, found: undefined }
    if (!readObject(reading, plan, first)) return undefined
    return { sent, unknown: sortedOnce(reading) }
  }
}

const sortedOnce = ({ found }: Reading): readonly string[] =>
  found === undefined ? NONE : [...new Set(found)].toSorted()

/** A record while it is read. */
interface Reading {
  page: Skimmed
  /** Gathers the values. */
  sent: unknown[]
  /** The members of the object at hand end before this one. */
  last: number
  /** Gathers what nobody knows. */
  found: string[] | undefined
}

interface Within {
  known: Fields | undefined
  prefix: string
  /** The paths of all fields of the record, in their order. */
  places: readonly string[]
}

function planOf(rule: ObjectRule, within: Within): Plan {
  const { known, prefix } = within
  const fields = Object.entries(rule.fields).map(([name, inner], n) =>
    fieldOf(inner, { name, bit: 1 << n }, within),
  )
  assert(fields.length <= MAX_FIELDS, 'more fields than bits')
  // What the schema doesn't read may hold names and words all the same.
  for (const [name, inner] of Object.entries(known ?? {})) {
    if (inner === true || Object.hasOwn(rule.fields, name)) continue
    const nothing: Rule = areWords(inner) ? { isRequired: false, read: () => null } : { fields: {} }
    fields.push(fieldOf(nothing, { name, bit: 0 }, within))
  }
  return {
    fields: new Map(fields.map((field) => [field.name, field])),
    required: fields.reduce((bits, { bit, isRequired }) => (isRequired ? bits | bit : bits), 0),
    known,
    prefix,
    places: [],
  }
}

function fieldOf(
  rule: Rule,
  { name, bit }: Pick<Field, 'name' | 'bit'>,
  { known: around, prefix, places }: Within,
): Field {
  const path = `${prefix}${name}`
  const known: Known | undefined = around && knownOf(around, name)
  const words = known !== undefined && areWords(known) ? known : undefined
  const about = { name, bit, path, words, place: places.indexOf(path) }
  if ('fields' in rule) {
    const inner = known === true || words !== undefined ? undefined : (known as Fields | undefined)
    const plan = planOf(rule, { known: inner, prefix: `${path}.`, places })
    return {
      ...about,
      isRequired: false,
      read: undefined,
      plain: undefined,
      values: undefined,
      plan,
    }
  }
  const { isRequired, read } = rule
  const values = isRepeating(rule) || words !== undefined ? [] : undefined
  return { ...about, isRequired, read, plain: plainRead(rule), values, plan: undefined }
}

/** Reads the object whose members begin with this one; false where not all is as it should be. */
function readObject(reading: Reading, plan: Plan, first: number): boolean {
  const { tape } = reading.page.members
  const { last } = reading
  let seen = 0
  for (let member = first; member < last; member = nextOf(tape, member)) {
    const key = keyOf(tape, member)
    const known = key < 0 ? undefined : plan.places[key]
    const { field, unknown } = known ?? newPlace(reading.page, plan, key)
    if (unknown !== undefined) (reading.found ??= []).push(unknown)
    if (field === undefined) continue
    // The second of a name: only the parser tells whether both say the same.
    if ((seen & field.bit) !== 0) return false
    seen |= field.bit
    if (!readField(reading, field, member)) return false
  }
  return (seen & plan.required) === plan.required
}

/** What there is to do about a key that the plan has not met, or one that has no number. */
function newPlace(page: Skimmed, plan: Plan, key: number): Place {
  const name = key < 0 ? nameAt(page, ~key) : keyNumbered(key).name
  const isKnown = plan.known === undefined || knownOf(plan.known, name) !== undefined
  const place = {
    field: plan.fields.get(name),
    unknown: isKnown ? undefined : plan.prefix + shown(name),
  }
  if (key >= 0) plan.places[key] = place
  return place
}

const nameAt = (page: Skimmed, at: number): string =>
  unquoted(textOf(page, at, skipString(page.bytes, at)))

/** Reads the value of a member into `sent`; false where something is wrong or unusual. */
function readField(reading: Reading, field: Field, member: number): boolean {
  const { page, sent } = reading
  const { tape } = page.members
  const at = valueOf(tape, member)
  const end = valueEndOf(tape, member)
  if (field.plain !== undefined) {
    const plain = field.plain(page, at, end)
    if (plain !== undefined) {
      sent[field.place] = plain
      return true
    }
  }
  if (isNothing(page, member)) return readNothing(reading, field)
  const code = byteAt(page.bytes, at)
  if (field.plan !== undefined) {
    return code === OPENING_BRACE ? readInner(reading, field.plan, member) : field.bit === 0
  }
  if (code === OPENING_BRACE || code === OPENING_BRACKET || field.read === undefined) return false
  return readValue(reading, field, { at, end })
}

function readValue(reading: Reading, field: Field, place: { at: number; end: number }): boolean {
  const { read, unknown } = readScalar(reading.page, field, place)
  if (field.place >= 0) reading.sent[field.place] = read
  if (unknown.length > 0) (reading.found ??= []).push(...unknown)
  return !isWrong(read)
}

/** Null, an empty text, or an object without members. */
function isNothing({ bytes, members: { tape } }: Skimmed, member: number): boolean {
  const at = valueOf(tape, member)
  const code = byteAt(bytes, at)
  if (code === QUOTE) return valueEndOf(tape, member) === at + 2
  return code === LETTER_N || (code === OPENING_BRACE && nextOf(tape, member) === member + 4)
}

/** Of a value that holds nothing there is nothing to read; it is counted where the schema has the field. */
function readNothing(reading: Reading, { bit, isRequired, path }: Field): boolean {
  if (bit !== 0) (reading.found ??= []).push(emptyName(path))
  return !isRequired
}

/** Reads the object that is the value of a member. */
function readInner(reading: Reading, plan: Plan, member: number): boolean {
  const { last } = reading
  reading.last = nextOf(reading.page.members.tape, member)
  const isRead = readObject(reading, plan, member + 4)
  reading.last = last
  return isRead
}

function readScalar(
  page: Skimmed,
  { read, values, words, path }: Field,
  { at, end }: { at: number; end: number },
): Pick<Value, 'read' | 'unknown'> {
  const remembered = values && valueThat(values, page.view, { at, end })
  if (remembered !== undefined) return remembered
  const scalar = scalarOf(page, at, end)
  const value = {
    read: read?.(scalar),
    unknown: words === undefined ? NONE : unknownWords(words, path, scalar),
  }
  if (values !== undefined && values.length < MAX_VALUES && end - at <= MAX_VALUE_BYTES) {
    values.push({ written: writtenAt(page.view, at, end), ...value })
  }
  return value
}

/** The value that was written like what stands here. */
function valueThat(
  values: readonly Value[],
  bytes: DataView,
  { at, end }: { at: number; end: number },
): Value | undefined {
  for (const value of values) {
    if (value.written.length === end - at && stands(bytes, at, value.written)) return value
  }
  return undefined
}

/** A string, a number, true or false. */
function scalarOf(page: Skimmed, from: number, to: number): unknown {
  switch (byteAt(page.bytes, from)) {
    case QUOTE: {
      const inner = textOf(page, from + 1, to - 1)
      return inner.includes('\\') ? unquoted(textOf(page, from, to)) : inner
    }
    case LETTER_T:
      return true
    case LETTER_F:
      return false
    default:
      return new JsonNumber(page.latin1.slice(from, to))
  }
}
