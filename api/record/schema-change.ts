/** Refuses a list with so many rejected records that the service seems to have changed. */
import { Failure } from '../../domain/failure.ts'
import type { List } from '../../domain/run.ts'
import type { ReadRecord } from './record.ts'
import type { Fault } from './read-parsed.ts'

/** A fault without the value of its field. */
export type NamedFault = Pick<Fault, 'field' | 'reason'>

const faultWords = ({ field, reason }: NamedFault) =>
  field === '' ? reason : `field ${field}, ${reason}`

interface Readability {
  unreadable: number
  records: number
  firstFault?: NamedFault | undefined
}

/** Throws schema_change if at least 20 records of a list, and more than one in a hundred, can't be read. */
export function refuseSchemaChange(
  list: List,
  { unreadable, records, firstFault }: Readability,
): void {
  if (unreadable < 20 || unreadable * 100 <= records) return
  const first = firstFault === undefined ? '' : `; the first: ${faultWords(firstFault)}`
  throw new Failure(
    'schema_change',
    `${unreadable} of ${records} records of ${list} can't be read${first}`,
  )
}

/** Returns the fault of the first record that can't be read, without its id. */
export function firstFaultIn(records: readonly ReadRecord[]): NamedFault | undefined {
  const found = records.find((record) => 'reject' in record)
  if (found === undefined || !('reject' in found)) return undefined
  const { field, reason } = found.reject
  return { field, reason }
}

/** Throws schema_change for a page of at least 20 records of which none can be read. */
export function refuseUnreadable(
  list: List,
  { records }: { records: readonly ReadRecord[] },
): void {
  const [first] = records
  if (records.length < 20 || first === undefined || !('reject' in first)) return
  if (records.some((record) => 'row' in record)) return
  throw new Failure(
    'schema_change',
    `none of the ${records.length} records of a page of ${list} can be read: ${faultWords(first.reject)}`,
  )
}
