/** What a plan of reading a file says: where its rows come from and what each field is in SQL. */
import { Failure } from '../../domain/failure.ts'
import { nameOf, type ImportOrder, type ImportReading } from '../../domain/import.ts'
import type { Spellings } from './documented-text.ts'
import type { FieldSql } from './field-sql.ts'
import type { ReadableFile } from './readable-file.ts'

export interface Plan {
  /** What follows `from`; its rows have a `row_no`, from 0 in the order of the file, where that costs nothing. */
  source: string
  hasRowNumbers: boolean
  /** Fields that the file has. */
  fields: ReadonlyMap<string, FieldSql>
  /** True for rows of which the fields tell all; null for rows that are none, such as empty lines. */
  guard: string
  /** What a row is judged by where it is judged one by one, as JSON text. */
  evidence: string
  /** Fields whose text is a number. */
  numeric: ReadonlySet<string>
  /** The columns or paths in the file under which fields stand. */
  places: Readonly<Record<string, string>>
  /** Optional fields that are there and hold nothing, each as a condition. */
  empty: ReadonlyMap<string, string>
  /** Of CSV. */
  delimiter: string
  /** The line on which each record begins, where that is not the order of rows. */
  lines?: readonly number[]
}

export interface PlanInput {
  order: ImportOrder
  reading: ImportReading
  file: ReadableFile
  spellings: Spellings
}

export const idOf = ({ list }: ImportOrder) =>
  list === 'settlements' ? 'settlementId' : 'transactionId'

export const placeOf = (reading: ImportReading, field: string) => reading.columns[field] ?? field

/** Whether two names differ in letter case and blanks around them alone. */
export const isSameName = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase()

/**
 * The name among these that is meant by `place`: the very name, else the one that differs in letter case and blanks
 * around it alone. Throws import_unreadable where two could be meant.
 */
export function nameIn(
  order: ImportOrder,
  { field, place }: { field: string; place: string },
  names: readonly string[],
): string | undefined {
  const exact = names.filter((name) => name.trim() === place.trim())
  const [meant, another] =
    exact.length > 0 ? exact : names.filter((name) => isSameName(name, place))
  if (another === undefined) return meant
  throw new Failure(
    'import_unreadable',
    `${nameOf(order)}: two columns are called ${place}, which ${field} stands under`,
  )
}

export function refuseAbsent(
  order: ImportOrder,
  { field, place, isNeeded }: { field: string; place: string; isNeeded: boolean },
): void {
  if (!isNeeded) return
  throw new Failure(
    'import_unreadable',
    `${nameOf(order)}: no column is called ${place}, which ${field} stands under`,
    {
      remedy: `name the column in the config file under import.${order.list}.columns.${field}`,
    },
  )
}
