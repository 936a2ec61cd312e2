/**
 * Counts names and words that the service sends and the interface does not have. Only words in capitals are shown.
 */

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/
/** The service writes its words in capitals. Any other text may be a person's name. */
const WORD = /^[A-Z][A-Z0-9_]{0,39}$/
const UNPRINTABLE = '(unprintable)'
const MAX_NAMES = 50
const OTHERS = '(others)'
/** Replaces the value of an empty field. */
const EMPTY = '(empty)'

/**
 * The number of records by name: `newField`, `surcharge.newField` or `status=NEW_VALUE`. At most 50 names have a count of
 * their own, and the rest count as `(others)`. A name that is no plain word, and a value that is no word in capitals,
 * count as `(unprintable)`. `billing=(empty)` is an optional field that is empty. Plain JSON.
 */
export type NameCounts = Record<string, number>

/** The name under which an empty optional field is counted. */
export const emptyName = (path: string) => `${path}=${EMPTY}`

/** True if a counted name is unknown to the interface, and does not stand for an empty field. */
export const isUnknown = (name: string) => !name.endsWith(emptyName(''))

/** Selects the names of fields. The values of a rejected record are not counted: they may be anything. */
export const fieldNames = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !name.includes('='))

/** Adds the names of these records to the counts. */
export function countNames(
  before: NameCounts,
  records: readonly { unknown?: readonly string[] }[],
): NameCounts {
  const names = records.flatMap(({ unknown = [] }) => unknown)
  if (names.length === 0) return before
  const counts = { ...before }
  for (const name of names) count(counts, name)
  return counts
}

/** The words of a field or of its array that the interface doesn't list, as `field=WORD`. */
export function unknownWords(known: readonly string[], path: string, value: unknown): string[] {
  return [value].flat().flatMap((word) => {
    const isNew = typeof word === 'string' && word !== '' && !known.includes(word)
    return isNew ? [`${path}=${WORD.test(word) ? word : UNPRINTABLE}`] : []
  })
}

/** The name as it may be shown. A name that is no plain word may hold personal data. */
export const shown = (name: string) => (NAME.test(name) ? name : UNPRINTABLE)

function count(counts: NameCounts, name: string): void {
  // Names come from outside, and every JavaScript object has a `constructor`.
  const isKnown = Object.hasOwn(counts, name) || !isUnknown(name)
  const counted = isKnown || Object.keys(counts).length < MAX_NAMES ? name : OTHERS
  counts[counted] = (Object.hasOwn(counts, counted) ? (counts[counted] ?? 0) : 0) + 1
}
