/** A second, plain reading of a page's bytes: slow, and without code of the one that is tested. */
import { createHmac } from 'node:crypto'
import { maskCardNumbers } from '../../../api/record/card-numbers.ts'
import type { List } from '../../../domain/run.ts'
import { HASH_KEY } from './records.ts'

/** Undefined where the bytes are no page; a record that can't be a row is `rejected`. */
export type PlainPage = { records: (PlainRow | 'rejected')[]; next: unknown } | undefined
export type PlainRow = Record<string, string | boolean | null>

type Fields = [name: string, value: unknown][]

class Rejected extends Error {}

const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?|-?[0-9][0-9.eE+-]*|[[{\]}]/g
const TWICE = Symbol('twice')

/** Numbers become `n…` and strings `s…`; objects become lists of their fields, repeated ones too. */
export function plainPage(list: List, body: Buffer): PlainPage {
  const text = body.toString('utf8')
  if (!Buffer.from(text).equals(body)) return undefined
  const json = text.replace(/^\ufeff/, '')
  let page: unknown
  try {
    page = marked(json)
    JSON.parse(json)
  } catch {
    return undefined
  }
  const results = field(page, 'results')
  if (!Array.isArray(results)) return undefined
  return { records: results.map((raw) => plainRecord(list, raw)), next: field(page, 'next') }
}

function marked(json: string): unknown {
  let depth = 0
  let keys = 0
  const text = json.replace(TOKEN, (token: string, colon: string | undefined) => {
    if (token === '[' || token === '{') depth += 1
    if (token === ']' || token === '}') depth -= 1
    if (depth > 1000) throw new RangeError('too deep')
    if (/^[[{\]}]/.test(token)) return token
    if (colon !== undefined) return `"${keys++}|${token.slice(1)}`
    return token.startsWith('"') ? `"s${token.slice(1)}` : `"n${token}"`
  })
  return JSON.parse(text)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fieldsOf(value: object): Fields {
  return Object.entries(value).map(([key, one]) => [key.slice(key.indexOf('|') + 1), one])
}

function field(value: unknown, name: string): unknown {
  if (!isObject(value)) return undefined
  const [first, ...more] = fieldsOf(value).filter(([key]) => key === name)
  if (first === undefined) return undefined
  return more.every(([, other]) => other === first[1]) ? first[1] : TWICE
}

function plainRecord(list: List, raw: unknown): PlainRow | 'rejected' {
  try {
    if (!isObject(raw)) throw new Rejected()
    if (list === 'settlements') return settlement(raw)
    return list === 'terminals' ? terminal(raw) : transaction(raw)
  } catch (error) {
    if (error instanceof Rejected) return 'rejected'
    throw error
  }
}

function settlement(raw: object): PlainRow {
  const [net_cents, net_noise] = net(must(raw, 'amountNet'))
  return {
    settlement_id: id(must(raw, 'settlementId')),
    terminal_id: id(must(raw, 'terminalId')),
    created: instant(must(raw, 'created')),
    net_cents,
    net_noise,
    status: word(must(raw, 'status')),
  }
}

function terminal(raw: object): PlainRow {
  const surcharge = inner(raw, 'surcharge')
  return {
    terminal_id: id(must(raw, 'terminalId')),
    nick_name: may(raw, 'nickName', (value) => free(value, 255)),
    type: may(raw, 'type', wordOrNone),
    enabled: may(raw, 'enabled', flag),
    account_uuid: may(raw, 'accountId', identifier),
    company_dba: may(raw, 'companyDba', (value) => free(value, 255)),
    merchant_number: may(raw, 'merchantNumber', identifier),
    surcharge_enabled: may(surcharge, 'enabled', flag),
    surcharge_percentage: may(surcharge, 'percentage', percentage),
    surcharge_taxable: may(surcharge, 'taxable', flag),
    acceptance: may(raw, 'acceptance', words),
  }
}

function transaction(raw: object): PlainRow {
  const [response, settled] = [inner(raw, 'response'), inner(raw, 'settlement')]
  const [surcharge, vault] = [inner(raw, 'surcharge'), inner(raw, 'vault')]
  const billing = inner(raw, 'billing')
  const zip = may(inner(billing, 'address'), 'zip', string)
  const person = [may(billing, 'firstName', string), may(billing, 'lastName', string), zip]
  return {
    transaction_id: id(must(raw, 'transactionId')),
    terminal_id: id(must(raw, 'terminalId')),
    action: word(must(raw, 'action')),
    status: word(must(raw, 'status')),
    approved: may(response, 'approved', flag),
    settled: may(settled, 'settled', flag),
    explicit_settlement_id: may(settled, 'settlementId', anyId) ?? may(raw, 'settlementId', anyId),
    created: instant(must(raw, 'created')),
    last_modified: may(raw, 'lastModified', instant),
    base_cents: may(raw, 'amountBase', money),
    tax_cents: may(raw, 'amountTax', money),
    shipping_cents: may(raw, 'amountShipping', money),
    tip_cents: may(raw, 'amountTip', money),
    surcharge_cents: may(raw, 'amountSurcharge', money),
    total_cents: money(must(raw, 'amountTotal')),
    ach_type: may(raw, 'achType', wordOrNone),
    method: may(raw, 'method', wordOrNone),
    surcharge_percentage: may(surcharge, 'percentage', percentage),
    surcharge_status: may(surcharge, 'status', wordOrNone),
    invoice_number: may(raw, 'invoiceNumber', (value) => free(value, 64)),
    purchase_order_number: may(raw, 'purchaseOrderNumber', (value) => free(value, 64)),
    response_code: may(response, 'code', wordOrNone),
    vault_type: may(vault, 'type', wordOrNone),
    account_type: may(vault, 'accountType', wordOrNone),
    last_four: may(vault, 'lastFour', lastFour),
    billing_hash: hashOf(person.map((text) => text ?? '')),
  }
}

function must(raw: object, name: string): unknown {
  return field(raw, name) ?? reject()
}

/** Absent, null, or an empty text, array or object. */
function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === 's') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function may<T>(raw: object, name: string, read: (value: unknown) => T): T | null {
  const value = field(raw, name)
  return isNothing(value) ? null : read(value)
}

