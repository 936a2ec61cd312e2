/**
 * Goal: every fault between two sockets has a clear outcome. Method: each fault scripted byte by byte; outcome,
 * message and requests.
 */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { SourceSettings } from '../../../domain/settings.ts'
import {
  answer,
  elsewhere,
  LAST_PAGE,
  listen,
  open,
  outcomeOf,
  RECORD,
  refusal,
  scripted,
  SECRETS,
  type Act,
} from './scripted-server.ts'

interface Case {
  title: string
  acts: Act[]
  code: string
  text: string
  requests?: number
  more?: Partial<SourceSettings>
}

const BODY = Buffer.from(LAST_PAGE)
const SHORT = { timeout_ms: 250 }
const PATIENT = { retryBudget_ms: 60_000 }
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`
const BOMB = Buffer.alloc(32 * 1024 * 1024, '[')

const ended =
  (bytes: string | Buffer): Act =>
  (socket) => {
    socket.end(bytes)
  }
/** Sends the bytes and breaks the connection off with a reset. */
const broken =
  (bytes: string | Buffer): Act =>
  (socket) => {
    if (bytes.length === 0) socket.resetAndDestroy()
    else socket.write(bytes, () => setImmediate(() => socket.resetAndDestroy()))
  }
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const compressed = (body: Buffer, encoding: string) =>
  answer(body, { headers: { 'Content-Encoding': encoding } })

/** The bytes come one at a time, so that the connection is never silent. */
const dripped =
  (bytes: string): Act =>
  (socket) => {
    let sent = 0
    const timer = setInterval(() => {
      if (socket.destroyed) clearInterval(timer)
      else socket.write(bytes.charAt(sent++ % bytes.length))
    }, 20)
    socket.on('close', () => clearInterval(timer))
  }

/** Writes for as long as the other side reads. */
function endless(socket: Socket, head: string, piece: string): void {
  const go = async () => {
    socket.write(head)
    while (!socket.destroyed) {
      if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
    }
  }
  go().catch(() => {})
}

const CONNECTIONS: Case[] = [
  {
    title: 'closed without a word',
    acts: [ended('')],
    code: 'source_unreachable',
    text: 'HOST broke the connection off',
  },
  {
    title: 'reset without a word',
    acts: [broken('')],
    code: 'source_unreachable',
    text: 'HOST broke the connection off',
  },
  {
    title: 'reset in the middle of the headers',
    acts: [broken(HEAD.slice(0, 30))],
    code: 'source_unreachable',
    text: 'HOST broke the connection off',
  },
  {
    title: 'closed in the middle of the headers',
    acts: [ended(HEAD.slice(0, 30))],
    code: 'source_unreachable',
    text: 'HOST broke the connection off',
  },
  {
    title: 'closed in the middle of a body whose length was announced',
    acts: [ended(answer(BODY).subarray(0, -5))],
    code: 'source_unreachable',
    text: 'HOST broke the connection off',
  },
  {
    title: 'reset in the middle of a body',
    acts: [broken(answer(BODY).subarray(0, -5))],
    code: 'source_unreachable',
    text: 'HOST broke the connection off',
  },
  {
    title: 'a chunked body that ends in the middle of a chunk',
    acts: [ended(`${CHUNKED}${chunk(LAST_PAGE).slice(0, -9)}`)],
    code: 'source_unreachable',
    text: 'HOST broke the connection off',
  },
  {
    title: 'a chunked body that is complete JSON, but never says that it ends',
    acts: [ended(`${CHUNKED}${chunk(LAST_PAGE)}`)],
    code: 'source_unreachable',
    text: 'HOST broke the connection off',
  },
  {
    title: 'a chunk whose length is no number',
    acts: [`${CHUNKED}zz\r\n${LAST_PAGE}\r\n0\r\n\r\n`],
    code: 'source_unreachable',
    text: 'HOST did not answer in HTTP',
  },
  {
    title: 'a chunk that is longer than announced',
    acts: [`${CHUNKED}5\r\n${LAST_PAGE}\r\n0\r\n\r\n`],
    code: 'source_unreachable',
    text: 'HOST did not answer in HTTP',
  },
  {
    title: 'two different lengths',
    acts: [`${HEAD}Content-Length: ${BODY.length}\r\nContent-Length: 5\r\n\r\n${LAST_PAGE}`],
    code: 'source_unreachable',
    text: 'HOST sent another length than it had announced',
  },
  {
    title: 'a length and chunks at once',
    acts: [
      `${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(LAST_PAGE)}0\r\n\r\n`,
    ],
    code: 'source_unreachable',
    text: 'HOST sent another length than it had announced',
  },
  {
    title: 'a length that is no number',
    acts: [`${HEAD}Content-Length: many\r\n\r\n${LAST_PAGE}`],
    code: 'source_unreachable',
    text: 'HOST did not answer in HTTP',
  },
  {
    title: 'the greeting of another protocol',
    acts: ['SSH-2.0-OpenSSH_9.6\r\n'],
    code: 'source_unreachable',
    text: 'HOST did not answer in HTTP',
  },
  {
    title: 'a body without any header',
    acts: [ended(LAST_PAGE)],
    code: 'source_unreachable',
    text: 'HOST did not answer in HTTP',
  },
  {
    title: 'headers without end',
    acts: [(socket) => endless(socket, HEAD, `X-Padding: ${'x'.repeat(1000)}\r\n`)],
    code: 'source_unreachable',
    text: 'HOST sent headers that do not end',
  },
  {
    title: 'no answer at all',
    acts: [() => {}],
    more: SHORT,
    code: 'source_unreachable',
    text: 'HOST did not finish its answer within 250 ms',
  },
  {
    title: 'headers that stop half way',
    acts: [HEAD],
    more: SHORT,
    code: 'source_unreachable',
    text: 'HOST did not finish its answer within 250 ms',
  },
  {
    title: 'a body that stops half way',
    acts: [answer(BODY).subarray(0, -5)],
    more: SHORT,
    code: 'source_unreachable',
    text: 'HOST did not finish its answer within 250 ms',
  },
  {
    title: 'headers that drip and never end',
    acts: [dripped('HTTP/1.1 200 OK\r\nX: 1\r\nX: 2\r\n')],
    more: SHORT,
    code: 'source_unreachable',
    text: 'HOST did not finish its answer within 250 ms',
  },
  {
    title: 'a body that drips, although never silent, is cut at the deadline',
    acts: [
      (socket, asked) => {
        socket.write(`${HEAD}Content-Length: 1000000\r\n\r\n`)
        const drip = dripped(' ')
        if (typeof drip === 'function') drip(socket, asked)
      },
    ],
    more: SHORT,
    code: 'source_unreachable',
    text: 'HOST did not finish its answer within 250 ms',
  },
  {
    title: 'early hints without end',
    acts: [dripped('HTTP/1.1 103 Early Hints\r\n\r\n')],
    more: SHORT,
    code: 'source_unreachable',
    text: 'HOST did not finish its answer within 250 ms',
  },
  {
    title: 'another protocol that nobody asked for',
    acts: ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n'],
    code: 'source_unreachable',
    text: 'HOST broke the connection off',
  },
]

const BODIES: Case[] = [
  {
    title: 'chunks are put together, also within a character',
    acts: [
      Buffer.concat([
        Buffer.from(`${CHUNKED}${(14).toString(16)}\r\n{"note":"Stra\xc3`, 'latin1'),
        Buffer.from(`\r\n${(3 + BODY.length).toString(16)}\r\n\x9fe"`, 'latin1'),
        Buffer.from(`,${LAST_PAGE.slice(1)}\r\n0\r\n\r\n`),
      ]),
    ],
    code: 'page',
    text: '1 of 50',
  },
  {
    title: 'a body that ends with the connection',
    acts: [ended(`${HEAD}\r\n${LAST_PAGE}`)],
    code: 'page',
    text: '1 of 50',
  },
  {
    title: 'half a body that ends with the connection',
    acts: [ended(`${HEAD}\r\n${LAST_PAGE.slice(0, -3)}`)],
    code: 'page_unreadable',
    text: 'a page of http://HOST/settlements is not complete JSON',
  },
  {
    title: 'early hints before the answer',
    acts: [`HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${answer(BODY).toString()}`],
    code: 'page',
    text: '1 of 50',
  },
  {
    title: 'a byte order mark',
    acts: [answer(`\ufeff${LAST_PAGE}`)],
    code: 'page',
    text: '1 of 50',
  },
  {
    title: 'two byte order marks',
    acts: [answer(`\ufeff\ufeff${LAST_PAGE}`)],
    code: 'page_unreadable',
    text: 'a page of http://HOST/settlements is not complete JSON',
  },
  {
    title: 'bytes that are not UTF-8',
    acts: [answer(Buffer.from(LAST_PAGE.replace('COMPLETE', 'COMPL\xc9TE'), 'latin1'))],
    code: 'page_unreadable',
    text: 'a page of http://HOST/settlements is not UTF-8',
  },
  {
    title: 'UTF-16',
    acts: [answer(Buffer.from(`\ufeff${LAST_PAGE}`, 'utf16le'))],
    code: 'page_unreadable',
    text: 'a page of http://HOST/settlements is not UTF-8',
  },
  {
    title: 'a surrogate in the bytes',
    acts: [answer(Buffer.from(LAST_PAGE.replace('COMPLETE', '\xed\xa0\x80'), 'latin1'))],
    code: 'page_unreadable',
    text: 'a page of http://HOST/settlements is not UTF-8',
  },
  {
    title: 'nothing',
    acts: [answer('')],
    code: 'page_unreadable',
    text: 'a page of http://HOST/settlements is not complete JSON',
  },
  {
    title: 'two documents in one',
    acts: [answer(`${LAST_PAGE}${LAST_PAGE}`)],
    code: 'page_unreadable',
    text: 'a page of http://HOST/settlements is not complete JSON',
  },
  {
    title: 'more brackets than any stack holds',
    acts: [answer('['.repeat(1_000_000))],
    code: 'page_unreadable',
    text: 'a page of http://HOST/settlements is not complete JSON',
  },
  ...['null', '[]', '""', '7', '{}', `[${LAST_PAGE}]`].map((body) => ({
    title: `the JSON ${body.slice(0, 30)}`,
    acts: [answer(body)],
    code: 'page_unreadable',
    text: 'a page of http://HOST/settlements has no array of results',
  })),
  ...['null', '{}', '"none"', '0', `{"0":${RECORD}}`, `[${RECORD}],"results":[]`].map(
    (results) => ({
      title: `the results ${results.slice(0, 30)}`,
      acts: [answer(`{"results":${results}}`)],
      code: 'page_unreadable',
      text: 'a page of http://HOST/settlements has no array of results',
    }),
  ),
  {
    title: 'no results and no next one',
    acts: [answer('{"results":[]}')],
    code: 'page',
    text: '0 of 50',
  },
  {
    title: 'no results and a next one',
    acts: [answer('{"results":[],"next":"?offset=50"}')],
    code: 'page',
    text: '0 of 50, more',
  },
  {
    title: 'more results than were asked for',
    acts: [answer(`{"results":[${`${RECORD},`.repeat(99)}${RECORD}]}`)],
    code: 'page',
    text: '100 of 50',
  },
  {
    title: 'more results than a page may have',
    acts: [answer(`{"results":[${'0,'.repeat(200_000)}0]}`)],
    code: 'page_unreadable',
    text: 'a page of /settlements has more than 200,000 records',
  },
  {
    title: 'a body without end is cut off',
    acts: [(socket) => endless(socket, `${HEAD}\r\n`, ' '.repeat(1024 * 1024))],
    more: { timeout_ms: 60_000 },
    code: 'page_unreadable',
    text: 'a page of /settlements is larger than 64 MiB',
  },
]

