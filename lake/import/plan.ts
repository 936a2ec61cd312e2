/** The plan for reading a file: the source of its rows, and the SQL of each field. */
import type { ImportOrder, ImportReading } from '../../domain/import.ts'
import type { Spellings } from './documented-text.ts'
import type { FieldSql } from './field-sql.ts'
import { unread } from './file-kind.ts'
import type { ReadableFile } from './readable-file.ts'

export interface Plan {
  /** The text after `from`. Its rows have a `row_no`, from 0 in the file's order, if `hasRowNumbers` is true. */
  source: string
  hasRowNumbers: boolean
  /** The fields that the file has. */
  fields: ReadonlyMap<string, FieldSql>
  /**
   * SQL that is true for a row whose fields can be judged as they are. Null for a row that is no record, such as an
   * empty line.
   */
  guard: string
  /** SQL for the JSON text by which a single row is judged. */
  evidence: string
  /** Fields whose text is a number. */
  numeric: ReadonlySet<string>
  /** The columns or paths of the file in which fields stand. */
  places: Readonly<Record<string, string>>
  /** The columns or paths of the file in which no field stands. */
  unused: readonly string[]
  /** Optional fields that may be present but empty, each with the condition for that. */
  empty: ReadonlyMap<string, string>
  /** The delimiter of CSV. */
  delimiter: string
  /** The line on which each record begins, if it differs from the row's number. */
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

/** The delimiter by the name of the file and the config: a name that ends in .tsv means tabs. */
export function namedDelimiter({ file }: ImportOrder, { delimiter }: ImportReading): string {
  return delimiter === ',' && /\.tsv(?:\.gz)?$/i.test(file) ? '\t' : delimiter
}

export const placeOf = (reading: ImportReading, field: string) => reading.columns[field] ?? field

/**
 * Returns the paths that no field reads. A nested one with a field inside is read, and one without is named alone,
 * without what is in it.
 */
export function unusedIn(paths: readonly string[], places: Iterable<string>): string[] {
  const read = new Set(
    [...places].flatMap((place) => [place, ...pathsAbove(place)]).map((path) => plain(path)),
  )
  const unread = new Set(paths.filter((path) => !read.has(plain(path))))
  return [...unread].filter((path) => !pathsAbove(path).some((above) => unread.has(above)))
}

const plain = (name: string) => name.trim().toLowerCase()

/** The paths of all that encloses a path: `a` and `a.b` for `a.b.c`. */
const pathsAbove = (path: string): string[] =>
  path
    .split('.')
    .slice(0, -1)
    .map((_name, at, names) => names.slice(0, at + 1).join('.'))

/** True if two names differ only in letter case and surrounding blanks. */
export const isSameName = (one: string, other: string): boolean => plain(one) === plain(other)

/**
 * Returns the name among these that `place` means. Throws import_unreadable if there are two, even if only one has the
 * letter case of `place`. A program that wrote both may have meant the other one.
 */
export function nameIn(
  order: ImportOrder,
  { field, place }: { field: string; place: string },
  names: readonly string[],
): string | undefined {
  const [meant, another] = names.filter((name) => isSameName(name, place))
  if (another === undefined) return meant
  const alike = meant?.trim() === another.trim() ? '' : ', apart from letter case and blanks'
  throw unread(order, `two columns are called ${place}${alike}, and only one can hold ${field}`)
}

export function refuseAbsent(
  order: ImportOrder,
  { field, place, isNeeded }: { field: string; place: string; isNeeded: boolean },
): void {
  if (!isNeeded) return
  throw unread(
    order,
    `no column is called ${place}, and ${field === place ? 'it' : field} is needed`,
    { remedy: `name the column in the config file under import.${order.list}.columns.${field}` },
  )
}
