/**
 * Reads records from the bytes of their page, without parsing them. A record that is wrong or unusual is left to
 * readParsed.
 */
import { assert } from '../../domain/failure.ts'
import { matchesAt, patternAt, type BytePattern } from '../json/byte-pattern.ts'
import { JsonNumber, unquoted } from '../json/json.ts'
import { keyByNumber } from '../json/known-keys.ts'
import { keyOf, nextOf, valueEndOf, valueOf } from '../json/member-tape.ts'
import { byteAt, skipString, textOf, type ScannedPage } from '../json/scan.ts'
import type { SentRecord } from '../json/sent-record.ts'
import type { ByteCheck } from './byte-fields.ts'
import { isWrong, type Check } from './field-checks.ts'
import { KINDS } from './field-kinds.ts'
import type { FieldRule, ObjectRule } from './record-rules.ts'
import { emptyName, shown, unknownWords } from './unknown-fields.ts'

const QUOTE = 0x22
const OPENING_BRACKET = 0x5b
const LETTER_F = 0x66
const LETTER_N = 0x6e
const LETTER_T = 0x74
const OPENING_BRACE = 0x7b
const MAX_FIELDS = 31
/** The most values of one field that are remembered, and the longest. */
const MAX_VALUES = 8
const MAX_VALUE_BYTES = 40
const NONE: readonly string[] = []

/** The rules of one object, prepared for reading bytes. */
interface Plan {
  rule: ObjectRule
  fields: ReadonlyMap<string, Field>
  /** The bits of all required fields. */
  required: number
  /** The plan of each known JSON key, at the index of the key's number. */
  keys: (KeyPlan | undefined)[]
}

interface Field extends FieldRule {
  /** A bit of its own among the fields of its object. */
  bit: number
  /** Undefined for a nested object. */
  check: Check | undefined
  byteCheck: ByteCheck | undefined
  /** Values that were read before. Undefined for a field whose values rarely repeat. */
  values: Value[] | undefined
  /** The plan of a nested object. */
  plan: Plan | undefined
}

/** A value that was read before. */
interface Value {
  pattern: BytePattern
  checked: unknown
  /** The words in it that the interface does not list. */
  unknown: readonly string[]
}

interface KeyPlan {
  /** Undefined for a name that is not read. */
  field: Field | undefined
  /** The name to count as unknown. Undefined for a name that the interface has. */
  unknown: string | undefined
}

export interface FastRead {
  /** The values by the index of their field, null for an absent one. They are valid until the next record is read. */
  values: readonly unknown[]
  /** Names and words that the interface does not have, and fields that are empty. Each stands once, in order. */
  unknown: readonly string[]
}

/** A record while it is read. */
interface Reading {
  page: ScannedPage
  values: unknown[]
  /** The members of the current object end before this one. */
  last: number
  unknown: string[] | undefined
}

/** Makes a reader of records by these rules. The reader returns undefined for a record that readParsed must judge. */
export function compileFastRead(rules: ObjectRule) {
  const plan = planOf(rules)
  const values: unknown[] = Array.from({ length: countOf(rules) }, () => null)
  return ({ page, from, first, last }: SentRecord): FastRead | undefined => {
    // A released page has no members any more.
    if (byteAt(page.bytes, from) !== OPENING_BRACE || last > page.members.size) return undefined
    values.fill(null)
    const reading: Reading = { page, values, last, unknown: undefined }
    if (!readObject(reading, plan, first)) return undefined
    return { values, unknown: sortedOnce(reading) }
  }
}

const sortedOnce = ({ unknown }: Reading): readonly string[] =>
  unknown === undefined ? NONE : [...new Set(unknown)].toSorted()

/** The number of fields that have a value. */
const countOf = ({ fields }: ObjectRule): number =>
  [...fields.values()].reduce(
    (count, { kind, inner }) => count + (kind === undefined ? 0 : 1) + (inner ? countOf(inner) : 0),
    0,
  )

function planOf(rule: ObjectRule): Plan {
  const read = [...rule.fields.values()].filter(
    ({ kind, inner }) => kind !== undefined || inner !== undefined,
  )
  assert(read.length <= MAX_FIELDS, 'more fields than bits')
  const fields = read.map((field, n) => fieldOf(field, 1 << n))
  return {
    rule,
    fields: new Map(fields.map((field) => [field.name, field])),
    required: fields.reduce((bits, { bit, isRequired }) => (isRequired ? bits | bit : bits), 0),
    keys: [],
  }
}

