import { expect, test } from 'vitest'
import type { ListedException } from '../../../queries/list-exceptions.ts'
import { sorted } from '../../../web/pages/exception-queue.tsx'

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
