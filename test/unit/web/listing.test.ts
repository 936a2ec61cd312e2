import { expect, test } from 'vitest'
import { SETTLEMENTS } from '../../../web/pages/settlements.tsx'
import { csvOf, listPage } from '../../../web/parts/listing.ts'
import type { Cells, Reader, Reading } from '../../../web/parts/reader.ts'

/** A reader that answers with these rows and notes what it was asked. */
function readerOf(rows: Cells[]): { reader: Reader; asked: Reading[] } {
  const asked: Reading[] = []
  const reader = {
    rows: (reading: Reading) => {
      asked.push(reading)
      return Promise.resolve(rows)
    },
  }
  return { reader: reader as unknown as Reader, asked }
}

const listed = (query: Record<string, string>, rows: Cells[] = []) => {
  const { reader, asked } = readerOf(rows)
  return listPage(reader, SETTLEMENTS, { account: 'acme', query }).then((page) => ({ page, asked }))
}

test.each([
  [{ least: '100' }, '100'],
  [{ least: '614.1' }, '614.1'],
  [{ from: '2026-10-01' }, '2026-10-01'],
  [{ terminal: '9223372036854775807' }, '9223372036854775807'],
])('%o is a value of the query, never a part of its text', async (query, value) => {
  const { asked } = await listed(query)
  expect(asked[0]?.values).toEqual(['acme', value])
  expect(asked[0]?.sql).not.toContain(value)
})

test.each([
  [{ least: 'many' }, "Difference of at least can't be many"],
  [{ from: '2026-02-30' }, "From can't be 2026-02-30"],
  [{ terminal: '9223372036854775808' }, "Terminal can't be 9223372036854775808"],
  [{ verdict: 'LOST' }, "Verdict can't be LOST"],
])('%o is refused, since an empty list would look like an answer', async (query, message) => {
  await expect(listed(query)).rejects.toThrow(expect.objectContaining({ code: 'usage', message }))
})

test('the next page begins after the last row, by its value and its id', async () => {
  const rows = Array.from({ length: 51 }, (_, at) => ({
    settlementId: String(900 - at),
    created: '2026-10-01 00:00:00',
  }))
  const { page } = await listed({}, rows)
  expect(page.rows).toHaveLength(50)
  const after = new URL(page.next ?? '', 'http://x').searchParams.get('after')
  expect(after).toBe('["2026-10-01 00:00:00","851"]')
  const { asked } = await listed({ after: after ?? '' })
  expect(asked[0]?.values).toEqual(['acme', '851', '2026-10-01 00:00:00'])
})

test('a text that a spreadsheet takes for a formula gets a quote, and a number does not', () => {
  const rows = ['=1+1', ' @x', '-12.30', '-x', 'plain', 'a"b', null].map((value) => ({ a: value }))
  expect(csvOf(['a'], rows).split('\r\n')).toEqual([
    ...['a', "'=1+1", "' @x", '-12.30', "'-x", 'plain', '"a""b"', '', ''],
  ])
})
