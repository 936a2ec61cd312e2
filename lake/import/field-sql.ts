/**
 * The checks of single fields as SQL. Each gives the typed value, and whether the value is clean. A clean value is
 * certainly the one that the reader of the service's records would give. The reader itself judges each record with
 * another value.
 */
import { AMOUNT_PATTERN } from '../../domain/cents.ts'
import type { ImportReading } from '../../domain/import.ts'
import type { FieldKind } from '../../domain/record-fields.ts'
import { quoted } from '../connection/sql-literal.ts'

export interface FieldSql {
  /** The value in the column's type; null if it can't be cast. */
  value: string
  /** True or false, never null. */
  clean: string
  /** The text of the field, for a record that is judged one by one. */
  text: string
}

export interface FieldRules {
  kind: FieldKind
  required: boolean
  amounts: ImportReading['amounts']
}

/** Thirteen digits in a row or in groups may be a card number. */
const CARD = '[0-9](?:[ -]{0,3}[0-9]){12}'
/**
 * Letters whose lower case and normal form are the same in DuckDB and JavaScript. These are printable ASCII, the
 * letters of Latin-1, and most of Latin Extended-A. Its ligatures, the dotted I and the long s are excluded.
 */
const PLAIN_LETTERS = String.raw` -~\x{c0}-\x{d6}\x{d8}-\x{f6}\x{f8}-\x{12f}\x{134}-\x{13e}\x{141}-\x{148}\x{14a}-\x{17e}`
const WORD = '[!-*,./0-9:;<>?A-~][ -~]{0,63}'
const TIME = String.raw`(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]`
const INSTANT = String.raw`[0-9]{4}-[0-9]{2}-[0-9]{2}T${TIME}(?:\.[0-9]{1,9})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])`
const LONGEST_CLEAN = 1000

const matches = (x: string, pattern: string) => `regexp_full_match(${x}, ${quoted(pattern)})`
const hasNoCard = (x: string) => `(length(${x}) < 13 or not regexp_matches(${x}, ${quoted(CARD)}))`
const cast = (x: string, type: string) => `try_cast(${x} as ${type})`
const unlessEmpty = (x: string) => `nullif(${x}, '')`

/** Cents of decimal text of at most two decimals, which a pattern has checked. */
const centsOf = (x: string) => cast(`${cast(x, 'decimal(15, 2)')} * 100`, 'bigint')

/** Tests for an instant well within the accepted years. Those at the limits are judged one by one. */
export const isUsualInstant = (value: string) =>
  `coalesce(${value} >= timestamp '1970-01-02' and ${value} < timestamp '2199-12-31', false)`

export interface Rule {
  value: string
  condition: string
}

const id = (x: string): Rule => ({
  value: cast(x, 'bigint'),
  condition: `${matches(x, '[1-9][0-9]{0,18}')} and ${cast(x, 'bigint')} is not null`,
})

const words = (x: string, pattern: string): Rule => ({
  value: unlessEmpty(x),
  condition: `${matches(x, pattern)} and ${hasNoCard(x)}`,
})

const TEXT_RULES: Record<Exclude<FieldKind, 'amount' | 'net'>, (x: string) => Rule> = {
  id,
  looseId: id,
  instant: (x) => {
    // The lake stores microseconds. Further digits are cut off, not rounded.
    const value = `${cast(`regexp_replace(${x}, '(\\.[0-9]{6})[0-9]+', '\\1')`, 'timestamptz')}::timestamp`
    return { value, condition: `${matches(x, INSTANT)} and ${isUsualInstant(value)}` }
  },
  flag: (x) => ({ value: `${x} = 'true'`, condition: `${x} in ('true', 'false')` }),
  percentage: (x) => ({
    value: cast(x, 'decimal(9, 4)'),
    condition: matches(x, String.raw`[0-9]{1,5}(?:\.[0-9]{1,4})?`),
  }),
  word: (x) => words(x, WORD),
  optionalWord: (x) => words(x, `(?:${WORD})?`),
  text: (x) => ({
    value: `substr(${unlessEmpty(x)}, 1, 64)`,
    condition: `length(${x}) <= ${LONGEST_CLEAN} and ${matches(x, `[${PLAIN_LETTERS}]*`)} and ${hasNoCard(x)}`,
  }),
  lastFour: (x) => ({
    value: `right(${x}, 4)`,
    condition: matches(x, '[ -/:-~]{0,15}[0-9]{4}'),
  }),
  personal: (x) => ({
    value: x,
    condition: `length(${x}) <= ${LONGEST_CLEAN} and ${matches(x, `[${PLAIN_LETTERS}]*`)}`,
  }),
}

