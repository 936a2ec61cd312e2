/**
 * Goal: a sweep misses no record, and certifies only what it proved. Method: lists in memory that change between two
 * pages in one chosen way.
 */
import { describe, expect, test } from 'vitest'
import { newCollect, startState } from '../../../api/sweep/sweep-state.ts'
import {
  drive,
  instant,
  numbered,
  record,
  sorted,
  unreadable,
  type Settlement,
} from './driven-sweep.ts'

const COUNT = 60
/** Oldest first; a new one comes to the end. */
const rising = Array.from({ length: COUNT }, (_, at): Settlement => ({ id: at + 1, created: at }))
const falling = rising.toReversed()
/** Neither sorted by id nor by created. */
const mixed = rising.map((_, at): Settlement => {
  const id = ((at * 47) % 61) + 1
  return { id, created: (id * 7) % 61 }
})

const records = (list: readonly Settlement[]) => list.map(record)
const idsOf = (list: readonly Settlement[]) => sorted(list.map(({ id }) => String(id)))

describe('a list that does not change', () => {
  test('and has no order is read twice, and the second reading hands over nothing again', () => {
    const { state, ids, offsets } = drive(() => records(mixed))
    expect(sorted(ids)).toEqual(idsOf(mixed))
    expect(ids).toHaveLength(mixed.length)
    expect(state).toMatchObject({ certificate: 'SNAPSHOT', records: COUNT, rewinds: 0 })
    expect(offsets.filter((offset) => offset === 0)).toHaveLength(2)
  })

  test('and is sorted by created is read once, and its head again', () => {
    const { state, ids, offsets } = drive(() => records(rising))
    expect(sorted(ids)).toEqual(numbered(COUNT))
    expect(state.certificate).toBe('CONTIGUOUS')
    expect(offsets.at(-1)).toBe(0)
  })

  test('and has one page is whole, for a page is read at one moment', () => {
    const { state, ids } = drive(() => records(rising.slice(0, 5)))
    expect([state.certificate, ids]).toEqual(['SNAPSHOT', numbered(5)])
  })

  test('and has one record a page proves nothing, because such pages share no record', () => {
    const { state, ids } = drive(() => records(rising.slice(0, 4)), { limit: 1 })
    expect([state.certificate, sorted(ids)]).toEqual(['BEST_EFFORT', numbered(4)])
  })

  test('and has no record is whole', () => {
    expect(drive(() => []).state).toMatchObject({ certificate: 'SNAPSHOT', records: 0 })
  })
})

describe('a list that changes while it is read', () => {
  test('loses no record when others before it are deleted', () => {
    const { state, ids } = drive((request) => records(request < 2 ? rising : rising.slice(7)))
    expect(sorted(ids)).toEqual(numbered(COUNT))
    expect(state.rewinds).toBeGreaterThan(0)
  })

  test('loses no record when others before it are added', () => {
    const more = [-3, -2, -1].map((id) => ({ id: 100 + id, created: id }))
    const { ids } = drive((request) => records(request < 2 ? rising : [...more, ...rising]))
    expect(sorted(ids)).toEqual(expect.arrayContaining(numbered(COUNT)))
  })

  test('shows a record that moves to the head after the head was read', () => {
    const [moving] = falling.slice(40)
    const after = [
      { ...moving, id: moving?.id ?? 0, created: 900, status: 'COMPLETE' },
      ...falling.filter((one) => one !== moving),
    ]
    const { ids, state } = drive((request) => records(request < 3 ? falling : after))
    expect(sorted(ids)).toEqual(numbered(COUNT))
    expect(state.certificate).toBe('CONTIGUOUS')
  })

  test('shows new records at the head until a reading of the head finds none', () => {
    const fresh = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ id: 300 - at, created: 300 - at }))
    const list = (request: number) => [...fresh(request < 5 ? 0 : 3), ...falling]
    const { ids } = drive((request) => records(list(request)))
    expect(sorted(ids)).toEqual(expect.arrayContaining(['298', '299', '300']))
  })

  test('is no snapshot if a record changed between two readings', () => {
    // The 31st record stands in two pages, so that its change is seen at once. The 36th stands in one.
    for (const place of [30, 35]) {
      const changed = (request: number) =>
        mixed.map((one, at) => (at === place ? { ...one, status: `S${request}` } : one))
      const { state } = drive((request) => records(changed(request)))
      expect(state.certificate, `${place}`).toBe('BEST_EFFORT')
    }
  })

  test('hands over a record again whose content changed', () => {
    const changed = mixed.map((one, at) => (at === 30 ? { ...one, status: 'COMPLETE' } : one))
    const { ids, state } = drive((request) => records(request < 5 ? mixed : changed))
    expect(ids.filter((id) => id === String(mixed[30]?.id))).toHaveLength(2)
    expect(state.certificate).toBe('SNAPSHOT')
  })

  test('is certified at best effort if a part of it was not found again', () => {
    const others = (request: number) => mixed.map((one) => ({ ...one, id: one.id + request * 100 }))
    const { state } = drive((request) => records(others(request)), { limit: 40 })
    expect(state).toMatchObject({ certificate: 'BEST_EFFORT', held: false })
  })
})

