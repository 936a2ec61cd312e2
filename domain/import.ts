/** The orders and results of imports, and the fields of an export under the service's names. */

export type ImportList = 'settlements' | 'transactions'
export type ImportFormat = 'csv' | 'ndjson' | 'parquet'

/** The way in which a field is read, by the rules of the service's own records. */
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

/** A dot leads into a nested object, as in the service's records. */
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

/**
 * The form of local times: `pattern` of YYYY, YY, MM, MMM, DD, HH, hh, mm, ss, SSS and A; `zone` is
 * an IANA time zone.
 */
export interface ImportDates {
  pattern: string
  zone: string
}

/** The form of the exports of one list. */
export interface ImportReading {
  /** Column or path in the file by field; other fields stand under their own names, in any case. */
  columns: Readonly<Record<string, string>>
  /** `decimal`: `12.30`; `number`: `12.3` and `12` as well, in units; `cents`: `1230`. */
  amounts: 'cents' | 'decimal' | 'number'
  /** Separates two values of a CSV line. */
  delimiter: string
  /** `utf-8` includes UTF-16, which is detected. */
  encoding: 'utf-8' | 'windows-1252'
  /** Lines above the CSV header. */
  titleLines: number
  /** CSV lines below the last record, such as a total; empty lines don't count. */
  totalLines: number
  decimalMark: ',' | '.'
  /** Separates groups of three digits; empty: none. A blank stands for every kind of blank. */
  thousandsMark: string
  /** Marks before or after an amount, such as `$` or `USD`. */
  currencyMarks: readonly string[]
  /** True if the amounts of refunds have a minus that only marks them as refunds. */
  negativeRefunds: boolean
  dates?: ImportDates
  /** The meaning of a file's values, by field: `{ action: { Sale: 'CHARGE' } }`. */
  words: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export const DEFAULT_READING: ImportReading = {
  columns: {},
  amounts: 'decimal',
  delimiter: ',',
  encoding: 'utf-8',
  titleLines: 0,
  totalLines: 0,
  decimalMark: '.',
  thousandsMark: '',
  currencyMarks: [],
  negativeRefunds: false,
  words: {},
}

/** One file to import. */
export interface ImportOrder {
  account: string
  list: ImportList
  /** An absolute path. */
  file: string
  /** The name for a person if there is no file name: `stdin`. */
  name?: string
  /** The reading that a person confirmed for this file alone; absent: that of the settings. */
  reading?: ImportReading
  format: ImportFormat
  /** Time of the export, ISO 8601; absent: the last change of the file. */
  exportedAt?: string
  /** Instant from which the file is complete up to its export, by a person's statement. */
  completeFrom?: string
}

/** The name of a file for a person. */
export const nameOf = ({ file, name }: Pick<ImportOrder, 'file' | 'name'>): string => name ?? file

/** A record that could not be read, with its position. */
export interface RejectedLine {
  /** Counted from 1; the row in Parquet. */
  line: number
  field: string
  reason: string
  /** The value of the field, as far as it may be shown. */
  excerpt: string
}

export interface ImportedFile {
  file: string
  sweepId: string
  /** False if this file had been imported before, and the import wrote nothing. */
  landed: boolean
  rows: number
  newVersions: number
  quarantined: number
  /** Records with other content than the known version; the lake uses the newer of the two. */
  differing: number
  /** The ones among them that the lake observed after the export, and keeps. */
  older: number
  /**
   * Values that the known interface doesn't have, such as `status=SETTLED`, with the number of
   * records; absent if there are none.
   */
  unknownWords?: Readonly<Record<string, number>>
  /** The first records that could not be read; absent if all could. */
  rejects?: readonly RejectedLine[]
  /**
   * Values left out because they are not ids: number of records by field; absent if there are none.
   */
  leftOut?: Readonly<Record<string, number>>
  /** Optional fields without a value: number of records by field; absent if there are none. */
  emptyFields?: Readonly<Record<string, number>>
}

/** The result of reading a file in one way. */
export interface CheckedReading {
  rows: number
  quarantined: number
  rejects: readonly RejectedLine[]
  /** The reason why nothing would land; absent if it would. */
  refusal?: string
  /** Columns or paths in the file by field. */
  columns: Readonly<Record<string, string>>
  unknownWords: Readonly<Record<string, number>>
}

/** A file that was read without landing it. */
export interface CheckedFile {
  file: string
  format: ImportFormat
  /** Compression and encoding, if the file is not plain UTF-8. */
  form: string
  /** The result with the settings of the config file. */
  confirmed: CheckedReading
  /** Detected differences from the settings, each in a few words. */
  understood: readonly string[]
  /** Values with two readings, for a person to decide. */
  questions: readonly string[]
  /** The result with the detected reading; absent if it equals that of the config file. */
  proposed?: CheckedReading
  reading: ImportReading
}
