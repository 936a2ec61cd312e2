/**
 * Goal: a sweep repeats what proved nothing, and knows when to stop. Method: lists in memory whose pages fail to join in
 * one chosen way.
 */
import { describe, expect, test } from 'vitest'
import { drive, instant, numbered, record, sorted, type Settlement } from './driven-sweep.ts'

const COUNT = 60
/** Oldest first; a new one comes to the end. */
const rising = Array.from({ length: COUNT }, (_, at): Settlement => ({ id: at + 1, created: at }))
const falling = rising.toReversed()

const records = (list: readonly Settlement[]) => list.map(record)

describe('a reading of the whole list is repeated', () => {
  test('twelve times for a short list that never stays as it was', () => {
    const list = (request: number) =>
      rising.slice(0, 5).map((one) => ({ ...one, status: `S${request}` }))
    const { state } = drive((request) => records(list(request)))
    // Its only page was read at one moment.
    expect(state).toMatchObject({ certificate: 'CONTIGUOUS', collect: { number: 12 } })
  })

  test('three times for a long list that never stays as it was', () => {
    const long = Array.from({ length: 700 }, (_, at) => ({ id: ((at * 47) % 701) + 1, created: 1 }))
    const list = (request: number) =>
      long.map((one, at) => (at === 400 ? { ...one, status: `S${request}` } : one))
    const { state } = drive((request) => records(list(request)))
    expect(state).toMatchObject({ certificate: 'BEST_EFFORT', collect: { number: 3 } })
  })

  test('once for a very long list that stays as it was, whose first pages need not land again', () => {
    const long = Array.from({ length: 1500 }, (_, at) => ({
      ...{ id: ((at * 47) % 1501) + 1, created: 1 },
    }))
    const list = records(long)
    const { state, ids } = drive(() => list)
    expect(state).toMatchObject({ certificate: 'SNAPSHOT', collect: { number: 2, pages: 150 } })
    expect(new Set(ids).size).toBe(1500)
    expect(ids.length).toBeLessThan(2000)
  })
})

describe('the search for the part that is needed gives up', () => {
  const part = { since: instant(50) }

  test('if a place shows no record after three requests', () => {
    let empty = 0
    const { state, ids } = drive(() => records(rising), {
      part,
      answer: (read) => {
        if (read.page.offset !== 12 || (empty += 1) > 3) return read
        return { ...read, records: [] }
      },
    })
    expect(state).toMatchObject({ sought: 'no-order', coversFrom: null })
    expect(sorted(ids)).toEqual(numbered(COUNT))
  })

  test('and not if the place shows its records at the second request', () => {
    let empty = 0
    const { state } = drive(() => records(rising), {
      part,
      answer: (read) =>
        read.page.offset === 12 && (empty += 1) === 1 ? { ...read, records: [] } : read,
    })
    expect(state.sought).toBe('start')
  })

  test('if a page has fewer records than its distance to the next one', () => {
    const { state } = drive(() => records(rising), {
      part,
      answer: (read) => ({ ...read, records: read.records.slice(0, -1) }),
    })
    expect(state).toMatchObject({ sought: 'no-order', hasGaps: true })
  })
})

describe('the head of a list is read again', () => {
  /** Answers otherwise once the first page is requested for the second time. */
  const inHead = (instead: (read: Read, place: number) => Read) => {
    let [isHead, place] = [false, 0]
    return (read: Read, request: number): Read => {
      isHead ||= request > 0 && read.page.offset === 0
      return isHead ? instead(read, (place += 1)) : read
    }
  }
  type Read = Parameters<NonNullable<NonNullable<Parameters<typeof drive>[1]>['answer']>>[0]
  const changed = (read: Read) => ({
    ...read,
    records: read.records.map((one) =>
      'row' in one ? { row: { ...one.row, status: 'COMPLETE' } } : one,
    ),
  })

  test('down to its end if every record of it changed, and each of them is handed over', () => {
    const { ids, state } = drive(() => records(falling), { answer: inHead(changed) })
    expect(ids.length).toBeGreaterThanOrEqual(2 * COUNT)
    expect(state).toMatchObject({ certificate: 'CONTIGUOUS', done: true })
  })

  test('and given up after too many pages, and then the whole list is read once more', () => {
    const { state } = drive(() => records(falling), {
      answer: inHead((read, place) => {
        if (place > 40) return read
        const { records: all, page } = changed(read)
        return { ...read, records: all.slice(0, 1), page: { ...page, hasNext: true } }
      }),
    })
    expect(state.collect.number).toBeGreaterThan(1)
  })

  test('ten times at most if its pages do not join, and then the whole list once more', () => {
    const { state, ids } = drive(() => records(falling), {
      answer: inHead((read, place) => (place > 10 ? read : { ...read, records: [] })),
    })
    expect(sorted(ids)).toEqual(numbered(COUNT))
    expect(state.collect.number).toBeGreaterThan(1)
    expect(state.rewinds).toBeGreaterThanOrEqual(10)
  })
})