/** Checks money written as text: two decimals, or whole cents if the export counts in cents. */
function moneyText(x: string, { kind, amounts }: FieldRules): Rule {
  const sign = kind === 'net' ? '-?' : ''
  if (amounts === 'cents') {
    return { value: cast(x, 'bigint'), condition: matches(x, `${sign}[0-9]{1,15}`) }
  }
  const pattern = kind === 'net' ? String.raw`-?[0-9]{1,13}(?:\.[0-9]{1,2})?` : AMOUNT_PATTERN
  return { value: centsOf(x), condition: matches(x, pattern) }
}

/**
 * Checks money written as a JSON number. The text may end before the second decimal, and a long one may have been
 * rounded.
 */
function moneyNumber(x: string, rules: FieldRules): Rule {
  if (rules.amounts === 'cents') return moneyText(x, rules)
  const sign = rules.kind === 'net' ? '-?' : ''
  const pattern = String.raw`[0-9]{1,6}(?:\.[0-9]{1,2})?`
  return { value: centsOf(x), condition: matches(x, `${sign}${pattern}`) }
}

const isMoney = (kind: FieldKind): kind is 'amount' | 'net' => kind === 'amount' || kind === 'net'

const ruleOf = (x: string, rules: FieldRules): Rule =>
  isMoney(rules.kind) ? moneyText(x, rules) : TEXT_RULES[rules.kind](x)

/** Checks a field that is text, as in CSV. Null counts as absent. */
export function fromText(x: string, rules: FieldRules): FieldSql {
  const { value, condition } = ruleOf(x, rules)
  return {
    value,
    clean: `case when ${x} is null then ${!rules.required} else ${condition} end`,
    text: x,
  }
}

/** The JSON types that a field may have. Programs write numbers in quotes, and ids without them. */
const NUMBERS = "'UBIGINT', 'BIGINT', 'DOUBLE', 'VARCHAR'"
const JSON_TYPES: Record<FieldKind, string> = {
  amount: NUMBERS,
  flag: "'BOOLEAN', 'VARCHAR'",
  id: "'UBIGINT', 'BIGINT', 'VARCHAR'",
  instant: "'VARCHAR'",
  lastFour: "'VARCHAR'",
  looseId: "'UBIGINT', 'BIGINT', 'VARCHAR'",
  net: NUMBERS,
  optionalWord: "'VARCHAR'",
  // The type BIGINT is missing, because DuckDB uses it for negative integers; -0 is one of them.
  percentage: "'UBIGINT', 'DOUBLE', 'VARCHAR'",
  personal: "'VARCHAR'",
  text: "'VARCHAR'",
  word: "'VARCHAR'",
}

/** Checks a field of JSON, given its text and its type. */
export function fromJson(x: string, type: string, rules: FieldRules): FieldSql {
  const text = ruleOf(x, rules)
  const number = isMoney(rules.kind) ? moneyNumber(x, rules) : undefined
  const pick = (ofText: string, ofNumber: string | undefined) =>
    ofNumber === undefined || ofNumber === ofText
      ? ofText
      : `case when ${type} = 'VARCHAR' then ${ofText} else ${ofNumber} end`
  return {
    value: pick(text.value, number?.value),
    clean: `case when coalesce(${type}, 'NULL') = 'NULL' or (${x} is null and ${type} = 'VARCHAR') then ${!rules.required}
      else ${type} in (${JSON_TYPES[rules.kind]}) and ${pick(text.condition, number?.condition)} end`,
    text: x,
  }
}
