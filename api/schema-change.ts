/** When a list holds so little that can be read that the service seems to be another one. */
import { Failure } from '../domain/failure.ts'
import type { List } from '../domain/run.ts'
import type { ReadRecord } from './record.ts'

/** Throws schema_change where so many records of a list can't be read that the service seems to be another one. */
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

/** Throws schema_change for a page of which nothing can be read. */
export function refuseUnreadable(
  list: List,
  { records }: { records: readonly ReadRecord[] },
): void {
  if (records.length < 20) return
  const rejects = records.flatMap((record) => ('reject' in record ? [record.reject] : []))
  const first = rejects[0]
  if (rejects.length < records.length || first === undefined) return
  throw new Failure(
    'schema_change',
    `none of the ${records.length} records of a page of ${list} can be read: field ${first.field}, ${first.reason}`,
  )
}
