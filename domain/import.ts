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

/** The spelling of local times: `pattern` of YYYY, YY, MM, MMM, DD, HH, hh, mm, ss, SSS and A; `zone` is an IANA time zone. */
export interface ImportDates {
  pattern: string
  zone: string
}

/** The spelling of the exports of one list. */
export interface ImportReading {
  /** Column or path in the file by field. A field that is absent here has its own name, in any letter case. */
  columns: Readonly<Record<string, string>>
  /** `decimal`: `12.30`; `number`: `12.3` and `12` too, of units; `cents`: `1230`. */
  amounts: 'cents' | 'decimal' | 'number'
  /** The character between two values of CSV. */
  delimiter: string
  /** `utf-8` covers UTF-16 as well, which begins with a mark of its own. */
  encoding: 'utf-8' | 'windows-1252'
  /** Lines above the header of CSV. */
  titleLines: number
  /** Lines of CSV below the last record, such as a total. Empty lines don't count. */
  totalLines: number
  decimalMark: ',' | '.'
  /** The mark between groups of three digits, or empty for none. A space covers every kind of space. */
  thousandsMark: string
  /** Texts allowed before or after an amount, such as `$` or `USD`. */
  currencyMarks: readonly string[]
  /** The amounts of refunds have a minus, which only marks the refund. */
  negativeRefunds: boolean
  dates?: ImportDates
  /** The meaning of the file's words, by field: `{ action: { Sale: 'CHARGE' } }`. */
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

/** A file to import. */
export interface ImportOrder {
  account: string
  list: ImportList
  /** Absolute. */
  file: string
  /** The name for people, if it is no file name: `stdin`. */
  name?: string
  /** A reading that a person confirmed for this file alone; otherwise the settings have it. */
  reading?: ImportReading
  format: ImportFormat
  /** The time of the export, ISO 8601; otherwise the time at which the file was last written. */
  exportedAt?: string
  /** A person states that the file holds all records created from this instant until the export. */
  completeFrom?: string
}

/** The name of the file for people. */
export const nameOf = ({ file, name }: Pick<ImportOrder, 'file' | 'name'>): string => name ?? file

/** A record that could not be read, and its line. */
export interface RejectedLine {
  /** The line from 1, or in Parquet the row. */
  line: number
  field: string
  reason: string
  /** The value of the field, as far as it may be shown. */
  excerpt: string
}

/** Fields on which every verdict or a group of findings rests, and what follows if no record of a file has them. */
export const ABSENCES: Readonly<Record<string, string>> = {
  'settlement.settled': 'no transaction counts as settled, so that no settlement ties',
  'response.approved': 'each settled transaction becomes SETTLED_NOT_APPROVED',
  amountBase: 'each transaction with an amount becomes a TOTAL_MISMATCH',
  'vault.type': 'refunds and duplicate charges of cards are not judged',
}

export interface ImportedFile {
  file: string
  sweepId: string
  /** False: this file had been imported before, and nothing was written. */
  landed: boolean
  rows: number
  newVersions: number
  quarantined: number
  /** Records with other content than the lake knew, or than another line of the file. The lake uses the newest. */
  differing: number
  /** Those of them whose content in the lake is newer than the export, and stays. */
  older: number
  /** The number of records by unlisted word, such as `status=SETTLED`; absent if there is none. */
  unknownWords?: Readonly<Record<string, number>>
  /** The first records that could not be read; absent if there is none. */
  rejects?: readonly RejectedLine[]
  /** The number of records by field whose value was left out because it is no id; absent if there is none. */
  leftOut?: Readonly<Record<string, number>>
  /** The number of records by optional field that is empty; absent if there is none. */
  emptyFields?: Readonly<Record<string, number>>
  /** Fields that no record has, although verdicts or findings rest on them; absent if there is none. */
  absentFields?: readonly string[]
}

/** The result of one reading of a file. */
export interface CheckedReading {
  rows: number
  quarantined: number
  rejects: readonly RejectedLine[]
  /** Records of which two lines of the file differ. */
  differing: number
  /** The reason why nothing would be imported; absent if records would be. */
  refusal?: string
  /** Columns or paths in the file by field. */
  columns: Readonly<Record<string, string>>
  /** Columns or paths in the file that no field reads. */
  unusedColumns: readonly string[]
  /** Fields that no record has, although verdicts or findings rest on them. */
  absentFields: readonly string[]
  unknownWords: Readonly<Record<string, number>>
}

/** A file that was checked and not imported. */
export interface CheckedFile {
  file: string
  format: ImportFormat
  /** Its compression and encoding, unless it is plain UTF-8. */
  form: string
  /** The result with the reading of the config file. */
  confirmed: CheckedReading
  /** Each part of the spelling that seems to be another, in a few words. */
  understood: readonly string[]
  /** Each part that has two readings, between which only a person can choose. */
  questions: readonly string[]
  /** The result with the understood reading; absent if that is the reading of the config file. */
  proposed?: CheckedReading
  reading: ImportReading
}
