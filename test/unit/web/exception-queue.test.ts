import { expect, test } from 'vitest'
import { filterOf } from '../../../cli/decide/exceptions/filter-flags.ts'
import type { ListedException } from '../../../queries/list-exceptions.ts'
import { flagsOf, pageOfQueue, sorted } from '../../../web/pages/exception-queue.tsx'

const rows = ['PENDING', 'BREAK', 'ORPHAN'].map((code) => ({ code }) as ListedException)
const codesBy = (sort: string) => sorted(rows, { sort }).map(({ code }) => code)

test('the queue is sorted by a column in either direction', () => {
  expect(codesBy('code')).toEqual(['BREAK', 'ORPHAN', 'PENDING'])
  expect(codesBy('-code')).toEqual(['PENDING', 'ORPHAN', 'BREAK'])
})

test.each(['__proto__', '-__proto__', 'constructor', 'toString', 'lost', ''])(
  'the sort %j names no column and leaves the order as it is',
  (sort) => expect(sorted(rows, { sort })).toBe(rows),
)

test('an amount without cents filters the queue, as it does the settlements', () => {
  const cents = (least: string) => filterOf(flagsOf({ least })).leastAmountCents
  expect(['1000', '1000.00', '0'].map(cents)).toEqual([100_000n, 100_000n, 0n])
  for (const other of ['1,000', '1000.5', '-5', '1e3']) {
    expect(() => cents(other)).toThrow(/is not an amount such as 100.00/)
  }
})

test('every row of a long queue stands on one page', () => {
  const long = Array.from(
    { length: 450 },
    (_, at) => ({ exceptionId: `e${at}` }) as ListedException,
  )
  const seen: string[] = []
  for (let after: string | undefined, page = 0; page < 3; page += 1) {
    const { shown, next } = pageOfQueue(long, after)
    seen.push(...shown.map(({ exceptionId }) => exceptionId))
    expect(next === undefined).toBe(page === 2)
    after = next
  }
  expect(seen).toEqual(long.map(({ exceptionId }) => exceptionId))
})

test('a page after a row that left the queue passes over no row', () => {
  expect(pageOfQueue(rows, 'decided').shown).toEqual(rows)
})

test('a terminal or settlement that is no number is refused, since an empty list would look like an answer', () => {
  expect(flagsOf({ terminal: ' 7 ', settlement: '' })).toEqual({ terminal: '7' })
  for (const name of ['terminal', 'settlement'])
    expect(() => flagsOf({ [name]: 'Till' })).toThrow(`Till is not the number of a ${name}`)
})
