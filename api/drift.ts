/** What the service sends beyond the interface as it is known: counted by name, never with a value. */
import type { List } from '../domain/run.ts'
import { isJsonObject } from './json.ts'

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
const VALUES: Record<List, Record<string, readonly string[]>> = {
  settlements: { status: ['COMPLETE', 'PENDING'] },
  terminals: { type: ['ACH', 'CARD'] },
  transactions: {
    action: ['CHARGE', 'REFUND', 'VERIFY'],
    status: ['CAPTURE', 'HOLD', 'VOID'],
    achType: ['CCD', 'PPD', 'WEB'],
  },
}
const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,39}$/
const MAX_NAMES = 50

/** How often each name was met: `newField`, `surcharge.newField`, or `status=NEW_VALUE`. */
export type Drift = Record<string, number>

/** Adds to `drift` what one record holds beyond the known interface. At most 50 names are told apart. */
export function countDrift(list: List, raw: unknown, drift: Drift): void {
  if (!isJsonObject(raw)) return
  for (const key of Object.keys(raw)) {
    const known = Object.hasOwn(KNOWN[list], key) ? KNOWN[list][key] : undefined
    if (known === undefined) count(drift, nameOf(key))
    else if (known !== true) countNested(drift, { key, known, value: raw[key] })
  }
  for (const [field, values] of Object.entries(VALUES[list])) {
    const value = raw[field]
    if (typeof value === 'string' && value !== '' && !values.includes(value))
      count(drift, `${field}=${nameOf(value)}`)
  }
}

/** Counts one name. */
export function count(drift: Drift, name: string): void {
  const known = Object.hasOwn(drift, name) || Object.keys(drift).length < MAX_NAMES
  const counted = known ? name : '(others)'
  drift[counted] = (drift[counted] ?? 0) + 1
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

/** A name that is no plain word may be anything, somebody's data too. */
const nameOf = (name: string) => (NAME.test(name) ? name : '(unprintable)')
