import { expect, test } from 'vitest'
import { RecentIds } from '../../../api/sweep/recent-ids.ts'
import { record } from './driven-sweep.ts'

const of = (...ids: number[]) => ids.map((id) => record({ id, created: 0 }))

test('the ids of the last pages are known, and those of earlier pages are not', () => {
  const recent = new RecentIds(2)
  const known = () => of(1, 2, 3, 4).filter(recent.has).length
  recent.add(of(1, 2))
  recent.add(of(2, 3))
  expect(known()).toBe(3)
  recent.add(of(4))
  // The record 2 is also on the second page, which is one of the last two.
  expect(of(1, 2, 3, 4).map(recent.has)).toEqual([false, true, true, true])
  recent.clear()
  expect(known()).toBe(0)
})
