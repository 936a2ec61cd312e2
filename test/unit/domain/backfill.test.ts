import { expect, test } from 'vitest'
import { BACKFILL_WEIGHT, backfillId, chunksOf, paceOf } from '../../../domain/backfill.ts'

test('a range is cut at the first of each month, and no day is left out or counted twice', () => {
  expect(chunksOf({ from: '2026-01-15', to: '2026-03-02' })).toEqual([
    { from: '2026-01-15', to: '2026-02-01' },
    { from: '2026-02-01', to: '2026-03-01' },
    { from: '2026-03-01', to: '2026-03-02' },
  ])
  expect(chunksOf({ from: '2026-12-01', to: '2027-01-01' })).toEqual([
    { from: '2026-12-01', to: '2027-01-01' },
  ])
  expect(chunksOf({ from: '2026-01-31', to: '2026-02-01' })).toHaveLength(1)
})

test('a range is cut into chunks of so many days, the last of which may be shorter', () => {
  expect(chunksOf({ from: '2026-02-20', to: '2026-03-04' }, 10)).toEqual([
    { from: '2026-02-20', to: '2026-03-02' },
    { from: '2026-03-02', to: '2026-03-04' },
  ])
  expect(chunksOf({ from: '2026-02-20', to: '2026-02-20' }, 10)).toEqual([])
})

test('a backfill has its share of the rate, and no more requests than a person allows', () => {
  expect(paceOf(undefined)).toEqual({ weight: BACKFILL_WEIGHT })
  expect(paceOf(2)).toEqual({ weight: BACKFILL_WEIGHT, mostPerSecond: 2 })
})

test('the same range of an account is the same backfill', () => {
  expect(backfillId('acme', { from: '2026-01-01', to: '2026-02-01' })).toBe(
    'backfill/acme/2026-01-01..2026-02-01',
  )
})
