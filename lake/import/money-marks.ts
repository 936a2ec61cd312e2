/** Recognises how a file writes amounts, from its values. If the values have two readings, a person must choose. */
import type { ImportReading } from '../../domain/import.ts'

type Marks = Pick<ImportReading, 'decimalMark' | 'thousandsMark'>

const MARKS: readonly Marks[] = [
  { decimalMark: '.', thousandsMark: '' },
  { decimalMark: ',', thousandsMark: '' },
  { decimalMark: '.', thousandsMark: ',' },
  { decimalMark: ',', thousandsMark: '.' },
  { decimalMark: '.', thousandsMark: "'" },
  { decimalMark: ',', thousandsMark: "'" },
  { decimalMark: '.', thousandsMark: ' ' },
  { decimalMark: ',', thousandsMark: ' ' },
]

const SIGNS: Readonly<Record<string, readonly string[]>> = {
  USD: ['$', 'US$'],
  CAD: ['$', 'C$', 'CA$'],
  AUD: ['$', 'A$', 'AU$'],
  NZD: ['$', 'NZ$'],
  EUR: ['€'],
  GBP: ['£'],
  JPY: ['¥'],
  CHF: ['Fr.', 'SFr.'],
}

const NUMBER = /[0-9](?:[0-9.,'’\u00a0\u2009\u202f ]*[0-9])?/
/** If this share of the values has one form, the other values are wrong. */
const NEARLY_ALL = 0.9

export interface MoneyForm {
  change: Partial<ImportReading>
  question?: string
}

/** Returns the settings for amounts in which the file differs from the reading. `values` holds no empty text. */
export function moneyForm(
  values: readonly string[],
  reading: ImportReading,
  currency: string,
): MoneyForm {
  if (values.length === 0) return { change: {} }
  const marks = currencyMarksIn(values)
  const allowed = [currency, ...(SIGNS[currency] ?? []), ...reading.currencyMarks].map(lower)
  const foreign = marks.find((mark) => !allowed.includes(lower(mark)))
  if (foreign !== undefined) {
    return {
      change: {},
      question: `amounts carry ${JSON.stringify(foreign)} and the account's currency is ${currency}: set currency, or name the mark under currency_marks`,
    }
  }
  const others = marks.filter(
    (mark) => !reading.currencyMarks.some((one) => lower(one) === lower(mark)),
  )
  const said = others.length === 0 ? {} : { currencyMarks: [...reading.currencyMarks, ...others] }
  const form = numberForm(
    values.flatMap((value) => NUMBER.exec(value)?.[0] ?? []),
    reading,
  )
  return { ...form, change: { ...said, ...form.change } }
}

const lower = (text: string) => text.toLowerCase()

const CURRENCY = /^(?:[A-Za-z]{0,2}\p{Sc}|[A-Za-z]{3}|S?Fr\.)$/u
/** A mark in a smaller share of the values belongs to wrong values. */
const NOT_FEW = 0.1

/** Finds texts beside numbers that look like a currency. */
function currencyMarksIn(values: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const value of values.filter((one) => NUMBER.test(one))) {
    const marks = value.replace(NUMBER, ' ').split(/[\s\u00a0()+\u2212-]+/)
    for (const mark of new Set(marks.filter((one) => CURRENCY.test(one)))) {
      counts.set(mark, (counts.get(mark) ?? 0) + 1)
    }
  }
  return [...counts].filter(([, count]) => count >= NOT_FEW * values.length).map(([mark]) => mark)
}

function numberForm(numbers: readonly string[], reading: ImportReading): MoneyForm {
  const share = (pattern: RegExp) =>
    numbers.filter((one) => pattern.test(one)).length / numbers.length
  const isRead = (marks: Marks, amounts: ImportReading['amounts']) =>
    share(patternOf(marks, amounts)) >= NEARLY_ALL
  if (numbers.length === 0 || isRead(reading, reading.amounts)) return { change: {} }
  const twoDecimals = MARKS.find((marks) => isRead(marks, 'decimal'))
  if (twoDecimals !== undefined) {
    return { change: unlike({ ...twoDecimals, amounts: 'decimal' }, reading) }
  }
  const [mark, another] = ['.', ','].filter((one) => numbers.some((number) => endsAt(number, one)))
  const sure = another === undefined ? mark : undefined
  const loose = MARKS.find((marks) => marks.decimalMark === sure && isRead(marks, 'number'))
  if (loose !== undefined) return { change: unlike({ ...loose, amounts: 'number' }, reading) }
  return mark === undefined ? { change: {}, question: twoReadings(numbers) } : { change: {} }
}

const unlike = (form: Partial<ImportReading>, reading: ImportReading): Partial<ImportReading> =>
  Object.fromEntries(
    Object.entries(form).filter(([key, value]) => reading[key as keyof ImportReading] !== value),
  )

/** True if this mark can only be the decimal mark. */
const endsAt = (number: string, mark: string) => {
  const parts = number.split(mark)
  const [last = ''] = parts.slice(-1)
  const isLast = parts.length === 2 && /^[0-9]+$/.test(last)
  return isLast && (last.length < 3 || /[.,]/.test(parts[0] ?? ''))
}

function twoReadings(numbers: readonly string[]): string {
  const grouped = numbers.find((number) => /^[0-9]{1,3}[.,][0-9]{3}$/.test(number))
  if (grouped !== undefined) {
    return `the amount ${grouped} has two readings: set decimal_mark and thousands_mark`
  }
  const whole = numbers.find((number) => /^[0-9]+$/.test(number)) ?? numbers[0] ?? ''
  return `the amount ${whole} has two readings: set amounts to cents (1230 is 12.30) or number (1230 is 1230.00)`
}

function patternOf(
  { decimalMark, thousandsMark }: Marks,
  amounts: ImportReading['amounts'],
): RegExp {
  const group = thousandsMark === ' ' ? String.raw`[\u00a0\u2009\u202f ]` : `[${thousandsMark}]`
  const whole = thousandsMark === '' ? '[0-9]+' : `(?:[0-9]+|[0-9]{1,3}(?:${group}[0-9]{3})+)`
  const decimals = {
    decimal: `[${decimalMark}][0-9]{2}`,
    number: `(?:[${decimalMark}][0-9]{1,2})?`,
    cents: '',
  }
  return new RegExp(`^${whole}${decimals[amounts]}$`)
}
