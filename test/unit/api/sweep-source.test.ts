/**
 * Goal: a sweep takes from the service what was asked for, and nothing else. Method: a source in memory, whose pages are
 * real ones.
 */
import { describe, expect, test } from 'vitest'
import { readPage, readSingle, type Page } from '../../../api/http/page.ts'
import { Refusal } from '../../../api/http/refusal.ts'
import { listLength } from '../../../api/sweep/list-length.ts'
import { sweep, type SweepBatch, type SweptSource } from '../../../api/sweep/sweep.ts'
import { sweepTerminal } from '../../../api/sweep/sweep-terminal.ts'
import { Secret } from '../../../domain/settings.ts'
import { SweptRows } from '../../support/swept-rows.ts'

const settlement = (id: number, terminal: number | string, amount = '1.00') =>
  `{"settlementId":${id},"terminalId":${terminal},"created":"2026-03-01T00:00:${String(id % 60).padStart(2, '0')}Z","amountNet":${amount},"status":"PENDING"}`

const HEADERS = { 'content-type': 'application/json' }

/** A source of these records, in pages of ten. */
function sourceOf(records: readonly string[], headers: Record<string, string> = HEADERS) {
  const counters = { requests: 0, throttled: 0 }
  const source: SweptSource & { asked: number[] } = {
    asked: [],
    hashKey: new Secret('test'),
    counters,
    pageSize: () => 10,
    async page(_list, { offset, limit }) {
      source.asked.push(offset)
      counters.requests += 1
      const url = new URL(`https://api.example.test/settlements?offset=${offset}&limit=${limit}`)
      const more = offset + limit < records.length ? `,"next":"?offset=${offset + limit}"` : ''
      const body = `{"results":[${records.slice(offset, offset + limit).join(',')}]${more}}`
      return readPage({ status: 200, headers, body: Buffer.from(body) }, url)
    },
  }
  return source
}

type Options = Partial<Parameters<typeof sweep<SweptRows>>[2]>

async function swept(source: SweptSource, options: Options = {}) {
  const batches: SweepBatch<SweptRows>[] = []
  for await (const batch of sweep(source, 'settlements', {
    newRows: () => new SweptRows(),
    isEnough: () => false,
    ...options,
  })) {
    batches.push(batch)
  }
  const ids = batches.flatMap(({ rows }) => [...rows].map((row) => Number(row['settlement_id'])))
  return { batches, ids, state: batches.at(-1)?.state }
}

const LIST = Array.from({ length: 25 }, (_, at) => settlement(at + 1, (at % 2) + 7))

test('only the records of the chosen terminals are taken and counted, and rejects of no terminal', async () => {
  const list = [...LIST, settlement(26, 7, '"x"'), settlement(27, 8, '"x"'), '{"settlementId":28}']
  const { ids, batches, state } = await swept(sourceOf(list), { only: new Set(['7']) })
  const odd = Array.from({ length: 13 }, (_, at) => 2 * at + 1)
  expect([...new Set(ids)]).toEqual(odd)
  const rejected = batches.flatMap(({ rejects }) => rejects.map(({ subject_id: id }) => id))
  expect([...new Set(rejected)].toSorted()).toEqual(['26', '28'])
  expect(state).toMatchObject({ records: ids.length + rejected.length, done: true })
  expect(state?.quarantined).toBe(rejected.length)
})

test('a record of another terminal ends the sweep of one terminal, and one without a terminal does not', async () => {
  const mine = [settlement(1, 7), '{"settlementId":2}', settlement(3, 7), settlement(4, 7)]
  expect((await swept(sourceOf(mine), { terminalId: '7' })).ids).toEqual([1, 3, 4])
  const other = swept(sourceOf([...mine, settlement(5, 8)]), { terminalId: '7' })
  await expect(other).rejects.toMatchObject({
    code: 'source_refused',
    message: expect.stringContaining("doesn't heed terminalId"),
  })
  const reject = swept(sourceOf([...mine, settlement(5, 8, '"x"')]), { terminalId: '7' })
  await expect(reject).rejects.toMatchObject({ code: 'source_refused' })
})

