/** What the service sends beyond the interface as it is known: counted by name, never with a value. */
import type { List } from '../domain/run.ts'
import { isJsonObject } from './json.ts'
import { parsed } from './sent-record.ts'

const KNOWN: Record<List, Record<string, readonly string[] | true>> = {
  settlements: Object.fromEntries(
    ['settlementId', 'terminalId', 'created', 'amountNet', 'status'].map((name) => [name, true]),
  ),
  terminals: {
    terminalId: true,
    nickName: true,
    type: true,
    enabled: true,
    accountId: true,
    companyDba: true,
    companyLegal: true,
    merchantNumber: true,
    surcharge: ['enabled', 'percentage', 'taxable', 'disclosure'],
    acceptance: true,
  },
  transactions: {
    transactionId: true,
    uri: true,
    terminalId: true,
    action: true,
    achType: true,
    amountBase: true,
    amountTax: true,
    amountShipping: true,
    amountTip: true,
    amountSurcharge: true,
    amountTotal: true,
    surcharge: ['percentage', 'status'],
    invoiceNumber: true,
    purchaseOrderNumber: true,
    method: true,
    service: true,
    signatureStatus: true,
    status: true,
    created: true,
    lastModified: true,
    response: ['approved', 'code', 'message', 'processor'],
    settlement: ['settled'],
    vault: ['type', 'accountType', 'lastFour', 'achRoutingNumber'],
    billing: true,
    shipping: true,
  },
}
const VALUES: Record<List, [field: string, known: readonly string[]][]> = {
  settlements: [['status', ['COMPLETE', 'PENDING']]],
  terminals: [
    ['type', ['ACH', 'CARD']],
    ['acceptance', ['CCD', 'PPD', 'WEB']],
  ],
  transactions: [
    ['action', ['CHARGE', 'REFUND', 'VERIFY']],
    ['status', ['CAPTURE', 'HOLD', 'VOID']],
    ['achType', ['CCD', 'PPD', 'WEB']],
    ['vault.type', ['ACH', 'CARD']],
  ],
}
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/
const MAX_NAMES = 50
const OTHERS = '(others)'

/**
 * How often each name was met: `newField`, `surcharge.newField`, or `status=NEW_VALUE`. At most 50 names are told
 * apart, the rest count as `(others)`; a name that is no plain word counts as `(unprintable)`. Plain JSON.
 */
export type Drift = Record<string, number>

/** What the records of one page hold beyond the known interface. */
export function driftOf(list: List, records: readonly unknown[]): Drift {
  const drift: Drift = {}
  for (const record of records) countDrift(list, parsed(record), drift)
  return drift
}

/** The sum of two counts, such as that of a sweep so far and that of its next page. */
export function addDrift(one: Drift, other: Drift): Drift {
  const sum = { ...one }
  for (const [name, times] of Object.entries(other)) count(sum, name, times)
  return sum
}

function countDrift(list: List, raw: unknown, drift: Drift): void {
  if (!isJsonObject(raw)) return
  for (const key of Object.keys(raw)) {
    const known = Object.hasOwn(KNOWN[list], key) ? KNOWN[list][key] : undefined
    if (known === undefined) count(drift, nameOf(key))
    else if (known !== true) countNested(drift, { key, known, value: raw[key] })
  }
  for (const [field, known] of VALUES[list]) {
    for (const value of [valueAt(raw, field)].flat()) {
      if (typeof value === 'string' && value !== '' && !known.includes(value))
        count(drift, `${field}=${nameOf(value)}`)
    }
  }
}

function valueAt(raw: Record<string, unknown>, field: string): unknown {
  const [outer = '', inner] = field.split('.')
  const value = raw[outer]
  if (inner === undefined) return value
  return isJsonObject(value) ? value[inner] : undefined
}

function countNested(
  drift: Drift,
  field: { key: string; known: readonly string[]; value: unknown },
): void {
  if (!isJsonObject(field.value)) return
  for (const key of Object.keys(field.value)) {
    if (!field.known.includes(key)) count(drift, `${field.key}.${nameOf(key)}`)
  }
}

function count(drift: Drift, name: string, times = 1): void {
  // Names come from outside: `constructor` is one that every object has.
  const isKnown = Object.hasOwn(drift, name)
  const counted = isKnown || Object.keys(drift).length < MAX_NAMES ? name : OTHERS
  drift[counted] = (Object.hasOwn(drift, counted) ? (drift[counted] ?? 0) : 0) + times
}

/** A name that is no plain word may be anything, somebody's data too. */
const nameOf = (name: string) => (NAME.test(name) ? name : '(unprintable)')
