/** Reads valid records straight from the text of their page, by the rules of their schema. */
import type { z } from 'zod'
import { JsonNumber } from './json.ts'
import { assert } from '../domain/failure.ts'
import { isWrong, ruleOf, type ObjectRule, type Rule } from './fields.ts'
import type { SentRecord } from './sent-record.ts'
import { keyOf, nextOf, valueEndOf, valueOf } from './members.ts'
import { byteAt, isWord, type Skimmed, skipString, textOf } from './skim.ts'

type Sent = Record<string, unknown>

const QUOTE = 0x22
const OPENING_BRACKET = 0x5b
const LETTER_F = 0x66
const LETTER_N = 0x6e
const LETTER_T = 0x74
const OPENING_BRACE = 0x7b
const MAX_REMEMBERED = 100
const MAX_FIELDS = 31

/** One object of the schema, compiled. */
interface Plan {
  /** What an object without any field comes to. */
  empty: Sent
  places: ReadonlyMap<string, number>
  fields: readonly Field[]
  /** A bit for each field that has to be there. */
  required: number
  /** The fields of the record before, in their order: the next one has the same, mostly. */
  order: Remembered[]
}

interface Field {
  name: string
  isRequired: boolean
  read: ((value: unknown) => unknown) | undefined
  plan: Plan | undefined
}

interface Remembered {
  /** The key as it was written, with its quotes. */
  written: Uint8Array
  place: number
}

/**
 * A reader that gives what the schema gives for a record, or undefined: then the schema has to judge it. The schema is
 * one that `record` made.
 */
export function compileFastRead<S extends z.ZodType>(schema: S) {
  const rule = ruleOf(schema)
  assert('fields' in rule, 'a schema of no object')
  const plan = planOf(rule)
  return ({ page, from, first, last }: SentRecord): z.infer<S> | undefined => {
    if (byteAt(page.bytes, from) !== OPENING_BRACE) return undefined
    return readObject(page, plan, { first, last }) as z.infer<S> | undefined
  }
}

function planOf(rule: ObjectRule): Plan {
  const fields = Object.entries(rule.fields).map(([name, inner]) => fieldOf(name, inner))
  assert(fields.length <= MAX_FIELDS, 'more fields than bits')
  return {
    empty: Object.fromEntries(fields.map(({ name, plan }) => [name, plan?.empty ?? null])),
    places: new Map(fields.map(({ name }, place) => [name, place])),
    fields,
    required: fields.reduce((bits, field, place) => bits | (Number(field.isRequired) << place), 0),
    order: [],
  }
}

const fieldOf = (name: string, rule: Rule): Field =>
  'fields' in rule
    ? { name, isRequired: false, read: undefined, plan: planOf(rule) }
    : { name, isRequired: rule.isRequired, read: rule.read, plan: undefined }

/** Reads the object that has these members; undefined where not all is as it should be. */
function readObject(
  page: Skimmed,
  plan: Plan,
  { first, last }: { first: number; last: number },
): Sent | undefined {
  const { tape } = page.members
  const sent = { ...plan.empty }
  let seen = 0
  let ordinal = 0
  for (let member = first; member < last; member = nextOf(tape, member)) {
    const place = placeOf(page, plan, { key: keyOf(tape, member), ordinal })
    ordinal += 1
    if (place < 0) continue
    // The second of a name: only the parser tells whether both say the same.
    if ((seen & (1 << place)) !== 0) return undefined
    seen |= 1 << place
    const field = plan.fields[place]
    if (field === undefined || !readField(page, { member, field, sent })) return undefined
  }
  return (seen & plan.required) === plan.required ? sent : undefined
}

/** The place of the field with the name that begins at `key`; -1 for one that nobody reads. */
function placeOf(
  page: Skimmed,
  plan: Plan,
  { key, ordinal }: { key: number; ordinal: number },
): number {
  const { bytes } = page
  const likely = plan.order[ordinal]
  if (likely !== undefined && isWord(bytes, key, likely.written)) return likely.place
  const end = skipString(bytes, key)
  const place = plan.places.get(unquoted(textOf(page, key, end))) ?? -1
  if (ordinal < MAX_REMEMBERED && end - key < MAX_REMEMBERED) {
    plan.order[ordinal] = { written: Buffer.from(bytes.subarray(key, end)), place }
  }
  return place
}

/** Reads the value of a member into `sent`; false where something is wrong or unusual. */
function readField(
  page: Skimmed,
  { member, field, sent }: { member: number; field: Field; sent: Sent },
): boolean {
  const { bytes } = page
  const { tape } = page.members
  const at = valueOf(tape, member)
  const code = byteAt(bytes, at)
  if (code === LETTER_N) return !field.isRequired
  if (field.plan !== undefined) {
    if (code !== OPENING_BRACE) return false
    const inner = readObject(page, field.plan, { first: member + 4, last: nextOf(tape, member) })
    sent[field.name] = inner
    return inner !== undefined
  }
  if (code === OPENING_BRACE || code === OPENING_BRACKET || field.read === undefined) return false
  const value = field.read(readScalar(page, at, valueEndOf(tape, member)))
  sent[field.name] = value
  return !isWrong(value)
}

/** A string, a number, true or false. */
function readScalar(page: Skimmed, from: number, to: number): unknown {
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

const unquoted = (written: string): string => String(JSON.parse(written))
