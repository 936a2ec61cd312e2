/** What the service sends beyond the interface as it is known: counted by name, never with a value. */
import type { List } from '../../domain/run.ts'
import { holdsNothing, type ObjectRule } from './fields.ts'
import { isJsonObject } from '../json/json.ts'
import { areWords, KNOWN, knownOf, type Fields, type Known } from './known-names.ts'

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/
/** The service writes its words in capitals; what is written otherwise may be somebody's name. */
const WORD = /^[A-Z][A-Z0-9_]{0,39}$/
const UNPRINTABLE = '(unprintable)'
const MAX_NAMES = 50
const OTHERS = '(others)'
/** Stands for the value of a field that is there and holds nothing. */
const EMPTY = '(empty)'

/**
 * In how many records each name was met: `newField`, `surcharge.newField`, or `status=NEW_VALUE`. At most 50 names are
 * told apart, the rest count as `(others)`; a name that is no plain word, and a value that is none in capitals, count as
 * `(unprintable)`. `billing=(empty)` is an optional field that holds nothing. Plain JSON.
 */
export type Drift = Record<string, number>

/** The names in one record, as parsed, that the interface doesn't know: each once, sorted. */
export function unknownNames(list: List, raw: unknown): readonly string[] {
  const found = new Set<string>()
  if (isJsonObject(raw)) gather(found, raw, { known: KNOWN[list], prefix: '' })
  return [...found].toSorted()
}

/** The name under which an optional field that holds nothing is counted. */
export const emptyName = (path: string) => `${path}=${EMPTY}`

/** Whether a counted name is one that the interface doesn't know, and no field that holds nothing. */
export const isUnknown = (name: string) => !name.endsWith(emptyName(''))

/** The optional fields of a record, as parsed, that are there and hold nothing: each once. */
export function emptyNames({ fields }: ObjectRule, raw: unknown, prefix = ''): string[] {
  if (!isJsonObject(raw)) return []
  return Object.entries(fields).flatMap(([name, rule]) => {
    if (!Object.hasOwn(raw, name) || ('isRequired' in rule && rule.isRequired)) return []
    if (holdsNothing(raw[name])) return [emptyName(prefix + name)]
    return 'fields' in rule ? emptyNames(rule, raw[name], `${prefix}${name}.`) : []
  })
}

/** Of these names those of fields: in a record that can't be read a value may be anything. */
export const fieldNames = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !name.includes('='))

/** The count with what these records held beyond the known interface. */
export function countNames(
  before: Drift,
  records: readonly { unknown?: readonly string[] }[],
): Drift {
  const names = records.flatMap(({ unknown = [] }) => unknown)
  if (names.length === 0) return before
  const drift = { ...before }
  for (const name of names) count(drift, name)
  return drift
}

function gather(
  found: Set<string>,
  raw: Record<string, unknown>,
  { known, prefix }: { known: Fields; prefix: string },
): void {
  for (const [key, value] of Object.entries(raw)) {
    const field = knownOf(known, key)
    if (field === undefined) found.add(prefix + shown(key))
    else gatherIn(found, value, { known: field, path: prefix + key })
  }
}

function gatherIn(
  found: Set<string>,
  value: unknown,
  { known, path }: { known: Known; path: string },
): void {
  if (known === true) return
  if (areWords(known)) {
    for (const name of unknownWords(known, path, value)) found.add(name)
  } else if (isJsonObject(value)) gather(found, value, { known, prefix: `${path}.` })
}

/** The words in a field, or in its array, that are none of the known ones, as `field=WORD`. */
export function unknownWords(known: readonly string[], path: string, value: unknown): string[] {
  return [value].flat().flatMap((word) => {
    const isNew = typeof word === 'string' && word !== '' && !known.includes(word)
    return isNew ? [`${path}=${WORD.test(word) ? word : UNPRINTABLE}`] : []
  })
}

/** A name as it may be shown: one that is no plain word may be anything, somebody's data too. */
export const shown = (name: string) => (NAME.test(name) ? name : UNPRINTABLE)

function count(drift: Drift, name: string): void {
  // Names come from outside: `constructor` is one that every object has.
  const isKnown = Object.hasOwn(drift, name) || !isUnknown(name)
  const counted = isKnown || Object.keys(drift).length < MAX_NAMES ? name : OTHERS
  drift[counted] = (Object.hasOwn(drift, counted) ? (drift[counted] ?? 0) : 0) + 1
}
