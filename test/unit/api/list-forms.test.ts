/** Goal: each undocumented form of a list is read or refused. Method: a scripted service that answers in each form. */
import { expect, test } from 'vitest'
import { readerOf } from '../../../api/http/page.ts'
import { sweep } from '../../../api/sweep/sweep.ts'
import type { List } from '../../../domain/run.ts'
import { answer, scripted, type Act } from './scripted-server.ts'
import { SweptRows } from '../../support/swept-rows.ts'

const read = (list: List, body: Buffer) =>
  readerOf(list)(
    { status: 200, headers: {}, body },
    new URL(`https://api.example.test/${list}?offset=0&limit=50`),
  )

test('a body in no form is unreadable in every list', () => {
  for (const list of ['settlements', 'terminals', 'transactions'] as const) {
    expect(() => read(list, Buffer.from([0x7b, 0xff, 0x7d]))).toThrow('is not UTF-8')
    for (const body of ['{1:[]}', '{"results":[] "next":null}']) {
      expect(() => read(list, Buffer.from(body))).toThrow('is not complete JSON')
    }
  }
})

test('the name of the results may be written with an escape, and may not be absent', () => {
  const page = read('settlements', Buffer.from(String.raw`{"re\u0073ults":[{"settlementId":1}]}`))
  expect(page.records).toHaveLength(1)
  for (const body of ['{"next":null}', '{"settlementId":1}']) {
    expect(() => read('settlements', Buffer.from(body))).toThrow('has no array of results')
  }
})

test('a page with errors beside its records is unreadable, and an empty list of errors is none', () => {
  for (const list of ['settlements', 'transactions'] as const) {
    for (const page of [
      '"results":[],"errors":[{"message":"busy"}]',
      '"errors":[1],"results":[]',
    ]) {
      expect(() => read(list, Buffer.from(`{${page}}`))).toThrow('reports errors')
    }
    const page = read(list, Buffer.from('{"results":[{"settlementId":1}],"errors":[]}'))
    expect(page.records).toHaveLength(1)
  }
})

const terminal = (id: number) => `{"terminalId":${id},"nickName":"Till ${id}"}`
const [ONE, TWO] = [terminal(41), terminal(42)]

async function swept(act: Act, list: List = 'terminals') {
  const { source, asked } = await scripted([act], { rate: { startPerSecond: 500 } })
  const ids = new Set<string>()
  let certificate: string | undefined
  const options = { newRows: () => new SweptRows(), isEnough: () => true }
  for await (const { rows, rejects, state } of sweep(source, list, options)) {
    for (const row of rows) ids.add(row['terminal_id'])
    for (const { subject_id, field } of rejects) ids.add(`${subject_id} ${field}`)
    certificate = state.certificate
  }
  return { ids: [...ids].toSorted(), certificate, requests: asked.length }
}

test.each([
  ['an object with results', `{"results":[${ONE},${TWO}]}`],
  ['a bare array', `[${ONE},${TWO}]`],
  ['an object by id', `{"41":${ONE},"42":${TWO}}`],
  ['an object by id whose records leave theirs out', '{"41":{"nickName":"Till 41"},"42":{}}'],
  ['data', `{"data":[${ONE},${TWO}],"total":2}`],
  ['items', `{"items":[${ONE},${TWO}],"next":null}`],
  ['the name of the list', `{"terminals":[${ONE},${TWO}]}`],
])('a list of terminals that is the same at every offset is read: %s', async (_, body) => {
  const { ids, certificate, requests } = await swept(answer(body))
  expect(ids).toEqual(['41', '42'])
  expect(certificate).toBe('SNAPSHOT')
  expect(requests).toBeLessThan(8)
})

const slice = (url: URL, size: number) => {
  const offset = Number(url.searchParams.get('offset'))
  return Array.from({ length: Math.max(0, Math.min(size, 120 - offset)) }, (_, n) =>
    terminal(offset + n + 1),
  )
}

test('a bare array with one page is followed by requests for more, until there is no more', async () => {
  const { ids } = await swept((socket, { url }) =>
    socket.write(answer(`[${slice(url, 25).join(',')}]`)),
  )
  expect(ids).toHaveLength(120)
})

test('a bare array may name its next page in a Link header', async () => {
  const { ids } = await swept((socket, { url }) => {
    const next = Number(url.searchParams.get('offset')) + 50
    const headers = next < 120 ? { Link: `<?offset=${next}&limit=50>; rel="next"` } : {}
    socket.write(answer(`[${slice(url, 50).join(',')}]`, { headers }))
  })
  expect(ids).toHaveLength(120)
})

test.each<[string, List, string]>([
  ['settlements, whose form is known', 'settlements', `[${ONE}]`],
  ['settlements in data', 'settlements', `{"data":[]}`],
  ['an error', 'terminals', '{"errors":[{"message":"no"}]}'],
  ['two lists', 'terminals', `{"data":[${ONE}],"items":[${TWO}]}`],
  ['results of another type', 'terminals', `{"results":{"41":${ONE}}}`],
  ['nothing at all', 'terminals', '{}'],
  ['a word', 'terminals', '"none"'],
])('a body that is no list is not taken for an empty list: %s', async (_, list, body) => {
  await expect(swept(answer(body), list)).rejects.toMatchObject({ code: 'page_unreadable' })
})

test('a terminal that gives another id than its key in the list has its own id', async () => {
  expect((await swept(answer(`{"7":${ONE}}`))).ids).toEqual(['41'])
})
