/** The names of the interface as it is known: what else a record holds is new. */
import type { List } from '../../domain/run.ts'

/** What of a field is known: its name and no more, the fields of its object, or the words that it may say. */
export type Known = true | Fields | readonly string[]
export interface Fields {
  readonly [name: string]: Known
}

export const KNOWN: Record<List, Fields> = {
  settlements: {
    ...names('settlementId', 'terminalId', 'created', 'amountNet'),
    status: ['COMPLETE', 'PENDING'],
  },
  terminals: {
    ...names('terminalId', 'nickName', 'enabled', 'accountId', 'companyDba', 'companyLegal'),
    ...names('merchantNumber'),
    type: ['ACH', 'CARD'],
    surcharge: names('enabled', 'percentage', 'taxable', 'disclosure'),
    acceptance: ['CCD', 'PPD', 'WEB'],
  },
  transactions: {
    ...names('transactionId', 'uri', 'terminalId', 'created', 'lastModified', 'amountTotal'),
    ...names('amountBase', 'amountTax', 'amountShipping', 'amountTip', 'amountSurcharge'),
    ...names('invoiceNumber', 'purchaseOrderNumber', 'method', 'service', 'signatureStatus'),
    ...names('billing', 'shipping'),
    action: ['CHARGE', 'REFUND', 'VERIFY'],
    achType: ['CCD', 'PPD', 'WEB'],
    status: ['CAPTURE', 'HOLD', 'VOID'],
    surcharge: names('percentage', 'status'),
    response: names('approved', 'code', 'message', 'processor'),
    settlement: names('settled'),
    vault: { ...names('accountType', 'lastFour', 'achRoutingNumber'), type: ['ACH', 'CARD'] },
  },
}

function names(...fields: string[]): Fields {
  return Object.fromEntries(fields.map((name) => [name, true]))
}

/** What is known of a field; undefined where its name is new. */
export const knownOf = (fields: Fields, name: string): Known | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined

/** Whether these are the words that a field may say. */
export const areWords = (known: Known): known is readonly string[] => Array.isArray(known)

/** The words that each field of a list may say, by its path. */
export const wordsOf = (list: List): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(wordsIn(KNOWN[list], ''))

/** The words that the interface shows in one spelling, by path: the known ones and those seen where the list is open. */
export const spellingsOf = (list: List): Readonly<Record<string, readonly string[]>> =>
  list === 'transactions' ? { ...wordsOf(list), ...SEEN } : wordsOf(list)

const SEEN = {
  method: ['KEYED', 'BANKLINK'],
  'surcharge.status': ['APPLIED'],
  'vault.accountType': ['SAVINGS', 'CHECKING'],
}

function wordsIn(fields: Fields, prefix: string): [string, readonly string[]][] {
  return Object.entries(fields).flatMap(([name, known]) => {
    if (areFields(known)) return wordsIn(known, `${prefix}${name}.`)
    return known === true ? [] : [[prefix + name, known]]
  })
}

const areFields = (known: Known): known is Fields => known !== true && !areWords(known)
