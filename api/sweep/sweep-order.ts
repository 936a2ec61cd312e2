/** In which order a list comes, as far as it was read: observed, never assumed. */
import type { ReadRecord } from '../record/record.ts'
import type { Row } from '../record/rows.ts'

/** One way in which a list may be sorted. */
export interface Order {
  /** Value of the last record. */
  last: string | null
  rises: boolean
  falls: boolean
  /** Records of one value began before a page and went on in it: nothing tells how the list sorts them among themselves. */
  tied: boolean
}

export interface Orders {
  id: Order
  created: Order
  modified: Order
}

const NAMES = ['id', 'created', 'modified'] as const

/** Nothing was read yet: every order is possible. */
export function noOrders(): Orders {
  const order = (): Order => ({
    last: null,
    rises: true,
    falls: true,
    tied: false,
  })
  return { id: order(), created: order(), modified: order() }
}

/** What the orders are after a page whose first `known` records lie up to the last one that was followed. */
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

/** True where the list is sorted by something, so that a record has one place and leaves it for an end only. */
export const isSorted = (orders: Orders): boolean => NAMES.some((name) => isUsable(orders[name]))

/** True where new and moved records come to the end of the list. */
export const growsAtEnd = ({ id, created }: Orders): boolean =>
  (isUsable(id) && id.rises) || (isUsable(created) && created.rises)

/** True where the list is sorted by what never changes, so that a record stays between the same neighbours. */
export const isFixed = ({ id, created }: Orders): boolean => isUsable(id) || isUsable(created)

/**
 * Whether the list falls in created and all of these records were created before an instant. Where nobody has seen the
 * whole list and its last changes fall too, it may be these that sort it: then they have to be older, too.
 */
export function isOlder(
  { created, modified }: Orders,
  records: readonly ReadRecord[],
  { instant, isNew }: { instant: string; isNew: boolean },
): boolean {
  const ages = agesOf(records).filter((age) => age.created !== null)
  const isNewestFirst = created.falls && !created.rises
  const age = isNew && modified.falls ? 'newest' : 'created'
  return isNewestFirst && ages.length > 0 && ages.every((one) => (one[age] ?? instant) < instant)
}

/** How old records are, one for each: when they were created, and when that or their last change was. */
export function agesOf(
  records: readonly ReadRecord[],
): { created: string | null; newest: string | null }[] {
  return records.map((record) => {
    if (!('row' in record)) return { created: null, newest: null }
    const created = valueOf(record.row, 'created')
    const modified = valueOf(record.row, 'modified')
    const newest = created !== null && modified !== null && modified > created ? modified : created
    return { created, newest }
  })
}

/** How created goes within one page; level where all are equal. */
export function directionOf(records: readonly ReadRecord[]): 'falls' | 'level' | 'none' | 'rises' {
  const { rises, falls } = follow(noOrders(), records, 0).created
  if (rises) return falls ? 'level' : 'rises'
  return falls ? 'falls' : 'none'
}

/** Whether all of these records lie before the last one that was followed; undefined where no order tells. */
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
