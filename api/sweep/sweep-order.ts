/** Observes the order in which a list comes, as far as it was read. No order is assumed. */
import type { ReadRecord } from '../record/record.ts'
import type { Row } from '../record/rows.ts'

/** A possible order of the list, by one field. */
export interface Order {
  /** Value of the last record. */
  last: string | null
  rises: boolean
  falls: boolean
  /** Records with equal values stand on both sides of a page boundary. Their order among themselves is unknown. */
  tied: boolean
}

export interface Orders {
  id: Order
  created: Order
  modified: Order
}

const NAMES = ['id', 'created', 'modified'] as const

/** The state before the first page: every order is possible. */
export function noOrders(): Orders {
  const order = (): Order => ({
    last: null,
    rises: true,
    falls: true,
    tied: false,
  })
  return { id: order(), created: order(), modified: order() }
}

/** Updates the orders after a page. An earlier call has followed the page's first `known` records already. */
export function follow(before: Orders, records: readonly ReadRecord[], known: number): Orders {
  const rows = rowsOf(records.slice(known))
  const first = known === 0 ? undefined : firstRow(records)
  const after = (name: keyof Orders): Order => {
    const order = { ...before[name] }
    if (first !== undefined && name !== 'id' && valueOf(first, name) === order.last) {
      order.tied = true
    }
    for (const row of rows) {
      const value = valueOf(row, name)
      if (value === null) continue
      if (order.last !== null && value < order.last) order.rises = false
      if (order.last !== null && value > order.last) order.falls = false
      order.last = value
    }
    return order
  }
  return { id: after('id'), created: after('created'), modified: after('modified') }
}

/** True if the list is sorted by a field. A record then has one place and can only move to an end of the list. */
export const isSorted = (orders: Orders): boolean => NAMES.some((name) => isUsable(orders[name]))

/** True if new and moved records come to the end of the list. */
export const growsAtEnd = ({ id, created }: Orders): boolean =>
  (isUsable(id) && id.rises) || (isUsable(created) && created.rises)

/** True if the list is sorted by a field that never changes, so that a record always has the same neighbours. */
export const isFixed = ({ id, created }: Orders): boolean => isUsable(id) || isUsable(created)

/**
 * True if the list has the newest `created` first, and all of these records were created before the instant. If the
 * order is still uncertain (`isNew`) and lastModified also falls, lastModified may be the sort key. Each lastModified
 * must then be older, too.
 */
export function isOlder(
  { created, modified }: Orders,
  records: readonly ReadRecord[],
  { instant, isNew }: { instant: string; isNew: boolean },
): boolean {
  const ages = agesOf(records).filter((age) => age.created !== null)
  const isNewestFirst = created.falls && !created.rises
  const age = isNew && modified.falls ? 'newest' : 'created'
  return isNewestFirst && ages.length > 0 && ages.every((one) => one[age] < instant)
}

/** The time of a record's creation, and the later one of its creation and its last change; both null if unknown. */
type Age = { created: string; newest: string } | { created: null; newest: null }

/** Returns the age of each record. */
export function agesOf(records: readonly ReadRecord[]): Age[] {
  return records.map((record) => {
    const created = 'row' in record ? valueOf(record.row, 'created') : null
    if (!('row' in record) || created === null) return { created: null, newest: null }
    const modified = valueOf(record.row, 'modified')
    return { created, newest: modified !== null && modified > created ? modified : created }
  })
}

/** Returns the direction of created within one page: level if all are equal, none if it is unsorted. */
export function directionOf(records: readonly ReadRecord[]): 'falls' | 'level' | 'none' | 'rises' {
  const { rises, falls } = follow(noOrders(), records, 0).created
  if (rises) return falls ? 'level' : 'rises'
  return falls ? 'falls' : 'none'
}

/** True if all of these records lie before the last one that was followed. Undefined if no order shows it. */
export function liesBefore(orders: Orders, records: readonly ReadRecord[]): boolean | undefined {
  const rows = rowsOf(records)
  for (const name of NAMES) {
    const { last, rises } = orders[name]
    if (!isUsable(orders[name]) || last === null || rows.length === 0) continue
    const values = rows.flatMap((row) => valueOf(row, name) ?? [])
    if (values.every((value) => (rises ? value < last : value > last))) return true
    if (values.every((value) => (rises ? value > last : value < last))) return false
  }
  return undefined
}

const isUsable = ({ last, rises, falls, tied }: Order) => last !== null && rises !== falls && !tied

function rowsOf(records: readonly ReadRecord[]): Row[] {
  const rows: Row[] = []
  for (const record of records) if ('row' in record) rows.push(record.row)
  return rows
}

function firstRow(records: readonly ReadRecord[]): Row | undefined {
  for (const record of records) if ('row' in record) return record.row
  return undefined
}

function valueOf(row: Row, name: keyof Orders): string | null {
  if (name === 'created') return row.created ?? null
  if (name === 'modified') return row.last_modified ?? null
  return idOf(row).padStart(20, '0')
}

/** The id of a record's row, as digits. */
export const idOf = (row: Row): string => row.transaction_id ?? row.settlement_id ?? row.terminal_id