describe('a part of a list', () => {
  test('with the newest records ends the sweep at the first page without one', () => {
    const { state, ids } = drive(() => records(falling), { part: { until: instant(40) } })
    expect(sorted(ids)).toEqual(expect.arrayContaining(sorted(numbered(COUNT).slice(40))))
    expect(ids.length).toBeLessThan(COUNT)
    expect(state.coversFrom).toBe(instant(40))
  })

  test('is the whole list if the list has another order', () => {
    const { state, ids } = drive(() => records(mixed), { part: { until: instant(40) } })
    expect(sorted(ids)).toEqual(idsOf(mixed))
    expect(state.coversFrom).toBeNull()
  })

  test('that is looked for in a rising list begins at the last older record', () => {
    const { state, ids } = drive(() => records(rising), { part: { since: instant(50) } })
    expect(state).toMatchObject({ sought: 'start', rewinds: 0 })
    expect(sorted(ids)).toEqual(expect.arrayContaining(numbered(COUNT).slice(50)))
    expect(state.coversFrom !== null && state.coversFrom < instant(50)).toBe(true)
    expect(ids.length).toBeLessThan(25)
  })

  test('that is looked for in a falling list ends at the last newer record', () => {
    const { state, ids } = drive(() => records(falling), { part: { since: instant(50) } })
    expect(state).toMatchObject({ sought: 'falling', coversFrom: instant(50) })
    expect(sorted(ids)).toEqual(expect.arrayContaining(numbered(COUNT).slice(50)))
  })

  test('that is looked for in a list without order is the whole list', () => {
    const { state, ids } = drive(() => records(mixed), { part: { since: instant(50) } })
    expect(state).toMatchObject({ sought: 'no-order', coversFrom: null })
    expect(sorted(ids)).toEqual(idsOf(mixed))
  })

  test('that is the whole list is read from its head', () => {
    const { state, ids } = drive(() => records(rising), { part: { since: instant(-5) } })
    expect(state).toMatchObject({ sought: 'all-needed', coversFrom: null })
    expect(sorted(ids)).toEqual(numbered(COUNT))
  })

  test('is the whole list if the place to begin was a mistake', () => {
    // The search looks at the first 36 records, which rise.
    const list = [...rising.slice(0, 45), { id: 61, created: 1 }, ...rising.slice(45)]
    const { state, ids } = drive(() => records(list), { part: { since: instant(20) } })
    expect(state).toMatchObject({ sought: 'misled', coversFrom: null })
    expect(sorted(ids)).toEqual(numbered(61))
  })

  test('begins at a known record, wherever it is by now', () => {
    const start = { offset: 40, firstId: '41', coversFrom: instant(40) }
    const { state, ids } = drive(() => records(rising.slice(5)), { part: { start } })
    expect(sorted(ids)).toEqual(expect.arrayContaining(numbered(COUNT).slice(40)))
    expect(ids.length).toBeLessThan(COUNT - 5)
    expect(state).toMatchObject({ begin: { offset: 35 }, coversFrom: instant(40) })
    const whole = drive(() => records(rising.filter(({ id }) => id !== 41)), { part: { start } })
    expect(sorted(whole.ids)).toEqual(numbered(COUNT).filter((id) => id !== '41'))
    expect(whole.state.coversFrom).toBeNull()
  })

  test('is certified at best effort if its first record was deleted with many before it', () => {
    const start = { offset: 9000, firstId: '9001', coversFrom: instant(9000) }
    const ids = Array.from({ length: 10_000 }, (_, at) => at + 1)
    const left = ids.filter((id) => id > 3500 && id !== 9001)
    const list = records(left.map((id) => ({ id, created: id - 1 })))
    // The sweep may not read once more, so that it can't begin at the head instead.
    const from = { ...startState('2026-11-30T00:00:00.000Z', { start }), collect: newCollect(12) }
    const { state, ids: read } = drive(() => list, { from })
    expect(read).not.toContain('9002')
    expect(state.certificate).toBe('BEST_EFFORT')
  })
})

