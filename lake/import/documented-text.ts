/**
 * Returns SQL that converts a field's text to the form of the service's description, by one rule for all file formats.
 * A text that can't be converted stays unchanged, so that the reader of records refuses it and shows it.
 */
import type { ImportReading } from '../../domain/import.ts'
import type { FieldKind } from '../../domain/record-fields.ts'
import { quoted } from '../connection/sql-literal.ts'

/** The words that the interface knows in one spelling, by field. */
export type Spellings = Readonly<Record<string, readonly string[]>>

export interface TextRules {
  field: string
  kind: FieldKind
  reading: ImportReading
  spellings: Spellings
  /** The action of the record as SQL, in the interface's spelling. */
  action: string
}

type Reword = (x: string, rules: TextRules) => string

const BY_KIND: Partial<Record<FieldKind, Reword>> = {
  id: wholeText,
  looseId: wholeText,
  amount: moneyText,
  net: moneyText,
  percentage: percentageText,
  instant: instantText,
  flag: flagText,
  lastFour: lastFourText,
}

/** Converts `x`, a text of the file. Null counts as absent, and so do blanks, except in free text. */
export function documentedText(x: string, rules: TextRules): string {
  const { kind, field, reading, spellings } = rules
  if (kind === 'text' || kind === 'personal') return x
  const bare = `nullif(trim(${x}, ${quoted(BLANKS)}), '')`
  const meant = withWords(bare, reading.words[field] ?? {})
  return BY_KIND[kind]?.(meant, rules) ?? spelled(meant, spellings[field] ?? [])
}

/** Converts `x`, the text of a number in the file. The settings for decimal and other marks do not apply to it. */
export function documentedNumber(x: string, rules: TextRules): string {
  const { kind, reading } = rules
  if (kind !== 'amount')
    return kind === 'net' || kind === 'percentage' ? x : documentedText(x, rules)
  if (!reading.negativeRefunds) return x
  const amounts = reading.amounts === 'cents' ? 'cents' : 'number'
  const plain = { decimalMark: '.', thousandsMark: '', currencyMarks: [], amounts } as const
  return documentedText(x, { ...rules, reading: { ...reading, ...plain } })
}

/** Every kind of blank that programs put beside or into a number. */
const BLANKS = ' \t\u00a0\u2009\u202f'
const BLANK = String.raw`[ \t\x{a0}\x{2009}\x{202f}]`

const cases = (x: string, pairs: readonly (readonly [string, string])[], other: string) =>
  pairs.length === 0
    ? other
    : `case ${x} ${pairs.map(([from, to]) => `when ${quoted(from)} then ${quoted(to)}`).join(' ')} else ${other} end`

const withWords = (x: string, words: Readonly<Record<string, string>>) =>
  cases(
    `lower(${x})`,
    Object.entries(words).map(([word, meant]) => [word.trim().toLowerCase(), meant] as const),
    x,
  )

const spelled = (x: string, known: readonly string[]) =>
  known.length === 0
    ? x
    : `case when upper(${x}) in (${known.map(quoted).join(', ')}) then upper(${x}) else ${x} end`

/** Restores a whole number that a program stored as a decimal, for example to represent missing values. */
function wholeText(x: string): string {
  return `case when contains(${x}, '.') then regexp_replace(${x}, '^([0-9]+)[.]0+$', '\\1') else ${x} end`
}

/** Restores leading zeros that a program dropped because it stored the digits as a number. */
function lastFourText(x: string): string {
  const whole = wholeText(x)
  return `case when length(${whole}) < 4 and regexp_full_match(${whole}, '[0-9]{1,3}') then lpad(${whole}, 4, '0') else ${whole} end`
}

const FLAGS = [
  ...['true', 't', '1', 'yes', 'y'].map((word) => [word, 'true'] as const),
  ...['false', 'f', '0', 'no', 'n'].map((word) => [word, 'false'] as const),
]

/** Converts the words that programs use for true and false. */
function flagText(x: string): string {
  return cases(`lower(${x})`, FLAGS, x)
}

function percentageText(x: string, { reading }: TextRules): string {
  const number = `regexp_replace(${x}, '${BLANK}*%$', '')`
  return reading.decimalMark === '.' ? number : `replace(${number}, ',', '.')`
}

