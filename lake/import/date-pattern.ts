/**
 * Recognises how a file writes local times, from its values. If the values have two readings, a person must choose.
 */
import type { ImportDates } from '../../domain/import.ts'

const DOCUMENTED = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}(?::?\d{2})?)$/
const TIME = String.raw`(?:([T ,]+)(\d{1,2}):(\d{2})(:\d{2})?(\.\d{3})?( ?)([AaPp][Mm])?)?`
const NUMERIC = new RegExp(String.raw`^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})${TIME}$`)
const NAMED = new RegExp(String.raw`^(\d{1,2})([ -])([A-Za-z]{3})\2(\d{4})${TIME}$`)

export interface DateForm {
  dates?: ImportDates
  question?: string
}

/**
 * Returns the pattern of the values, with the zone. Returns an empty object if most values are instants as
 * documented, or if they have no common pattern.
 */
export function dateForm(values: readonly string[], zone: string): DateForm {
  const local = values.filter((value) => !DOCUMENTED.test(value))
  if (local.length * 2 <= values.length) return {}
  const read = local.map(parts).filter((one) => one !== undefined)
  const [first] = read
  if (first === undefined || read.length * 2 <= local.length) return {}
  const alike = read.filter(({ shape }) => shape === first.shape)
  const orders = ORDERS.filter((order) => alike.every((one) => one.orders.includes(order)))
  const [order, other] = orders
  if (order === undefined) return {}
  const patterns = orders.map((one) => first.pattern(one))
  if (other === undefined) return { dates: { pattern: first.pattern(order), zone } }
  return {
    question: `the date ${first.date} has two readings: set dates.pattern to ${patterns.join(' or ')}, and dates.zone`,
  }
}

type Order = 'DMY' | 'MDY' | 'YMD'
const ORDERS: readonly Order[] = ['YMD', 'DMY', 'MDY']

interface Parts {
  date: string
  /** Equal for values that the same pattern reads. */
  shape: string
  orders: readonly Order[]
  pattern: (order: Order) => string
}

function parts(value: string): Parts | undefined {
  const named = NAMED.exec(value)
  if (named !== null) {
    const [, , mark = '', , , ...time] = named
    const at = timePattern(time)
    return {
      ...{ date: value, shape: `N${mark}${at}`, orders: ['DMY'] },
      pattern: () => `DD${mark}MMM${mark}YYYY${at}`,
    }
  }
  const numeric = NUMERIC.exec(value)
  if (numeric === null) return undefined
  const [, one = '', mark = '', two = '', three = '', ...time] = numeric
  const at = timePattern(time)
  const year = one.length === 4 || three.length === 4 ? 'YYYY' : 'YY'
  const names = { YMD: [year, 'MM', 'DD'], DMY: ['DD', 'MM', year], MDY: ['MM', 'DD', year] }
  return {
    date: value,
    shape: `${one.length === 4 ? 'Y' : ''}${mark}${year}${at}`,
    orders: ordersOf(one, two, three),
    pattern: (order) => `${names[order].join(mark)}${at}`,
  }
}

function ordersOf(one: string, two: string, three: string): Order[] {
  const isMonth = (text: string) => Number(text) >= 1 && Number(text) <= 12
  const isDay = (text: string) => Number(text) >= 1 && Number(text) <= 31
  if (one.length === 4) return isMonth(two) && isDay(three) ? ['YMD'] : []
  if (three.length !== 4 && three.length !== 2) return []
  return [
    ...(isDay(one) && isMonth(two) ? (['DMY'] as const) : []),
    ...(isMonth(one) && isDay(two) ? (['MDY'] as const) : []),
  ]
}

function timePattern([gap, , , seconds, fraction, blank = '', half]: readonly (
  | string
  | undefined
)[]): string {
  if (gap === undefined) return ''
  const hour = half === undefined ? 'HH' : 'hh'
  const rest = `${seconds === undefined ? '' : ':ss'}${fraction === undefined ? '' : '.SSS'}`
  return `${gap}${hour}:mm${rest}${half === undefined ? '' : `${blank}A`}`
}
