/** The fields of the service's records: one table for the pages of the service and for imported files. */
import type { List } from './run.ts'

/** The spelling of a field's values, and with it their check. */
export type FieldKind =
  /** Text of exactly two decimals. Its sign is no part of it: the action says whether money comes or goes. */
  | 'amount'
  | 'flag'
  | 'id'
  | 'instant'
  | 'lastFour'
  /** An id in a field that the interface doesn't have. Any other value counts as absent. */
  | 'looseId'
  /** A number of whole cents, with its sign; a double's noise is allowed. */
  | 'net'
  /** A word, or nothing at all. */
  | 'optionalWord'
  | 'percentage'
  /** A text of the cardholder: it becomes a part of a keyed hash and is never stored or shown. */
  | 'personal'
  /** Free text of at most 64 characters. */
  | 'text'
  /** A value of a list that may grow, such as a status. */
  | 'word'

/** Kinds that only terminals have. No import reads them. */
export type TerminalKind =
  /** A name that another system gave, such as a merchant number. */
  | 'identifier'
  /** Free text of at most 255 characters. */
  | 'longText'
  /** One word or an array of words. */
  | 'words'

export interface RecordField<Kind extends FieldKind | TerminalKind = FieldKind | TerminalKind> {
  kind: Kind
  required: boolean
  /** The column in the lake. Where two fields have the same one, the later field of the two wins if it is there. */
  column: string
  /** The words that the interface lists. Another word is read all the same, and counted as unknown. */
  words?: readonly string[]
  /** Words that the interface shows where its list is open. */
  examples?: readonly string[]
}

type Words = Pick<RecordField, 'words' | 'examples'>
type Table<Kind extends FieldKind | TerminalKind> = Readonly<Record<string, RecordField<Kind>>>

const required = <Kind extends FieldKind>(kind: Kind, column: string, words: Words = {}) => ({
  ...{ kind, required: true, column },
  ...words,
})
const optional = <Kind extends FieldKind | TerminalKind>(
  kind: Kind,
  column: string,
  words: Words = {},
) => ({ kind, required: false, column, ...words })

/**
 * The fields that are read, in the order in which they are checked: a reject names the first that is wrong. A dot leads
 * into a nested object. A change of what is read or refused raises SCHEMA_VERSION.
 */
export const RECORD_FIELDS: {
  readonly transactions: Table<FieldKind>
  readonly settlements: Table<FieldKind>
  readonly terminals: Table<FieldKind | TerminalKind>
} = {
  transactions: {
    transactionId: required('id', 'transaction_id'),
    terminalId: required('id', 'terminal_id'),
    action: required('word', 'action', { words: ['CHARGE', 'REFUND', 'VERIFY'] }),
    status: required('word', 'status', { words: ['CAPTURE', 'HOLD', 'VOID'] }),
    created: required('instant', 'created'),
    lastModified: optional('instant', 'last_modified'),
    amountBase: optional('amount', 'base_cents'),
    amountTax: optional('amount', 'tax_cents'),
    amountShipping: optional('amount', 'shipping_cents'),
    amountTip: optional('amount', 'tip_cents'),
    amountSurcharge: optional('amount', 'surcharge_cents'),
    amountTotal: required('amount', 'total_cents'),
    achType: optional('optionalWord', 'ach_type', { words: ['CCD', 'PPD', 'WEB'] }),
    method: optional('optionalWord', 'method', { examples: ['KEYED', 'BANKLINK'] }),
    invoiceNumber: optional('text', 'invoice_number'),
    purchaseOrderNumber: optional('text', 'purchase_order_number'),
    settlementId: optional('looseId', 'explicit_settlement_id'),
    'response.approved': optional('flag', 'approved'),
    'response.code': optional('optionalWord', 'response_code'),
    'settlement.settled': optional('flag', 'settled'),
    'settlement.settlementId': optional('looseId', 'explicit_settlement_id'),
    'surcharge.percentage': optional('percentage', 'surcharge_percentage'),
    'surcharge.status': optional('optionalWord', 'surcharge_status', { examples: ['APPLIED'] }),
    'vault.type': optional('optionalWord', 'vault_type', { words: ['ACH', 'CARD'] }),
    'vault.accountType': optional('optionalWord', 'account_type', {
      examples: ['SAVINGS', 'CHECKING'],
    }),
    'vault.lastFour': optional('lastFour', 'last_four'),
    'billing.firstName': optional('personal', 'billing_hash'),
    'billing.lastName': optional('personal', 'billing_hash'),
    'billing.address.zip': optional('personal', 'billing_hash'),
  },
  settlements: {
    settlementId: required('id', 'settlement_id'),
    terminalId: required('id', 'terminal_id'),
    created: required('instant', 'created'),
    amountNet: required('net', 'net_cents'),
    status: required('word', 'status', { words: ['COMPLETE', 'PENDING'] }),
  },
  terminals: {
    terminalId: required('id', 'terminal_id'),
    nickName: optional('longText', 'nick_name'),
    type: optional('optionalWord', 'type', { words: ['ACH', 'CARD'] }),
    enabled: optional('flag', 'enabled'),
    accountId: optional('identifier', 'account_uuid'),
    companyDba: optional('longText', 'company_dba'),
    merchantNumber: optional('identifier', 'merchant_number'),
    'surcharge.enabled': optional('flag', 'surcharge_enabled'),
    'surcharge.percentage': optional('percentage', 'surcharge_percentage'),
    'surcharge.taxable': optional('flag', 'surcharge_taxable'),
    acceptance: optional('words', 'acceptance', { words: ['CCD', 'PPD', 'WEB'] }),
  },
}

/**
 * The other names of the interface: they are no news, and nothing reads them. `billing` and `shipping` are about people:
 * whatever else stands in them is neither counted nor shown.
 */
export const UNREAD_FIELDS: Readonly<Record<List, readonly string[]>> = {
  transactions: [
    ...['uri', 'service', 'signatureStatus', 'response.message', 'response.processor'],
    ...['vault.achRoutingNumber', 'billing', 'shipping'],
  ],
  settlements: [],
  terminals: ['companyLegal', 'surcharge.disclosure'],
}

/** The words that each field of a list may hold without being new, by its path. */
export const wordsOf = (list: List): Readonly<Record<string, readonly string[]>> =>
  wordsBy(list, ({ words }) => words)

/** The words that the interface shows in one spelling, by path: the listed ones, and the examples of an open list. */
export const spellingsOf = (list: List): Readonly<Record<string, readonly string[]>> =>
  wordsBy(list, ({ words, examples }) => words ?? examples)

const wordsBy = (list: List, pick: (field: RecordField) => readonly string[] | undefined) =>
  Object.fromEntries(
    Object.entries(RECORD_FIELDS[list]).flatMap(([path, field]) => {
      const words = pick(field)
      return words === undefined ? [] : [[path, words]]
    }),
  )