const TYPES: Case[] = [
  ...[
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/vnd.service+json',
    'text/json; charset=utf-8',
    'text/plain',
    'text/html',
    'application/jsonp',
    'json',
    '',
  ].map((type) => ({
    title: `right JSON is read with the type "${type}"`,
    acts: [answer(BODY, { headers: { 'Content-Type': type } })],
    code: 'page',
    text: '1 of 50',
  })),
  {
    title: 'right JSON is read with two types at once',
    acts: [answer(BODY, { headers: { 'content-type': 'text/html' } })],
    code: 'page',
    text: '1 of 50',
  },
  {
    title: 'right JSON is read after a byte order mark',
    acts: [
      answer(Buffer.concat([Buffer.from('\ufeff'), BODY]), {
        headers: { 'Content-Type': 'text/plain' },
      }),
    ],
    code: 'page',
    text: '1 of 50',
  },
  {
    title: 'a sign-in page in the place of the service',
    acts: [answer('<!doctype html><p>Sign in</p>', { headers: { 'Content-Type': 'text/html' } })],
    code: 'source_not_the_service',
    text: 'http://HOST/settlements answered with a web page',
  },
  {
    title: 'a web page that says it is JSON',
    acts: [answer('\n <html><body>\u001b[31mSorry</body></html>')],
    code: 'source_not_the_service',
    text: 'http://HOST/settlements answered with a web page',
  },
  {
    title: 'a web page that repeats our own secrets and somebody’s card',
    acts: [
      answer(`<p>${SECRETS.password} ${SECRETS.applicationKey} 4111 1111 1111 1111</p>`, {
        headers: { 'Content-Type': 'text/html' },
      }),
    ],
    code: 'source_not_the_service',
    text: 'http://HOST/settlements answered with a web page',
  },
  ...(
    [
      ['gzip', compressed(gzipSync(BOMB), 'gzip')],
      ['deflate', compressed(deflateSync(BOMB), 'deflate')],
      ['br', compressed(brotliCompressSync(BODY), 'br')],
      ['gzip in gzip', compressed(gzipSync(gzipSync(BOMB)), 'gzip, gzip')],
      ['an unknown coding', compressed(BODY, 'x-secret')],
    ] as const
  ).map(([name, bytes]) => ({
    title: `a body in ${name} is not unpacked`,
    acts: [bytes],
    code: 'page_unreadable',
    text: 'a page of http://HOST/settlements is compressed, unasked',
  })),
  {
    title: 'a packed body that does not say so',
    acts: [answer(gzipSync(BODY))],
    code: 'page_unreadable',
    text: 'a page of http://HOST/settlements is not UTF-8',
  },
  {
    title: 'a body that says it is not packed',
    acts: [answer(BODY, { headers: { 'Content-Encoding': 'Identity' } })],
    code: 'page',
    text: '1 of 50',
  },
]