function inner(raw: object, name: string): object {
  const value = field(raw, name)
  if (isNothing(value)) return {}
  return isObject(value) ? value : reject()
}

function reject(): never {
  throw new Rejected()
}

function string(value: unknown): string {
  if (typeof value !== 'string' || !value.startsWith('s') || value.length > 65_537) reject()
  return value.slice(1)
}

function number(value: unknown): string {
  if (typeof value !== 'string' || !value.startsWith('n')) reject()
  return value.slice(1)
}

function id(value: unknown): string {
  const text = number(value)
  if (/[^0-9]/.test(text) || text === '0' || BigInt(text) >= 1n << 63n) reject()
  return text
}

function anyId(value: unknown): string | null {
  try {
    return id(value)
  } catch {
    return null
  }
}

function money(value: unknown): string {
  const [whole = '', cents = '', more] = string(value).split('.')
  if (more !== undefined || !isDigits(whole, 13) || !isDigits(cents, 2)) reject()
  if (cents.length !== 2) reject()
  return String(BigInt(whole) * 100n + BigInt(cents))
}

function isDigits(text: string, max: number): boolean {
  return (
    text !== '' && text.length <= max && Array.from(text).every((one) => one >= '0' && one <= '9')
  )
}

/** The value as `digits / 10^places`, in whole numbers. */
function fraction(text: string): { digits: bigint; places: number } {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', decimals = ''] = mantissa.split('.')
  return { digits: BigInt(whole + decimals), places: decimals.length - Number(exponent) }
}

function net(value: unknown): [cents: string, noise: boolean] {
  const text = number(value)
  if (text.length > 400 || /e[+-]?[0-9]{5}/i.test(text)) reject()
  // A minus before a zero says nothing.
  const { digits, places } = fraction(text.replace(/^-/, ''))
  if (digits === 0n) return ['0', false]
  if (places < -20) reject()
  const one = 10n ** BigInt(Math.max(places, 6))
  const scaled = digits * 10n ** BigInt(Math.max(places, 6) - places)
  const cents = (scaled * 200n + one) / (2n * one)
  const off = scaled * 100n - cents * one
  const size = off < 0n ? -off : off
  if (size * 10_000n > one || cents >= 10n ** 15n) reject()
  const negative = text.startsWith('-') && cents !== 0n
  return [`${negative ? '-' : ''}${cents}`, off !== 0n]
}

