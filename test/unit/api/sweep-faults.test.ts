/**
 * Goal: a sweep of a failing service ends with a clear failure and all that was read. Method: scripted faults in a
 * whole list.
 */
import { expect, test } from 'vitest'
import { sweep } from '../../../api/sweep/sweep.ts'
import { Failure } from '../../../domain/failure.ts'
import { answer, refusal, scripted, type Act, type Scripted } from './scripted-server.ts'
import { SweptRows } from '../../support/swept-rows.ts'

const newRows = () => new SweptRows()

const ROWS = 400
const settlement = (n: number) =>
  `{"settlementId":${n + 1},"terminalId":41,"created":"2026-03-01T00:00:00Z","amountNet":1.00,"status":"PENDING"}`

interface Place {
  offset: number
  limit: number
}

/** A list of 400 settlements; `instead` may answer in its place. */
const list =
  (instead: (place: Place) => Buffer | undefined): Act =>
  (socket, { url }) => {
    const [offset = 0, limit = 0] = ['offset', 'limit'].map((name) =>
      Number(url.searchParams.get(name)),
    )
    socket.write(instead({ offset, limit }) ?? pageOf({ offset, limit }))
  }

function pageOf({ offset, limit }: Place, more = offset + limit < ROWS): Buffer {
  const rows = Array.from({ length: Math.max(0, Math.min(limit, ROWS - offset)) }, (_, n) =>
    settlement(offset + n),
  )
  const next = more ? `,"next":"?offset=${offset + limit}&limit=${limit}"` : ''
  return answer(`{"results":[${rows.join(',')}]${next}}`)
}

/** The ids that could be landed, and what ended the sweep. */
async function swept(
  service: Scripted,
  batchRecords = 1,
): Promise<{ ids: Set<string>; end: string; text: string }> {
  const ids = new Set<string>()
  try {
    for await (const { rows, state } of sweep(service.source, 'settlements', {
      newRows,
      isEnough: (records) => records >= batchRecords,
    })) {
      for (const row of rows) ids.add(String(row['settlement_id']))
      if (state.done) return { ids, end: state.certificate ?? 'none', text: '' }
    }
    return { ids, end: 'no end', text: '' }
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure
    return { ids, end: failure.code, text: failure.message }
  }
}

test('an unchanged list is swept whole', async () => {
  const { ids, end } = await swept(await scripted([list(() => undefined)]))
  expect(ids.size).toBe(ROWS)
  expect(['CONTIGUOUS', 'SNAPSHOT']).toContain(end)
})

test('credentials revoked half way end the sweep, and the records read before can be landed', async () => {
  let refusals = 0
  const service = await scripted(
    [
      list(({ offset }) => {
        if (offset < 150) return undefined
        refusals += 1
        return refusal('401 Unauthorized', '')
      }),
    ],
    { retryBudget_ms: 60_000 },
  )
  const { ids, end } = await swept(service)
  expect(end).toBe('source_unauthorized')
  expect(ids.size).toBeGreaterThanOrEqual(100)
  // Only what was under way already when the first refusal came.
  expect(refusals).toBeLessThanOrEqual(8)
  const asked = service.asked.length
  expect((await swept(service)).end).toBe('source_unauthorized')
  expect(service.asked).toHaveLength(asked)
})

test('records read before the service stopped answering are handed over, even a small part of a batch', async () => {
  const service = await scripted([
    list(({ offset }) => (offset < 150 ? undefined : refusal('503 Service Unavailable', ''))),
  ])
  const { ids, end } = await swept(service, 30_000)
  expect(end).toBe('source_unreachable')
  expect(ids.size).toBeGreaterThanOrEqual(150)
})

test('a sweep ends at empty pages that always name a next one', async () => {
  const service = await scripted(
    [
      list((place) =>
        place.offset < 100
          ? undefined
          : answer(`{"results":[],"next":"?offset=${place.offset + place.limit}"}`),
      ),
    ],
    { rate: { startPerSecond: 500 } },
  )
  const { end, text } = await swept(service)
  expect(end).toBe('next_loop')
  expect(text).toMatch(
    /^the list of settlements goes on with pages that hold nothing new, up to offset [0-9]+ at least$/,
  )
  expect(service.asked.length).toBeLessThan(1100)
})

test('a sweep ends at a service that shows its first page at every offset', async () => {
  const first = Array.from({ length: 50 }, (_, n) => settlement(n)).join(',')
  const service = await scripted(
    [list((place) => answer(`{"results":[${first}],"next":"?offset=${place.offset + 50}"}`))],
    { rate: { startPerSecond: 500 } },
  )
  const { ids, end, text } = await swept(service)
  expect(end).toBe('next_loop')
  expect(text).toMatch(
    /^the list of settlements shows its first page at every offset, up to offset [0-9]+ at least$/,
  )
  expect(ids.size).toBe(50)
  expect(service.asked.length).toBeLessThan(1500)
}, 60_000)