const STATUSES: Case[] = [
  ...['204 No Content', '205 Reset Content', '206 Partial Content', '202 Accepted'].map(
    (status) => ({
      title: `the status ${status} is no page`,
      acts: [refusal(status, status.startsWith('204') ? '' : LAST_PAGE)],
      code: 'source_unreachable',
      text: `HOST answered ${status.slice(0, 3)} to GET /settlements`,
    }),
  ),
  ...['500', '502', '503', '504', '520', '599', '408', '425'].map((status) => ({
    title: `the status ${status} may pass`,
    acts: [refusal(`${status} Sorry`, '<h1>Sorry</h1>')],
    code: 'source_unreachable',
    text: `HOST answered ${status} to GET /settlements`,
  })),
  {
    title: 'an error without end is read only so far',
    acts: [
      (socket) =>
        endless(socket, 'HTTP/1.1 500 Oh\r\nContent-Type: text/plain\r\n\r\n', 'o'.repeat(65_536)),
    ],
    code: 'source_unreachable',
    text: 'HOST answered 500 to GET /settlements',
  },
  {
    title: 'a list that is not there, before anything was',
    acts: [refusal('404 Not Found', '{"errors":[{"message":"no such thing"}]}')],
    code: 'source_not_the_service',
    text: 'there is no list at http://HOST/settlements (404); TIEOUT_BASE_URL and source.paths make this address',
  },
  {
    title: 'a refusal that holds records does not show them',
    acts: [refusal('422 Unprocessable', LAST_PAGE)],
    more: PATIENT,
    code: 'source_refused',
    text: 'HOST answered 422 to GET /settlements',
  },
  ...['405 Method Not Allowed', '410 Gone', '418 Teapot', '422 Unprocessable'].map((status) => ({
    title: `the status ${status} will not pass`,
    acts: [refusal(status, '{"errors":[{"message":"no\\nway","type":"invalid"}],"help":"x"}')],
    more: PATIENT,
    code: 'source_refused',
    text: `HOST answered ${status.slice(0, 3)} to GET /settlements${/^4[01]/.test(status) && !status.startsWith('418') ? ': source.paths has the path of each list' : ''}`,
  })),
]