function percentage(value: unknown): string {
  const text = number(value)
  if (text.length > 400 || text.startsWith('-') || /e[+-]?[0-9]{3}/i.test(text)) reject()
  const { digits, places } = fraction(text)
  const shift = 10n ** BigInt(Math.abs(4 - places))
  if (places > 4 && digits % shift !== 0n) reject()
  const tenThousandths = places > 4 ? digits / shift : digits * shift
  if (tenThousandths >= 1_000_000_000n) reject()
  const rest = String(tenThousandths % 10_000n).padStart(4, '0')
  return `${tenThousandths / 10_000n}.${rest}`.replace(/\.?0+$/, '')
}

function instant(value: unknown): string {
  const text = string(value)
  const zone = /(?:Z|[+-][0-9][0-9]:[0-9][0-9])$/.exec(text)?.[0] ?? reject()
  const [clock = '', decimals, more] = text.slice(0, -zone.length).split('.')
  const parts = /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})$/.exec(clock)
  if (parts === null || more !== undefined) reject()
  if (decimals !== undefined && !isDigits(decimals, 9)) reject()
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1)
    .map(Number)
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  // A date that no calendar has is read as another day.
  if (year < 1000 || local.toISOString().slice(0, 19) !== clock) reject()
  const [hours = 0, minutes = 0] = zone === 'Z' ? [] : zone.slice(1).split(':').map(Number)
  if (hours > 23 || minutes > 59) reject()
  const ahead_ms = (hours * 60 + minutes) * 60_000 * (zone.startsWith('-') ? -1 : 1)
  const utc = new Date(local.getTime() - ahead_ms)
  for (const one of [local, utc]) {
    if (one.getUTCFullYear() < 1970 || one.getUTCFullYear() > 2199) reject()
  }
  const micros = (decimals ?? '').padEnd(6, '0').slice(0, 6)
  return `${utc.toISOString().slice(0, 19).replace('T', ' ')}.${micros}`
}

function flag(value: unknown): boolean {
  return typeof value === 'boolean' ? value : reject()
}

function word(value: unknown): string {
  const text = string(value)
  if (text === '' || text.length > 64 || '=+-@'.includes(text.charAt(0))) reject()
  if (cleaned(text) !== text) reject()
  return maskCardNumbers(text)
}

function wordOrNone(value: unknown): string | null {
  return value === 's' ? null : word(value)
}

function words(value: unknown): string | null {
  if (!Array.isArray(value)) return wordOrNone(value)
  if (value.length > 64) reject()
  return [...new Set(value.map(word))].sort().join(',') || null
}

function identifier(value: unknown): string | null {
  return shortened(cleaned(string(value)), 64) || null
}

function free(value: unknown, max: number): string | null {
  const text = maskCardNumbers(cleaned(string(value)))
  return text === '' ? null : shortened(text, max)
}

function shortened(text: string, max: number): string {
  const isSplit = (text.codePointAt(max - 1) ?? 0) > 0xffff
  return text.slice(0, isSplit ? max - 1 : max)
}

function lastFour(value: unknown): string | null {
  const text = string(value)
  if (text === '') return null
  const digits = /[0-9]*$/.exec(text)?.[0] ?? ''
  const before = Array.from(text.slice(0, text.length - digits.length))
  if (digits === '' || digits.length > 4 || before.length > 15) reject()
  // Behind a mask, fewer than four digits may not be the last four.
  if (before.length > 0 && digits.length < 4) reject()
  return before.some((one) => one >= '0' && one <= '9') ? reject() : digits
}

/** The text with a replacement character for each control, half of a pair, and mark of direction. */
function cleaned(text: string): string {
  const isBad = (code: number) =>
    code < 0x20 ||
    (code >= 0x7f && code <= 0x9f) ||
    (code >= 0xd800 && code <= 0xdfff) ||
    [0x61c, 0x200e, 0x200f, 0xfeff].includes(code) ||
    (code >= 0x2028 && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069)
  return Array.from(text, (one) => (isBad(one.codePointAt(0) ?? 0) ? '\ufffd' : one)).join('')
}

function hashOf(person: string[]): string | null {
  const folded = person.map((text) => text.normalize('NFKC').trim().toLowerCase())
  if (folded.join('') === '') return null
  return createHmac('sha256', HASH_KEY.reveal()).update(JSON.stringify(folded)).digest('hex')
}
