import { expect, test } from 'vitest'
import { readPage } from '../../api/http/page.ts'
import { sweep, type SweptSource } from '../../api/sweep/sweep.ts'
import { Secret } from '../../domain/settings.ts'
import { SweptRows } from '../support/swept-rows.ts'

const SIZE = 120
/** The starts of two neighbouring pages. A page has ten records, and two of them repeat. */
const [LATE, EARLY] = [48, 56]
const [MOVED_TO, MOVED_FROM] = [52, 60]
const HEADERS = { 'content-type': 'application/json' }

/** Settlements in no order of anything. */
const idAt = (place: number) => ((place * 47) % SIZE) + 1
const settlement = (id: number, status: string) =>
  `{"settlementId":${id},"terminalId":41,"created":"2026-03-01T00:00:${String((id * 7) % 60).padStart(2, '0')}Z","amountNet":1.00,"status":"${status}"}`

test('a record that moves to the previous page, whose answer comes later, does not return to its old state', async () => {
  const records = Array.from({ length: SIZE }, (_, place) => settlement(idAt(place), 'PENDING'))
  const asked: number[] = []
  let answered = () => {}
  const early = new Promise<void>((resolve) => {
    answered = resolve
  })
  const source: SweptSource = {
    hashKey: new Secret('test'),
    counters: { requests: 0, throttled: 0 },
    pageSize: () => 10,
    async page(_list, { offset, limit }) {
      const isFirst = !asked.includes(offset)
      asked.push(offset)
      if (offset === LATE && isFirst) {
        await early
        records[MOVED_FROM] = records[MOVED_TO] ?? ''
        records[MOVED_TO] = settlement(idAt(MOVED_FROM), 'COMPLETE')
      }
      const url = new URL(`https://api.example.test/v1/settlements?offset=${offset}&limit=${limit}`)
      const next = offset + limit < SIZE ? `,"next":"${url.pathname}?offset=${offset + limit}"` : ''
      const shown = records.slice(offset, offset + limit)
      const body = Buffer.from(`{"results":[${shown.join(',')}]${next}}`)
      if (offset === EARLY) answered()
      return readPage({ status: 200, headers: HEADERS, body }, url)
    },
  }
  const said = new Map<string, unknown[]>()
  const batches = sweep(source, 'settlements', {
    newRows: () => new SweptRows(),
    isEnough: () => true,
  })
  for await (const { rows, state } of batches) {
    for (const row of rows) {
      const id = String(row['settlement_id'])
      said.set(id, [...(said.get(id) ?? []), row['status']])
    }
    if (state.done) break
  }
  expect(asked.indexOf(EARLY)).toBeGreaterThan(asked.indexOf(LATE))
  expect(said.get(String(idAt(MOVED_FROM)))?.at(-1)).toBe('COMPLETE')
  expect(said.get(String(idAt(MOVED_TO)))?.at(-1)).toBe('PENDING')
  expect(said.size).toBe(SIZE)
  // The overtaken page is requested once more within the same reading of the list.
  const again = asked.indexOf(EARLY, asked.indexOf(EARLY) + 1)
  expect(again).toBeLessThan(asked.indexOf(0, 1))
})
