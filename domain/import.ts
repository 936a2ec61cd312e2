/** What an import is asked for and what it answers; and the fields of an export, by the names that the service gives them. */

export type ImportList = 'settlements' | 'transactions'
export type ImportFormat = 'csv' | 'ndjson' | 'parquet'

/** How a field is read; the rules of each are those of the service's own records. */
export type FieldKind =
  | 'amount'
  | 'flag'
  | 'id'
  | 'instant'
  | 'lastFour'
  | 'looseId'
  | 'net'
  | 'optionalWord'
  | 'percentage'
  | 'personal'
  | 'text'
  | 'word'

export interface ImportField {
  kind: FieldKind
  required: boolean
}

const needed = (kind: FieldKind): ImportField => ({ kind, required: true })
const may = (kind: FieldKind): ImportField => ({ kind, required: false })

/** A dot leads into a nested object, as in the service's own records. */
export const IMPORT_FIELDS = {
  transactions: {
    transactionId: needed('id'),
    terminalId: needed('id'),
    action: needed('word'),
    status: needed('word'),
    created: needed('instant'),
    lastModified: may('instant'),
    amountBase: may('amount'),
    amountTax: may('amount'),
    amountShipping: may('amount'),
    amountTip: may('amount'),
    amountSurcharge: may('amount'),
    amountTotal: needed('amount'),
    achType: may('optionalWord'),
    method: may('optionalWord'),
    invoiceNumber: may('text'),
    purchaseOrderNumber: may('text'),
    settlementId: may('looseId'),
    'response.approved': may('flag'),
    'response.code': may('optionalWord'),
    'settlement.settled': may('flag'),
    'settlement.settlementId': may('looseId'),
    'surcharge.percentage': may('percentage'),
    'surcharge.status': may('optionalWord'),
    'vault.type': may('optionalWord'),
    'vault.accountType': may('optionalWord'),
    'vault.lastFour': may('lastFour'),
    'billing.firstName': may('personal'),
    'billing.lastName': may('personal'),
    'billing.address.zip': may('personal'),
  },
  settlements: {
    settlementId: needed('id'),
    terminalId: needed('id'),
    created: needed('instant'),
    amountNet: needed('net'),
    status: needed('word'),
  },
} as const satisfies Record<ImportList, Record<string, ImportField>>

/** The fields of a list in a fixed order. */
export const importFields = (list: ImportList): [string, ImportField][] =>
  Object.entries(IMPORT_FIELDS[list])

/** How the exports of one list are to be read. */
export interface ImportReading {
  /** Column or path in the file by field; a field that is not named here stands under its own name. */
  columns: Readonly<Record<string, string>>
  /** `decimal`: `12.30`; `cents`: `1230`. */
  amounts: 'cents' | 'decimal'
  /** Between two values of a line of CSV. */
  delimiter: string
}

export const DEFAULT_READING: ImportReading = { columns: {}, amounts: 'decimal', delimiter: ',' }

/** One file that is to be imported. */
export interface ImportOrder {
  account: string
  list: ImportList
  /** Absolute. */
  file: string
  format: ImportFormat
  /** When the export was made, ISO 8601; without it, when the file was last written. */
  exportedAt?: string
  /** The person's word that the file holds all that was created from this instant on until it was exported. */
  completeFrom?: string
}

export interface ImportedFile {
  file: string
  sweepId: string
  /** False: this file had been imported before, and nothing was written. */
  landed: boolean
  rows: number
  newVersions: number
  quarantined: number
  /** Records that were known with other content; the newer of the two is what the lake goes by. */
  differing: number
  /** Those among them whose content in the lake was observed after the export, and stays. */
  older: number
  /** Words that the interface as it is known doesn't have, such as `status=SETTLED`, by the number of records that say them; absent where there are none. */
  unknownWords?: Readonly<Record<string, number>>
}