function fieldOf(rule: FieldRule, bit: number): Field {
  const kind = rule.kind === undefined ? undefined : KINDS[rule.kind]
  const isRepeating = kind?.repeats === true || rule.words !== undefined
  return {
    ...rule,
    bit,
    check: kind?.check,
    byteCheck: kind?.bytes?.(),
    values: isRepeating ? [] : undefined,
    plan: rule.inner && planOf(rule.inner),
  }
}

/** Reads the object whose first member is `first`. Returns false if anything is wrong or unusual. */
function readObject(reading: Reading, plan: Plan, first: number): boolean {
  const { cells } = reading.page.members
  const { last } = reading
  let seen = 0
  for (let member = first; member < last; member = nextOf(cells, member)) {
    const key = keyOf(cells, member)
    const planned = key < 0 ? undefined : plan.keys[key]
    const { field, unknown } = planned ?? planKey(reading.page, plan, key)
    if (unknown !== undefined) (reading.unknown ??= []).push(unknown)
    if (field === undefined) continue
    // The name occurs twice. Only the parser can find out whether both values are the same.
    if ((seen & field.bit) !== 0) return false
    seen |= field.bit
    if (!readField(reading, field, member)) return false
  }
  return (seen & plan.required) === plan.required
}

/** Finds the field of a key that is new to the plan, or that has no number. */
function planKey(page: ScannedPage, { rule, fields, keys }: Plan, key: number): KeyPlan {
  const name = key < 0 ? nameAt(page, ~key) : keyByNumber(key).name
  const known = rule.fields.get(name)
  const isUnknown = known === undefined ? !rule.isPersonal : !known.isKnown
  const planned = {
    field: fields.get(name),
    unknown: isUnknown ? rule.prefix + shown(name) : undefined,
  }
  if (key >= 0) keys[key] = planned
  return planned
}

const nameAt = (page: ScannedPage, at: number): string =>
  unquoted(textOf(page, at, skipString(page.bytes, at)))

/** Reads the value of a member. Returns false if it is wrong or unusual. */
function readField(reading: Reading, field: Field, member: number): boolean {
  const { page, values } = reading
  const { cells } = page.members
  const at = valueOf(cells, member)
  const end = valueEndOf(cells, member)
  if (field.byteCheck !== undefined) {
    const checked = field.byteCheck(page, at, end)
    if (checked !== undefined) {
      values[field.index] = checked
      return true
    }
  }
  if (isEmpty(page, member)) {
    ;(reading.unknown ??= []).push(emptyName(field.path))
    return !field.isRequired
  }
  const code = byteAt(page.bytes, at)
  if (field.plan !== undefined) {
    return code === OPENING_BRACE && readInner(reading, field.plan, member)
  }
  if (code === OPENING_BRACE || code === OPENING_BRACKET) return false
  const { checked, unknown } = readScalar(page, field, { at, end })
  values[field.index] = checked
  if (unknown.length > 0) (reading.unknown ??= []).push(...unknown)
  return !isWrong(checked)
}

/** True if the value is null, an empty text or an empty object. */
function isEmpty({ bytes, members: { cells } }: ScannedPage, member: number): boolean {
  const at = valueOf(cells, member)
  const code = byteAt(bytes, at)
  if (code === QUOTE) return valueEndOf(cells, member) === at + 2
  return code === LETTER_N || (code === OPENING_BRACE && nextOf(cells, member) === member + 4)
}

/** Reads the object that is the value of a member. */
function readInner(reading: Reading, plan: Plan, member: number): boolean {
  const { last } = reading
  reading.last = nextOf(reading.page.members.cells, member)
  const isRead = readObject(reading, plan, member + 4)
  reading.last = last
  return isRead
}

function readScalar(
  page: ScannedPage,
  { check, values, words, path }: Field,
  { at, end }: { at: number; end: number },
): Pick<Value, 'checked' | 'unknown'> {
  const remembered = values && valueAt(values, page.view, { at, end })
  if (remembered !== undefined) return remembered
  const scalar = scalarAt(page, at, end)
  const value = {
    checked: check?.(scalar),
    unknown: words === undefined ? NONE : unknownWords(words, path, scalar),
  }
  if (values !== undefined && values.length < MAX_VALUES && end - at <= MAX_VALUE_BYTES) {
    values.push({ pattern: patternAt(page.view, at, end), ...value })
  }
  return value
}

/** Returns the remembered value with the same bytes. */
function valueAt(
  values: readonly Value[],
  bytes: DataView,
  { at, end }: { at: number; end: number },
): Value | undefined {
  for (const value of values) {
    if (value.pattern.length === end - at && matchesAt(bytes, at, value.pattern)) return value
  }
  return undefined
}

/** Returns a string, a number, true or false. */
function scalarAt(page: ScannedPage, from: number, to: number): unknown {
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
