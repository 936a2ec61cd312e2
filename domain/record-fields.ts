/** The fields of the service's records: one table for the pages of the service and for imported files. */
import type { List } from './run.ts'

/** The spelling of a field's values, which determines their check. */
export type FieldKind =
  /** Text of exactly two decimals, without a sign: the action tells the direction of the money. */
  | 'amount'
  | 'flag'
  | 'id'
  | 'instant'
  | 'lastFour'
  /** An id in a field that the interface does not have. Any other value counts as absent. */
  | 'looseId'
  /** A number of whole cents, with its sign. The noise of a double is allowed. */
  | 'net'
  /** A word, or an empty value. */
  | 'optionalWord'
  | 'percentage'
  /** A text about the cardholder. The lake stores only a keyed hash that it is part of, and nothing shows it. */
  | 'personal'
  /** Free text of at most 64 characters. */
  | 'text'
  /** A value of a list that may grow, such as a status. */
  | 'word'

/** Kinds that only terminals have. Imports have no terminals. */
export type TerminalKind =
  /** A name that another system gave, such as a merchant number. */
  | 'identifier'
  /** Free text of at most 255 characters. */
  | 'longText'
  /** A word or an array of words. */
  | 'words'

export interface RecordField<Kind extends FieldKind | TerminalKind = FieldKind | TerminalKind> {
  kind: Kind
  required: boolean
  /** The column in the lake. If two fields share a column, the later one in this table has priority. */
  column: string
  /** The words that the interface lists. Another word is accepted, and counted as unknown. */
  words?: readonly string[]
  /** Examples from the description of the interface, for a field whose list of words is open. */
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
 * The fields that are read, in the order of their checks. A reject names the first wrong field. A dot leads into a
 * nested object. A change of the fields or of their checks raises SCHEMA_VERSION.
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

/** The columns of each list, in the order of its table, which stays as it is: rows are compared by a hash in this order. */
export const RECORD_COLUMNS: Readonly<Record<List, readonly string[]>> = {
  transactions:
    `transaction_id terminal_id action status approved settled explicit_settlement_id created
    last_modified base_cents tax_cents shipping_cents tip_cents surcharge_cents total_cents ach_type method
    surcharge_percentage surcharge_status invoice_number purchase_order_number response_code vault_type account_type
    last_four billing_hash`.split(/\s+/),
  settlements: ['settlement_id', 'terminal_id', 'created', 'status', 'net_cents', 'net_noise'],
  terminals: Object.values(RECORD_FIELDS.terminals).map(({ column }) => column),
}

/**
 * The other names of the interface. They are not unknown, and their values are not read. `billing` and `shipping`
 * describe people, so that other names in them are neither counted nor shown.
 */
export const UNREAD_FIELDS: Readonly<Record<List, readonly string[]>> = {
  transactions: [
    ...['uri', 'service', 'signatureStatus', 'response.message', 'response.processor'],
    ...['vault.achRoutingNumber', 'billing', 'shipping'],
  ],
  settlements: [],
  terminals: ['companyLegal', 'surcharge.disclosure'],
}

/** Returns the words that each field of a list may contain without counting as unknown, by path. */
export const wordsOf = (list: List): Readonly<Record<string, readonly string[]>> =>
  wordsBy(list, ({ words }) => words)

/**
 * Returns, for each path, the words that the interface spells out: all words of a closed list, or the examples of an
 * open list.
 */
export const spellingsOf = (list: List): Readonly<Record<string, readonly string[]>> =>
  wordsBy(list, ({ words, examples }) => words ?? examples)

const wordsBy = (list: List, pick: (field: RecordField) => readonly string[] | undefined) =>
  Object.fromEntries(
    Object.entries(RECORD_FIELDS[list]).flatMap(([path, field]) => {
      const words = pick(field)
      return words === undefined ? [] : [[path, words]]
    }),
  )
