/** Goal: a sweep believes in an order only as far as it has seen it. Method: a few records, and each answer to them. */
import { describe, expect, test } from 'vitest'
import {
  agesOf,
  directionOf,
  follow,
  growsAtEnd,
  isFixed,
  isOlder,
  isSorted,
  liesBefore,
  noOrders,
  type Orders,
} from '../../../api/sweep/sweep-order.ts'
import { overlapOf } from '../../../api/sweep/sweep-state.ts'
import { instant, record, transaction, unreadable } from './driven-sweep.ts'

/** Settlements with these minutes of creation, under ids in no order. */
const created = (...minutes: number[]) =>
  minutes.map((minute, at) => record({ id: [5, 9, 2, 7, 1][at] ?? 3, created: minute }))

const seen = (...pages: ReturnType<typeof created>[]): Orders => {
  let orders = noOrders()
  for (const page of pages) orders = follow(orders, page, 0)
  return orders
}

test.each([
  [created(1, 2, 3), 'rises'],
  [created(3, 2, 2), 'falls'],
  [created(2, 2), 'level'],
  [created(1, 3, 2), 'none'],
  [[], 'level'],
  [[unreadable(1), ...created(1, 2)], 'rises'],
])('the direction of a page is that of its records', (page, direction) => {
  expect(directionOf(page)).toBe(direction)
})

test('an order is usable if it rises or falls over at least two values', () => {
  expect([isSorted(seen(created(1))), isSorted(noOrders())]).toEqual([false, false])
  expect([isSorted(seen(created(1, 2))), isFixed(seen(created(1, 2)))]).toEqual([true, true])
  expect(isSorted(seen(created(1, 3, 2)))).toBe(false)
  expect(isSorted(seen(created(1, 2, 3), created(1)))).toBe(false)
})

test('a list grows at its end if its ids or its times rise, and not if they fall', () => {
  expect(growsAtEnd(seen(created(1, 2, 3)))).toBe(true)
  expect(growsAtEnd(seen(created(3, 2, 1)))).toBe(false)
  const byId = [1, 2, 3].map((id) => record({ id, created: [5, 1, 3][id - 1] ?? 0 }))
  expect(growsAtEnd(seen(byId))).toBe(true)
  expect(growsAtEnd(seen(byId.toReversed()))).toBe(false)
})

test('a list sorted by its last change has no fixed places', () => {
  const list = [transaction(5, 9, 10), transaction(9, 2, 20), transaction(2, 5, 30)]
  expect([isSorted(seen(list)), isFixed(seen(list))]).toEqual([true, false])
})

test('equal times on both sides of a page boundary leave the order open', () => {
  const [first, second, third] = created(1, 2, 2)
  const before = follow(noOrders(), [first, second].filter(isPresent), 0)
  expect(follow(before, [second, third].filter(isPresent), 1).created.tied).toBe(true)
  expect(follow(before, [unreadable(1), second].filter(isPresent), 1).created.tied).toBe(true)
  expect(follow(before, [unreadable(1)], 1).created.tied).toBe(false)
  expect(follow(before, created(3, 4), 1).created.tied).toBe(false)
})

const isPresent = <T>(value: T | undefined): value is T => value !== undefined

describe('records lie before the last one that was followed', () => {
  const rising = seen(created(10, 20, 30))

  test('if they are older and the list rises', () => {
    expect(liesBefore(rising, created(1, 2))).toBe(true)
    expect(liesBefore(rising, created(31, 40))).toBe(false)
    expect(liesBefore(rising, created(29, 31))).toBeUndefined()
  })

  test('if they are newer and the list falls', () => {
    const falling = seen(created(30, 20, 10))
    expect(liesBefore(falling, created(11, 40))).toBe(true)
    expect(liesBefore(falling, created(1, 9))).toBe(false)
  })

  test('if their known last changes show it', () => {
    const list = seen([transaction(5, 9, 10), transaction(9, 2, 20), transaction(2, 5, 30)])
    expect(liesBefore(list, [transaction(3, 1, null), transaction(4, 1, 15)])).toBe(true)
  })

  test('and remain unjudged without an order, or without a record', () => {
    expect(liesBefore(seen(created(1, 3, 2)), created(1))).toBeUndefined()
    expect(liesBefore(rising, [])).toBeUndefined()
    expect(liesBefore(rising, [unreadable(1)])).toBeUndefined()
  })
})

describe('a page is older than an instant', () => {
  const about = { instant: instant(20), isNew: false }

  test('if the newest come first, and each of its records is older', () => {
    const falling = seen(created(40, 30))
    expect(isOlder(falling, created(19, 10), about)).toBe(true)
    expect(isOlder(falling, created(20, 10), about)).toBe(false)
    expect(isOlder(falling, [unreadable(1), ...created(19)], about)).toBe(true)
    expect(isOlder(falling, [unreadable(1)], about)).toBe(false)
    expect(isOlder(seen(created(1, 2)), created(1), about)).toBe(false)
    expect(isOlder(noOrders(), created(1), about)).toBe(false)
  })

  test('only by its last changes as well, as long as these may be the order of the list', () => {
    const list = seen([transaction(5, 40, 41), transaction(9, 30, 31)])
    const late = [transaction(2, 10, 25)]
    expect(isOlder(list, late, about)).toBe(true)
    expect(isOlder(list, late, { ...about, isNew: true })).toBe(false)
    expect(isOlder(list, [transaction(2, 10, 15)], { ...about, isNew: true })).toBe(true)
  })
})

test('the age of a record is the later one of its creation and its last change', () => {
  const list = [
    ...[transaction(1, 10, 20), transaction(2, 20, 10), transaction(3, 10, null)],
    unreadable(4),
  ]
  expect(agesOf(list)).toEqual([
    { created: instant(10), newest: instant(20) },
    { created: instant(20), newest: instant(20) },
    { created: instant(10), newest: instant(10) },
    { created: null, newest: null },
  ])
})

test.each([
  [0, 0],
  [1, 0],
  [2, 1],
  [3, 1],
  [4, 2],
  [24, 2],
  [36, 3],
  [120, 10],
  [1000, 10],
])('after a page of %d records, the next one repeats %d', (count, overlap) => {
  expect(overlapOf(count)).toBe(overlap)
})