/** Cuts pages by position. Each `every`th position and a long range of them have a record that is hidden. */
const withGaps =
  (rows: number, every: number): Act =>
  (socket, { url }) => {
    const [offset = 0, limit = 0] = ['offset', 'limit'].map((name) =>
      Number(url.searchParams.get(name)),
    )
    const places: (string | null)[] = []
    for (let n = 0; n < rows; n += 1) {
      if (n % every === 0) places.push(null)
      if (n === 119) places.push(...Array.from({ length: 230 }, () => null))
      places.push(settlement(n))
    }
    const shown = places.slice(offset, offset + limit).filter((one) => one !== null)
    const next = offset + limit < places.length ? `,"next":"?offset=${offset + limit}"` : ''
    socket.write(answer(`{"results":[${shown.join(',')}]${next}}`))
  }

test.each([
  ['here and there', 37],
  ['at every other place', 1],
])(
  'a list whose pages are cut before hidden records are left out is read to its end: %s',
  async (_, every) => {
    const service = await scripted([withGaps(ROWS, every)], { rate: { startPerSecond: 500 } })
    const { ids, end } = await swept(service)
    expect(ids.size).toBe(ROWS)
    expect(end).toBe('SNAPSHOT')
  },
)

test('a list with scattered hidden records is proven without a second reading of all', async () => {
  const shown = (offset: number, limit: number) =>
    Array.from({ length: limit }, (_, n) => offset + n).filter((n) => n % 7 !== 3 && n < 420)
  const service = await scripted(
    [
      list(({ offset, limit }) => {
        const rows = shown(offset, limit).map(settlement)
        const next = offset + limit < 420 ? `,"next":"?offset=${offset + limit}"` : ''
        return answer(`{"results":[${rows.join(',')}]${next}}`)
      }),
    ],
    { rate: { startPerSecond: 500 } },
  )
  const { ids, end } = await swept(service)
  expect(ids.size).toBe(360)
  expect(end).toBe('CONTIGUOUS')
})

test.each([400, 1030])(
  'a list whose offsets are rounded down to pages is read to its end: %i records',
  async (rows) => {
    const service = await scripted(
      [
        list(({ offset, limit }) => {
          const start = Math.floor(offset / limit) * limit
          const count = Math.max(0, Math.min(limit, rows - start))
          const found = Array.from({ length: count }, (_, n) => settlement(start + n))
          const next =
            start + limit < rows ? `,"next":"?offset=${start + limit}&limit=${limit}"` : ''
          return answer(`{"results":[${found.join(',')}]${next}}`)
        }),
      ],
      { rate: { startPerSecond: 500 } },
    )
    const { ids, end } = await swept(service)
    expect(ids.size).toBe(rows)
    expect(end).toBe('SNAPSHOT')
    expect(service.asked.length).toBeLessThan((rows / 50) * 5)
  },
)

test('two empty pages from a busy service do not end a sweep', async () => {
  let busy = 0
  const service = await scripted([
    list((place) => {
      if (place.offset < 150 || busy >= 2) return undefined
      busy += 1
      return answer(`{"results":[],"next":"?offset=${place.offset + place.limit}"}`)
    }),
  ])
  expect((await swept(service)).ids.size).toBe(ROWS)
})

test('a page that never becomes readable ends the sweep after the pages before it', async () => {
  const service = await scripted(
    [list(({ offset }) => (offset < 100 ? undefined : answer('{"results":{}}')))],
    { retryBudget_ms: 60_000 },
  )
  const { ids, end } = await swept(service)
  expect(end).toBe('page_unreadable')
  expect(ids.size).toBeGreaterThanOrEqual(100)
})

test('a page without a readable record ends the sweep as a change of the interface', async () => {
  const service = await scripted([
    list(({ offset, limit }) =>
      offset < 100
        ? undefined
        : answer(
            pageOf({ offset, limit })
              .toString()
              .split('\r\n\r\n')[1]
              ?.replaceAll('1.00', '"1.00"') ?? '',
          ),
    ),
  ])
  const { end, text } = await swept(service)
  expect(end).toBe('schema_change')
  expect(text).toContain('field amountNet, is not a number')
})

test('a sweep ends if the list answers every offset with the same page', async () => {
  const service = await scripted([list(({ limit }) => pageOf({ offset: 0, limit }, false))])
  const { ids, end } = await swept(service)
  expect(ids.size).toBe(50)
  expect(end).not.toBe('no end')
  expect(service.asked.length).toBeLessThan(100)
})
