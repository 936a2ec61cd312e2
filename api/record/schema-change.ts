/** Refuses a list with so many rejected records that the service seems to have changed. */
import { Failure } from '../../domain/failure.ts'
import type { List } from '../../domain/run.ts'
import type { ReadRecord } from './record.ts'

/** Throws schema_change if at least 20 records of a list, and more than one in a hundred, can't be read. */
export function refuseSchemaChange(
  list: List,
  { unreadable, records }: { unreadable: number; records: number },
): void {
  if (unreadable >= 20 && unreadable * 100 > records) {
    throw new Failure(
      'schema_change',
      `${unreadable} of ${records} records of ${list} can't be read: the service seems to have changed`,
    )
  }
}

/** Throws schema_change for a page of at least 20 records of which none can be read. */
export function refuseUnreadable(
  list: List,
  { records }: { records: readonly ReadRecord[] },
): void {
  const [first] = records
  if (records.length < 20 || first === undefined || !('reject' in first)) return
  if (records.some((record) => 'row' in record)) return
  const { field, reason } = first.reject
  throw new Failure(
    'schema_change',
    `none of the ${records.length} records of a page of ${list} can be read: field ${field}, ${reason}`,
  )
}
