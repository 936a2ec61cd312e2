/** Records of an export in the form in which the service sends them, so that one reader judges both. */
import { isJsonObject, JsonNumber, parseJson } from '../api/json.ts'
import { formatCents, parseNumberCents } from '../domain/cents.ts'
import { Failure } from '../domain/failure.ts'
import {
  importFields,
  type FieldKind,
  type ImportOrder,
  type ImportReading,
} from '../domain/import.ts'
import type { Suspect } from '../lake/import/stage.ts'

const DIGITS = /^[0-9]{1,400}$/
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const CENTS = /^-?[0-9]{1,15}$/

/**
 * Reads what is told of a record. What the service sends as a number may stand in the file as text and the other way
 * round; everything else stays as it is. Throws import_unreadable where a line is no JSON.
 */
export function asSent(
  { rowNo, evidence }: Suspect,
  about: { order: ImportOrder; reading: ImportReading; numeric: ReadonlySet<string> },
): unknown {
  return about.order.format === 'ndjson'
    ? fromLine(lineOf(evidence, about.order, rowNo), about)
    : fromTexts(JSON.parse(evidence), about)
}

function lineOf(evidence: string, { file }: ImportOrder, rowNo: number): unknown {
  try {
    return parseJson(evidence.replace(/^\ufeff/, ''))
  } catch {
    throw new Failure('import_unreadable', `${file}: line ${rowNo + 1} is not JSON`)
  }
}

interface About {
  order: ImportOrder
  reading: ImportReading
  numeric: ReadonlySet<string>
}

/** Fields of CSV and Parquet, by their names; absent ones are null. */
function fromTexts(
  texts: Record<string, string | null>,
  { order, reading, numeric }: About,
): unknown {
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

/** A record of NDJSON: where every field has its own name, only what is written otherwise is changed. */
function fromLine(raw: unknown, { order, reading }: About): unknown {
  if (!isJsonObject(raw)) return raw
  const isMapped = Object.keys(reading.columns).length > 0
  const sent = isMapped ? {} : raw
  for (const [field, { kind }] of importFields(order.list)) {
    const place = (reading.columns[field] ?? field).split('.')
    const value = valueAt(raw, place)
    const meant = asField(kind, value, reading)
    if (meant !== value || (isMapped && value !== undefined)) put(sent, field.split('.'), meant)
  }
  return sent
}

/** The value at a path; where the path leads into something that is no object, that. */
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

type Meant = (value: unknown, amounts: ImportReading['amounts']) => unknown

/** Kinds of which the service sends no text, or text of a number. What can't be read so stays, and the reader refuses it. */
const MEANT: Partial<Record<FieldKind, Meant>> = {
  id: asNumber(DIGITS),
  looseId: asNumber(DIGITS),
  percentage: asDecimal,
  flag: (value) => (value === 'true' || value === 'false' ? value === 'true' : value),
  amount: (value, amounts) => (amounts === 'cents' ? inUnits(value) : asAmount(value)),
  net: (value, amounts) => asDecimal(amounts === 'cents' ? inUnits(value) : value),
}

const NUMBERS: readonly FieldKind[] = ['amount', 'net', 'id', 'looseId', 'percentage']

const asField = (kind: FieldKind, value: unknown, { amounts }: ImportReading): unknown =>
  MEANT[kind] === undefined ? value : MEANT[kind](value, amounts)

/** A number that stands for whole cents has no second decimal to show; text has. */
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
