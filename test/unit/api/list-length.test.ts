import { expect, test } from 'vitest'
import { listLength } from '../../../api/sweep/list-length.ts'
import type { PageAsk } from '../../../api/http/address.ts'
import { JsonNumber } from '../../../api/json/json.ts'
import { Secret } from '../../../domain/settings.ts'

const PAGE = 50
const DAY_MS = 86_400_000
/** A settlement a day, for this number of days. */
const settlements = (days: number) =>
  Array.from({ length: days }, (_, day) => ({
    settlementId: new JsonNumber(String(day + 1)),
    terminalId: new JsonNumber('7'),
    created: new Date(Date.UTC(2020, 0, 1) + day * DAY_MS).toISOString(),
    amountNet: new JsonNumber('1'),
    status: 'COMPLETE',
  }))

/** A service that answers with pages of these records and counts how often it is asked. */
function service(records: readonly object[]) {
  const asked = { times: 0 }
  const source = {
    hashKey: new Secret('any'),
    pageSize: () => PAGE,
    page: (_list: string, { offset, limit }: PageAsk) => {
      asked.times += 1
      const found = records.slice(offset, offset + limit)
      const hasNext = offset + limit < records.length
      return Promise.resolve({
        offset,
        asked: limit,
        records: found,
        hasNext,
        throttled: 0,
        bytes: 0,
      })
    },
  }
  return { source: source as unknown as Parameters<typeof listLength>[0], asked }
}

const dayAt = (day: number) => `${settlements(day + 1)[day]?.created.slice(0, 10)} 00:00:00.000000`

test.each([
  ['all of it', 10_001, undefined, 201],
  ['its last tenth', 10_000, 9_010, 20],
  ['a time after all of it', 10_000, 20_000, 1],
  ['all of it, by an instant', 10_000, 0, 200],
  ['one page', 50, 49, 1],
  ['nothing', 0, undefined, 1],
])(
  'the length of a list of which %s is needed is its number of needed pages',
  async (_, days, from, pages) => {
    const oldestFirst = settlements(days)
    for (const records of [oldestFirst, oldestFirst.toReversed()]) {
      const { source, asked } = service(records)
      const since = from === undefined ? undefined : dayAt(from)
      expect(await listLength(source, 'settlements', { since })).toMatchObject({ pages })
      expect(asked.times).toBeLessThan(40)
    }
  },
)

test('a page that begins with an unreadable record counts as one that is not needed', async () => {
  const records = settlements(200).map((record, at) =>
    at === 100 ? { ...record, created: 'unknown' } : record,
  )
  const { source } = service(records)
  expect(await listLength(source, 'settlements', { since: dayAt(120) })).toMatchObject({ pages: 2 })
})

test('a list in no order must be read whole', async () => {
  const records = settlements(10_000).map(
    (record, at, all) => all[(at * 7919) % all.length] ?? record,
  )
  const { source } = service(records)
  expect(await listLength(source, 'settlements', { since: dayAt(9_000) })).toMatchObject({
    pages: 200,
  })
})
