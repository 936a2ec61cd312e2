/** Converts records of an export to the service's form, so that one reader judges both. */
import { holdsNothing, id, isWrong } from './field-checks.ts'
import { isJsonObject, JsonNumber, parseJson } from '../json/json.ts'
import { formatCents, parseNumberCents } from '../../domain/cents.ts'
import { Failure } from '../../domain/failure.ts'
import {
  importFields,
  nameOf,
  type ImportField,
  type ImportOrder,
  type ImportReading,
} from '../../domain/import.ts'
import type { FieldKind } from '../../domain/record-fields.ts'

const DIGITS = /^[0-9]{1,400}$/
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const CENTS = /^-?[0-9]{1,15}$/

/** A record of a file: its JSON and the texts of its fields, or those texts alone. `rowNo` counts from 0. */
export interface ExportedRecord {
  rowNo: number
  evidence: string
}

/** The reading of the file. */
export interface About {
  order: ImportOrder
  reading: ImportReading
  numeric: ReadonlySet<string>
  places: Readonly<Record<string, string>>
  /** The line of each record; absent if it is the record's number. */
  lines?: readonly number[]
}

/**
 * Returns a record in the service's form. A number of the service may be a text in the file, and a text may be a
 * number. Other values stay unchanged. Throws import_unreadable for a line that is no JSON.
 */
export function inServiceForm({ rowNo, evidence }: ExportedRecord, about: About): unknown {
  const record: unknown = JSON.parse(evidence)
  if (about.order.format !== 'ndjson') return fromTexts(record as Texts, about)
  const [line, texts] = record as [string, (string | null)[]]
  return fromLine(lineOf(line, about, rowNo), texts, about)
}

/** Returns the fields whose value is left out because it is no id. */
export const leftOutOf = (sent: unknown, { list }: ImportOrder): string[] =>
  importFields(list).flatMap(([field, { kind }]) => {
    if (kind !== 'looseId') return []
    const value = valueAt(sent, field.split('.'))
    return value === undefined || value === null || !isWrong(id(value)) ? [] : [field]
  })

function lineOf(line: string, { order, lines }: About, rowNo: number): unknown {
  try {
    return parseJson(line.replace(/^\ufeff/, ''))
  } catch {
    throw new Failure(
      'import_unreadable',
      `${nameOf(order)}: line ${lines?.[rowNo] ?? rowNo + 1} is not JSON`,
    )
  }
}

type Texts = Readonly<Record<string, string | null>>

/** Reads the fields of CSV and Parquet by their names; absent ones are null. */
function fromTexts(texts: Texts, { order, reading, numeric }: About): unknown {
  const sent = {}
  for (const [field, { kind }] of importFields(order.list)) {
    const text = texts[field] ?? null
    if (text === null) continue
    const value =
      numeric.has(field) && NUMBERS.includes(kind) && NUMBER.test(text)
        ? new JsonNumber(text)
        : text
    put(sent, field.split('.'), asField(kind, value, reading))
  }
  return sent
}

/** Reads a record of NDJSON. If every field has its own name, only values in another spelling change. */
function fromLine(raw: unknown, texts: readonly (string | null)[], about: About): unknown {
  const { order, reading, places } = about
  if (!isJsonObject(raw)) return raw
  const fields = importFields(order.list)
  const isMapped = fields.some(([field]) => (places[field] ?? field) !== field)
  const sent = isMapped ? {} : raw
  for (const [at, [field, rule]] of fields.entries()) {
    const place = (places[field] ?? field).split('.')
    const value = valueAt(raw, place)
    // A path into a value that is no object leads to no value of this field.
    const isField = isJsonObject(valueAt(raw, place.slice(0, -1)))
    const text = texts[at] ?? null
    const result = isField
      ? asField(rule.kind, documented(value, text, rule), reading)
      : unlessEmpty(value)
    if (result !== value || (isMapped && value !== undefined)) put(sent, field.split('.'), result)
  }
  return sent
}

/** Returns the value in the documented form, which `text` has. */
function documented(value: unknown, text: string | null, { kind, required }: ImportField): unknown {
  if (!required && holdsNothing(value)) return undefined
  if (typeof value === 'string') {
    return text ?? (required || value.trim() !== '' ? value : undefined)
  }
  return value instanceof JsonNumber ? documentedNumber(value, text, kind) : value
}

/** Takes the digits from the file, because DuckDB may have rounded its own. */
function documentedNumber(sent: JsonNumber, text: string | null, kind: FieldKind): unknown {
  if (kind === 'id' || kind === 'looseId') return wholeNumber(sent)
  if (kind === 'flag' || kind === 'lastFour') return text ?? sent
  return kind === 'amount' && text !== null ? signedAmount(sent, text) : sent
}

function wholeNumber(sent: JsonNumber): JsonNumber {
  const whole = /^([0-9]+)\.0+$/.exec(sent.text)?.[1]
  return whole === undefined ? sent : new JsonNumber(whole)
}

/** Drops a minus that only marks a refund. The text in the documented form has none. */
function signedAmount(sent: JsonNumber, text: string): unknown {
  if (text.startsWith('+')) return text
  const isRefund = sent.text.startsWith('-') && !text.startsWith('-')
  return isRefund ? new JsonNumber(sent.text.slice(1)) : sent
}

const unlessEmpty = (value: unknown) => (holdsNothing(value) ? undefined : value)

/** The value at a path, or the value on the way that is no object. */
function valueAt(raw: unknown, place: readonly string[]): unknown {
  let value = raw
  for (const name of place) {
    if (!isJsonObject(value)) return value === null ? undefined : value
    value = Object.hasOwn(value, name) ? value[name] : undefined
  }
  return value
}

function put(
  sent: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): void {
  if (rest.length === 0) {
    sent[name] = value
    return
  }
  const inner = Object.hasOwn(sent, name) ? sent[name] : undefined
  const object = isJsonObject(inner) ? inner : {}
  if (object !== inner) sent[name] = object
  put(object, rest, value)
}

const asNumber = (pattern: RegExp) => (value: unknown) =>
  typeof value === 'string' && pattern.test(value) ? new JsonNumber(value) : value

const asDecimal = asNumber(NUMBER)

type Convert = (value: unknown, amounts: ImportReading['amounts']) => unknown

/**
 * The kinds that the service sends as a text of another form or as a number. A value without such a form stays
 * unchanged, and the reader refuses it.
 */
const CONVERSIONS: Partial<Record<FieldKind, Convert>> = {
  id: asNumber(DIGITS),
  looseId: asNumber(DIGITS),
  percentage: asDecimal,
  flag: (value) => (value === 'true' || value === 'false' ? value === 'true' : value),
  amount: (value, amounts) => (amounts === 'cents' ? inUnits(value) : asAmount(value)),
  net: (value, amounts) => asDecimal(amounts === 'cents' ? inUnits(value) : value),
}

const NUMBERS: readonly FieldKind[] = ['amount', 'net', 'id', 'looseId', 'percentage']

const asField = (kind: FieldKind, value: unknown, { amounts }: ImportReading): unknown =>
  CONVERSIONS[kind]?.(value, amounts) ?? value

/** Gives a number of whole cents as text, which always has two decimals. */
function asAmount(value: unknown): unknown {
  if (!(value instanceof JsonNumber) || value.text.length > 400) return value
  const read = parseNumberCents(value.text)
  return read === undefined ? value.text : formatCents(read.cents)
}

/** Cents as decimal text. */
function inUnits(value: unknown): unknown {
  const text = value instanceof JsonNumber ? value.text : value
  return typeof text === 'string' && CENTS.test(text) ? formatCents(BigInt(text)) : text
}