describe.each([
  ['a connection', CONNECTIONS],
  ['a body', BODIES],
  ['a type of content', TYPES],
  ['a status', STATUSES],
])('%s', (_, cases) => {
  test.each(cases)('$title', async ({ acts, code, text, requests = 1, more = {} }) => {
    const service = await scripted(acts, more)
    const outcome = await service.outcome()
    expect(outcome).toEqual({ code, text, requests, retry_after_ms: outcome.retry_after_ms })
    expect(service.asked).toHaveLength(requests)
  })
})

test.each(['300', '301', '302', '303', '304', '307', '308'])(
  'a redirect with %s is not followed, and nothing is sent to its address',
  async (status) => {
    const foreign = await elsewhere()
    const location = `http://127.0.0.1:${foreign.port}/settlements`
    const service = await scripted([refusal(`${status} Elsewhere`, '', { Location: location })], {
      ...PATIENT,
    })
    expect(await service.outcome()).toEqual({
      code: 'source_not_the_service',
      text: `HOST answered ${status} to GET /settlements, a redirect; it was not followed`,
      requests: 1,
    })
    expect(foreign.connections()).toBe(0)
  },
)

test('an error about a service that does not listen names its port', async () => {
  const { port } = await gone()
  const url = `http://127.0.0.1:${port}`
  expect(await outcomeOf(open({ baseUrl: url }), url)).toEqual({
    code: 'source_unreachable',
    text: 'HOST refused the connection',
    requests: 1,
  })
})