describe('a batch', () => {
  test('ends with the page at which it is due, and so does the sweep', async () => {
    const { batches } = await swept(sourceOf(LIST), { isDue: () => true })
    expect(batches.map(({ pages, state }) => [pages.length, state.done])).toEqual([[1, false]])
  })

  test('goes on from the state of the one before, and begins anew from that of another version', async () => {
    const first = await swept(sourceOf(LIST), { isDue: () => true })
    const { state } = first
    if (state === undefined) throw new Error('there is a state')
    const next = sourceOf(LIST)
    expect((await swept(next, { from: state })).state).toMatchObject({ done: true })
    expect(next.asked[0]).toBe(8)
    const anew = sourceOf(LIST)
    await swept(anew, { from: { ...state, version: 1 as never } })
    expect(anew.asked[0]).toBe(0)
    await expect(swept(next, { from: { ...state, done: true } })).resolves.toMatchObject({
      batches: [],
    })
  })

  test('gives way between pages, and tells of each', async () => {
    const told: number[] = []
    const { batches } = await swept(sourceOf(LIST), {
      giveWay: () => Promise.resolve(),
      onPage: ({ pages }) => told.push(pages),
    })
    expect(told).toEqual(batches.flatMap(({ pages }) => pages).map((_, at) => at + 1))
  })

  test('has the time of the service, else that of this machine', async () => {
    const date = { ...HEADERS, date: 'Mon, 02 Nov 2026 10:00:00 GMT' }
    const { batches } = await swept(sourceOf(LIST, date))
    expect(batches[0]?.observedAt).toBe('2026-11-02T10:00:00.000Z')
    expect(Date.parse((await swept(sourceOf(LIST))).batches[0]?.observedAt ?? '')).toBeGreaterThan(
      0,
    )
  })

  test('is not made of a page that failed at first, or that was given up', async () => {
    const source = sourceOf(LIST)
    const failing = { ...source, page: () => Promise.reject(new Error('no failure of ours')) }
    await expect(swept(failing)).rejects.toThrow('no failure of ours')
    const signal = AbortSignal.abort(new Error('given up'))
    const aborting: SweptSource = {
      ...source,
      page: async (_list, _ask, given) => {
        given?.throwIfAborted()
        return source.page('settlements', { offset: 0, limit: 10 })
      },
    }
    await expect(swept(aborting, { signal })).rejects.toThrow('given up')
  })
})

describe('one terminal', () => {
  const answer = (body: string, headers = {}): Page =>
    readSingle({ status: 200, headers: { ...HEADERS, ...headers }, body: Buffer.from(body) })
  const terminal = (body: string, headers = {}) =>
    sweepTerminal(
      {
        ...sourceOf([]),
        terminal: () => Promise.resolve(answer(body, headers)),
      },
      '7',
    )

  test('is a certified sweep of one page', async () => {
    const date = { date: 'Mon, 02 Nov 2026 10:00:00 GMT' }
    const { rows, rejects, pages, state, observedAt } = await terminal('{"terminalId":7}', date)
    expect([...rows]).toMatchObject([{ terminal_id: '7' }])
    expect([rejects, pages[0]?.firstId, observedAt]).toEqual([[], '7', '2026-11-02T10:00:00.000Z'])
    expect(state).toMatchObject({ done: true, certificate: 'SNAPSHOT', records: 1, isPart: true })
  })

  test('that can not be read is quarantined, and another one is refused', async () => {
    const bad = await terminal('{"terminalId":7,"enabled":"perhaps"}')
    expect([bad.rows.length, bad.rejects.length, bad.state.quarantined]).toEqual([0, 1, 1])
    await expect(terminal('{"terminalId":8}')).rejects.toMatchObject({ code: 'page_unreadable' })
    expect(() => answer('[1]')).toThrow('is no record')
  })

  test('without an answer is an empty sweep', async () => {
    const none = { ...answer('{}'), records: [] }
    const source = { ...sourceOf([]), terminal: () => Promise.resolve(none) }
    const { pages, state } = await sweepTerminal(source, '7')
    expect([pages[0]?.firstId, state.done]).toEqual([null, true])
  })
})

test('a list that the service refuses for all terminals has no length, and other failures are thrown', async () => {
  const refusing = (status: number) => ({
    ...sourceOf([]),
    page: () =>
      Promise.reject(new Refusal('no', { status, parameters: ['terminalId'], servedAt: null })),
  })
  expect(await listLength(refusing(400), 'settlements')).toBeUndefined()
  await expect(listLength(refusing(403), 'settlements')).rejects.toMatchObject({ status: 403 })
  const broken = { ...sourceOf([]), page: () => Promise.reject(new Error('broken')) }
  await expect(listLength(broken, 'settlements')).rejects.toThrow('broken')
})
