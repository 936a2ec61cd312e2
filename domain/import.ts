/** The request and the answer of an import. */
import { RECORD_FIELDS, type FieldKind, type RecordField } from './record-fields.ts'

export type ImportField = RecordField<FieldKind>
export type ImportList = 'settlements' | 'transactions'
export type ImportFormat = 'csv' | 'ndjson' | 'parquet'

/** The lists that an import may bring. */
export const IMPORT_LISTS: readonly ImportList[] = ['transactions', 'settlements']

/** The fields of a list, in the order of the table. */
export const importFields = (list: ImportList): [string, ImportField][] =>
  Object.entries(RECORD_FIELDS[list])

/** How local times are written: `pattern` of YYYY, YY, MM, MMM, DD, HH, hh, mm, ss, SSS and A; `zone` is an IANA time zone. */
export interface ImportDates {
  pattern: string
  zone: string
}

/** How the exports of one list are to be read. */
export interface ImportReading {
  /** Column or path in the file by field; a field that is not named here stands under its own name, in any case. */
  columns: Readonly<Record<string, string>>
  /** `decimal`: `12.30`; `number`: `12.3` and `12` too, of units; `cents`: `1230`. */
  amounts: 'cents' | 'decimal' | 'number'
  /** Between two values of a line of CSV. */
  delimiter: string
  /** `utf-8` stands for UTF-16 as well, which shows itself. */
  encoding: 'utf-8' | 'windows-1252'
  /** Lines above the header of CSV. */
  titleLines: number
  /** Lines of CSV below the last record, such as a total; empty ones don't count. */
  totalLines: number
  decimalMark: ',' | '.'
  /** Between groups of three digits; empty: there is none. A blank stands for every kind of blank. */
  thousandsMark: string
  /** What may stand before or after an amount, such as `$` or `USD`. */
  currencyMarks: readonly string[]
  /** The amounts of refunds carry a minus, which says no more than that it is a refund. */
  negativeRefunds: boolean
  dates?: ImportDates
  /** What the words of the file mean, by field: `{ action: { Sale: 'CHARGE' } }`. */
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

/** One file that is to be imported. */
export interface ImportOrder {
  account: string
  list: ImportList
  /** Absolute. */
  file: string
  /** How a person calls it, where that is no name of a file: `stdin`. */
  name?: string
  /** How it is read, where a person confirmed that for this file alone; else the settings say it. */
  reading?: ImportReading
  format: ImportFormat
  /** When the export was made, ISO 8601; without it, when the file was last written. */
  exportedAt?: string
  /** The person's word that the file holds all that was created from this instant on until it was exported. */
  completeFrom?: string
}

/** How a file is called in what a person reads. */
export const nameOf = ({ file, name }: Pick<ImportOrder, 'file' | 'name'>): string => name ?? file

/** A record that could not be read, and where it stands. */
export interface RejectedLine {
  /** From 1; in Parquet the row. */
  line: number
  field: string
  reason: string
  /** What stood in the field, as far as it may be shown. */
  excerpt: string
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
  /** The first records that could not be read; absent where all could. */
  rejects?: readonly RejectedLine[]
  /** Values that were left out because they are no id, in how many records, by field; absent where there are none. */
  leftOut?: Readonly<Record<string, number>>
  /** Optional fields that were there and held nothing, in how many records, by field; absent where there are none. */
  emptyFields?: Readonly<Record<string, number>>
}

/** How a file was read by one reading of it. */
export interface CheckedReading {
  rows: number
  quarantined: number
  rejects: readonly RejectedLine[]
  /** Why nothing of it would be landed; absent where it would. */
  refusal?: string
  /** Columns or paths in the file by field. */
  columns: Readonly<Record<string, string>>
  unknownWords: Readonly<Record<string, number>>
}

/** A file that was read without landing it. */
export interface CheckedFile {
  file: string
  format: ImportFormat
  /** How it is packed and encoded, where that is not plain UTF-8. */
  form: string
  /** By what the config file says. */
  confirmed: CheckedReading
  /** What seems to be written otherwise, each in a few words. */
  understood: readonly string[]
  /** What has two readings, so that only a person can say it. */
  questions: readonly string[]
  /** By what is understood; absent where that is what the config file says. */
  proposed?: CheckedReading
  reading: ImportReading
}