test('an error about a name that can’t be resolved has that name', async () => {
  // A label of more than 63 characters is in no directory, and no resolver is asked.
  const url = `https://${'a'.repeat(70)}.invalid`
  const outcome = await outcomeOf(open({ baseUrl: url }), url)
  expect(outcome).toMatchObject({ code: 'source_unreachable', requests: 1 })
  expect(outcome.text).toMatch(/^HOST:443 is not a name that can be resolved/)
})

test('a service without the expected TLS is not tried again', async () => {
  const { port } = await listen((socket) => {
    socket.on('data', () => socket.end(refusal('400 Bad Request', 'speak plainly')))
  })
  const url = `https://127.0.0.1:${port}`
  const outcome = await outcomeOf(open({ baseUrl: url, ...PATIENT }), url)
  expect(outcome).toMatchObject({ code: 'source_unreachable', requests: 1 })
  expect(outcome.text).toMatch(/^HOST could not prove its identity \([A-Z_]+\)$/)
})

test('an answer without a request is never taken for the next page', async () => {
  const wrong = LAST_PAGE.replace('880', '666')
  const service = await scripted(
    [Buffer.concat([answer(BODY), answer(wrong)]), answer(BODY)],
    PATIENT,
  )
  const first = await service.source.page('settlements', { offset: 0, limit: 50 })
  const second = await service.source.page('settlements', { offset: 50, limit: 50 })
  expect([first.bodySha256, second.bodySha256]).toEqual([first.bodySha256, first.bodySha256])
})

test('a cancelled request fails with the caller’s own reason', async () => {
  const service = await scripted([() => {}])
  const leaving = new AbortController()
  const reason = new Error('the run was stopped')
  const reading = service.source.page('settlements', { offset: 0, limit: 50 }, leaving.signal)
  setImmediate(() => leaving.abort(reason))
  await expect(reading).rejects.toBe(reason)
})

test('a readable body counts after two unreadable ones', async () => {
  const service = await scripted(
    [answer(LAST_PAGE.slice(0, -2)), answer('<h1>Busy</h1>'), answer(BODY)],
    PATIENT,
  )
  expect(await service.outcome()).toEqual({ code: 'page', text: '1 of 50', requests: 3 })
})

test('an unreadable page is requested three times', async () => {
  const service = await scripted([answer('{"results":null}')], PATIENT)
  expect(await service.outcome()).toEqual({
    code: 'page_unreadable',
    text: 'a page of http://HOST/settlements has no array of results; 3 tries',
    requests: 3,
  })
})

/** A port without a listening program. */
async function gone(): Promise<{ port: number }> {
  const { createServer } = await import('node:net')
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return { port: typeof address === 'object' && address !== null ? address.port : 0 }
}
