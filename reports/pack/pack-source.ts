/** Where a pack takes its rows from, and what it says of its run. */
import type { PackPlace } from './pack-folder.ts'
import type { BankHolidays } from '../../domain/bank-days.ts'
import type { Certificate, UnknownNames } from '../../domain/run.ts'

export type Row = Record<string, string | null>

/** Where the rows come from: `table` is one of `PACK_FILES`, or one that the summaries show beside them. */
export interface PackSource {
  /** Writes header and rows as RFC 4180 with CRLF, and says how many rows. */
  writeCsv(table: string, file: string): Promise<{ rows: number }>
  /** The same rows in the same order, as text; for small tables. */
  rows(table: string): Promise<Row[]>
  /** The same of a table of any size, some rows at a time. */
  batches(table: string): AsyncIterable<Row[]>
}

export interface PackAbout extends PackPlace {
  asOf: string
  knownAt: string
  codeVersion: string
  /** Everything that could change a number. */
  parameters: {
    timezone: string
    currency: string
    bankHolidays?: BankHolidays
    [name: string]: unknown
  }
  configHash: string
  /** The weakest certificate of the sweeps that the numbers rest on. */
  certificate: Certificate
  csvProfile: 'machine' | 'excel'
  /** Who had the run made; `schedule` for the nightly run. */
  preparedBy?: string
  /** What the newest sweeps met beyond the known interface. */
  unknownNames?: UnknownNames
  /** In how many records of each list an optional field was there and held nothing. */
  emptyValues?: UnknownNames
  /** Further counts for the manifest, such as amounts with float noise. */
  counts?: Readonly<Record<string, number>>
  /** True of a journal entry that an approved pack held; without it none was approved. */
  isExported?: (entryId: string) => boolean
}
