/** The source of a pack's rows, and the facts about its run. */
import type { PackPlace } from './pack-folder.ts'
import type { BankHolidays } from '../../domain/bank-days.ts'
import type { Certificate, UnknownNames } from '../../domain/run.ts'

export type Row = Record<string, string | null>

/** The rows of a pack: `table` is one of `PACK_FILES`, or `summary`. */
export interface PackSource {
  /** Writes header and rows as RFC 4180 with CRLF, and returns the number of rows. */
  writeCsv(table: string, file: string): Promise<{ rows: number }>
  /** Returns the same rows in the same order as text, for small tables. */
  rows(table: string): Promise<Row[]>
  /** Yields the rows of a table of any size, some at a time: all of them, or the first `mostRows`. */
  batches(table: string, mostRows?: number): AsyncIterable<Row[]>
}

export interface PackAbout extends PackPlace {
  asOf: string
  knownAt: string
  codeVersion: string
  /** Every setting and decision that could change a number. */
  parameters: {
    timezone: string
    currency: string
    bankHolidays?: BankHolidays
    [name: string]: unknown
  }
  configHash: string
  /** The weakest certificate among the sweeps behind the numbers. */
  certificate: Certificate
  csvProfile: 'machine' | 'excel'
  /** The preparer of the run; `schedule` for the nightly run. */
  preparedBy?: string
  /** Fields and values in the newest sweeps that the interface does not have. */
  unknownNames?: UnknownNames
  /** The number of records of each list with an optional field that has no value. */
  emptyValues?: UnknownNames
  /** Further counts for the manifest, such as amounts with float noise. */
  counts?: Readonly<Record<string, number>>
}