const literal = (text: string) => text.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`)

/** Returns the parts of an amount as patterns, according to the settings for marks. */
function moneyPatterns({ amounts, decimalMark, thousandsMark, currencyMarks }: ImportReading) {
  const marks = currencyMarks.length === 0 ? '' : `(?:${currencyMarks.map(literal).join('|')})?`
  const blanks = `${BLANK}*${marks}${BLANK}*`
  const group = thousandsMark.trim() === '' ? BLANK : `[${thousandsMark}]`
  const whole =
    thousandsMark === '' ? '[0-9]{1,13}' : `(?:[0-9]{1,13}|[0-9]{1,3}(?:${group}[0-9]{3})+)`
  const decimals = { decimal: '[0-9]{2}', number: '[0-9]{1,2}', cents: '' }[amounts]
  const mark = literal(decimalMark)
  const part = { decimal: `${mark}${decimals}`, number: `(?:${mark}${decimals})?`, cents: '' }
  const number = `${whole}${part[amounts]}`
  const minus = String.raw`[-\x{2212}]`
  return {
    whole: `(?i)(?:${blanks}(?:${minus}|[+])?${blanks}${number}${blanks}|${blanks}${number}${blanks}${minus}${blanks}|${blanks}[(]${blanks}${number}${blanks}[)]${blanks})`,
    decimals: amounts === 'cents' ? undefined : `${mark}(${decimals})[^0-9]*$`,
    negative: String.raw`[-\x{2212}(]`,
  }
}

const isPlain = ({ amounts, ...reading }: ImportReading) =>
  amounts !== 'number' &&
  reading.decimalMark === '.' &&
  reading.thousandsMark === '' &&
  reading.currencyMarks.length === 0 &&
  !reading.negativeRefunds

function moneyText(x: string, { kind, reading, action }: TextRules): string {
  const { whole, decimals, negative } = moneyPatterns(reading)
  const isUnusual = isPlain(reading)
    ? `regexp_matches(${x}, '[^0-9.]') and regexp_full_match(${x}, ${quoted(whole)})`
    : `regexp_full_match(${x}, ${quoted(whole)})`
  const digits = `regexp_replace(${x}, '[^0-9]', '', 'g')`
  const fraction = decimals === undefined ? "''" : `regexp_extract(${x}, ${quoted(decimals)}, 1)`
  const number =
    decimals === undefined
      ? digits
      : `left(${digits}, length(${digits}) - length(${fraction})) || '.' || rpad(${fraction}, 2, '0')`
  const minus = `case when regexp_matches(${x}, ${quoted(negative)}) then '-' else '' end`
  const sign =
    kind === 'amount' && reading.negativeRefunds
      ? `case when ${action} <> 'REFUND' then ${minus} when ${minus} = '-' or ${digits} ~ '0+' then '' else '+' end`
      : minus
  return `case when ${isUnusual} then ${sign} || ${number} else ${x} end`
}

/** Accepts a space instead of the T, and an offset without minutes. */
function instantText(x: string, { reading }: TextRules): string {
  const usual = `case when ${x} like '____-__-__ %' then regexp_replace(regexp_replace(${x}, '^(.{10}) ', '\\1T'), '([+-][0-9]{2})$', '\\1:00') else ${x} end`
  return reading.dates === undefined ? usual : localTime(x, reading.dates, usual)
}

/** Converts a local time that occurs once in the zone. A time that the clocks skip or repeat stays unchanged. */
function localTime(x: string, dates: { pattern: string; zone: string }, other: string): string {
  const local = `try_strptime(${x}, ${quoted(strptimeOf(dates.pattern))})`
  const zone = quoted(dates.zone)
  const at = `(${local} at time zone ${zone})`
  const asUtc = `(${local} at time zone 'UTC')`
  // Clocks don't change twice within two days, so that each instant has the offset of a day before or after.
  const possible = (away: string) =>
    `(${asUtc} - ((${asUtc} ${away}) at time zone ${zone} - (${local} ${away})))`
  const isOnce = ["- interval '24 hours'", "+ interval '24 hours'"]
    .map(possible)
    .map((other) => `(${other} = ${at} or ${other} at time zone ${zone} <> ${local})`)
    .join(' and ')
  return `case when ${at} at time zone ${zone} = ${local} and ${isOnce}
    then strftime(${at} at time zone 'UTC', '%Y-%m-%dT%H:%M:%S.%fZ') else ${other} end`
}

const TOKENS: Readonly<Record<string, string>> = {
  YYYY: '%Y',
  YY: '%y',
  MMM: '%b',
  MM: '%m',
  M: '%m',
  DD: '%d',
  D: '%d',
  HH: '%H',
  H: '%H',
  hh: '%I',
  h: '%I',
  mm: '%M',
  ss: '%S',
  SSS: '%g',
  A: '%p',
}

/** Translates a pattern such as `DD/MM/YYYY HH:mm` to DuckDB's specifiers. */
const strptimeOf = (pattern: string): string =>
  pattern
    .replaceAll('%', '%%')
    .replaceAll(/YYYY|YY|MMM|MM|M|DD|D|HH|H|hh|h|mm|ss|SSS|A/g, (token) => TOKENS[token] ?? token)