describe('the sweep goes on', () => {
  test('past pages without a record, at the place that they name', () => {
    const list = records(rising)
    const { ids, state } = drive(() => list, {
      answer: (read) =>
        read.page.offset >= 20 && read.page.offset < 40 ? { ...read, records: [] } : read,
    })
    expect(sorted(ids)).toEqual(expect.arrayContaining(numbered(20)))
    expect(sorted(ids)).toEqual(expect.arrayContaining(['60']))
    expect(state).toMatchObject({ hasGaps: true })
    expect(state.followed).toBeGreaterThan(0)
  })

  test('through a service that rounds offsets down to whole pages', () => {
    const list = records(rising)
    const limit = 12
    const { ids, state } = drive(() => list, {
      limit,
      answer: (read) => {
        const offset = Math.floor(read.page.offset / limit) * limit
        const shown = list.slice(offset, offset + limit)
        const hasNext = offset + limit < list.length
        const next = hasNext ? { offset: offset + limit } : undefined
        return { ...read, page: { ...read.page, hasNext, next }, records: shown }
      },
    })
    expect(sorted(ids)).toEqual(numbered(COUNT))
    expect(state.isRounded).toBe(true)
  })

  test('with unreadable records, and counts each of them', () => {
    const list = [...records(rising.slice(0, 30)), unreadable(99), ...records(rising.slice(30))]
    const { state, ids } = drive(() => list)
    expect(sorted(ids)).toEqual(numbered(COUNT))
    expect(state).toMatchObject({ quarantined: 1, records: COUNT + 1, certificate: 'CONTIGUOUS' })
  })

  test('not beyond two hundred thousand pages', () => {
    const from = { ...startState('2026-11-30T00:00:00.000Z'), pages: 200_000 }
    expect(() => drive(() => records(rising), { from })).toThrow(
      expect.objectContaining({ code: 'next_loop' }),
    )
  })

  test('with names that the interface does not have, and counts them', () => {
    const list = records(rising).map((one, at) => (at === 30 ? { ...one, unknown: ['tip'] } : one))
    expect(drive(() => list).state.unknownNames).toEqual({ tip: 1 })
  })

  test('past a part of a list without a readable record, which is judged with the other parts', () => {
    const from = startState('2026-11-30T00:00:00.000Z', {}, true)
    const list = Array.from({ length: 30 }, (_, at) => unreadable(at + 1))
    expect(drive(() => list, { from }).state).toMatchObject({ quarantined: 30, done: true })
    expect(() => drive(() => list)).toThrow(expect.objectContaining({ code: 'schema_change' }))
  })

  test('and a list with too many unreadable records names the field of the first', () => {
    const bad = Array.from({ length: 20 }, (_, at) => unreadable(at + 100))
    expect(() => drive(() => [...records(rising), ...bad])).toThrow(
      /^20 of 80 records of \w+ can't be read; the first: field \w+, /,
    )
  })
})
