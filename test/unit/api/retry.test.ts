/**
 * Goal: a request is tried again only if that can help. Method: scripted answers, and the requests that follow them.
 */
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { List } from '../../../domain/run.ts'
import { FAILURES } from '../../../domain/failure.ts'
import { answer, LAST_PAGE, refusal, scripted, SECRETS, type Act } from './scripted-server.ts'

const GOOD = answer(LAST_PAGE)
const PATIENT = { retryBudget_ms: 60_000 }
const DATE = 'Sat, 21 Nov 2026 10:00:00 GMT'
const error = (message: string, more: Record<string, string> = {}) =>
  JSON.stringify({ errors: [{ message, ...more }] })
const throttled = (headers: Record<string, string>, status = '429 Too Many Requests') =>
  refusal(status, error('slow down'), headers)

test.each([
  ['seconds', { 'Retry-After': '4.0' }, 4000],
  ['a date ahead', { 'Retry-After': 'Sat, 21 Nov 2026 10:01:30 GMT', Date: DATE }, 90_000],
  ['a day', { 'Retry-After': '86400' }, 86_400_000],
  ['a reset', { 'X-RateLimit-Reset': '9' }, 9000],
])(
  'the failure of a throttled request names the wait and its end: %s',
  async (_, headers, wait_ms) => {
    const service = await scripted([throttled(headers)])
    const outcome = await service.outcome()
    expect(outcome).toMatchObject({
      code: 'source_throttled',
      retry_after_ms: wait_ms,
      requests: 1,
    })
    expect(outcome.text).toMatch(
      /^HOST answered 429 to GET \/settlements, and allows no request before [-0-9]+T[:0-9]+Z$/,
    )
    expect(service.source.counters.throttled).toBe(1)
  },
)

test('a throttled request without a named wait is tried again after our own pause', async () => {
  const service = await scripted([throttled({ 'Retry-After': 'soon' })])
  expect(await service.outcome()).toEqual({
    code: 'source_throttled',
    text: 'HOST answered 429 to GET /settlements',
    retry_after_ms: undefined,
    requests: 1,
  })
})

test('a 403 that names a wait is a throttle, and not a refusal of the credentials', async () => {
  const headers = { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '1' }
  const service = await scripted([throttled(headers, '403 Forbidden'), GOOD], PATIENT)
  expect(await service.outcome()).toMatchObject({ code: 'page', requests: 2 })
})

test('a wait longer than the remaining patience ends at once, and the error names the wait', async () => {
  const service = await scripted([throttled({ 'Retry-After': '3000' })], { retryBudget_ms: 5000 })
  expect(await service.outcome()).toMatchObject({
    code: 'source_throttled',
    retry_after_ms: 3_000_000,
    requests: 1,
  })
})

test('a 503 that names a wait is a throttle, and one without a wait is an outage', async () => {
  const busy = await scripted([throttled({ 'Retry-After': '9' }, '503 Busy')])
  expect(await busy.outcome()).toMatchObject({ code: 'source_throttled', retry_after_ms: 9000 })
  const down = await scripted([throttled({}, '503 Busy')])
  expect(await down.outcome()).toMatchObject({ code: 'source_unreachable' })
  expect(down.source.counters.throttled).toBe(0)
})

const storm = (...statuses: string[]): Act[] => [
  ...statuses.map((status) => refusal(`${status} Sorry`, 'sorry')),
  GOOD,
]

test.each([
  ['one 500', storm('500'), 2],
  ['two kinds of outage', storm('502', '504'), 3],
  ['a storm', storm('500', '502', '503', '520'), 5],
  ['one 429 without a wait', storm('429'), 2],
  ['one 429 with a wait of no time', [throttled({ 'Retry-After': '0' }), GOOD], 2],
  ['one 429 with a wait of a second', [throttled({ 'Retry-After': '1' }), GOOD], 2],
  ['a closed connection', [(socket) => socket.end(), GOOD], 2],
  ['two resets', [(socket) => socket.resetAndDestroy(), (s) => s.resetAndDestroy(), GOOD], 3],
  ['half an answer', [(socket) => socket.end(GOOD.subarray(0, -4)), GOOD], 2],
  ['another protocol', [(socket) => socket.end('220 smtp ready\r\n'), GOOD], 2],
  ['a late answer', [() => {}, GOOD], 2],
  ['a request that came too early', storm('425', '408'), 3],
] satisfies [string, Act[], number][])('the page is read after %s', async (_, acts, requests) => {
  const service = await scripted(acts, { ...PATIENT, timeout_ms: 400 })
  expect(await service.outcome()).toMatchObject({ code: 'page', text: '1 of 50', requests })
  expect(service.asked).toHaveLength(requests)
  expect(new Set(service.asked.map(({ target }) => target))).toEqual(
    new Set(['/settlements?offset=0&limit=50']),
  )
})

test('an outage longer than the patience ends with the number of tries', async () => {
  const service = await scripted([refusal('500 Sorry', 'sorry')], { retryBudget_ms: 400 })
  const outcome = await service.outcome()
  expect(outcome.code).toBe('source_unreachable')
  expect(outcome.text).toBe(`HOST answered 500 to GET /settlements; ${service.asked.length} tries`)
  expect(service.asked.length).toBeGreaterThan(1)
})

describe.each(['401 Unauthorized', '403 Forbidden'])(
  'credentials that are refused: %s',
  (status) => {
    const no = refusal(status, error(`no ${SECRETS.password}`))
    const text = `HOST answered ${status.slice(0, 3)} to GET /settlements: the credentials were refused`

    test('are sent once and never again, whatever the next request is', async () => {
      const service = await scripted([no, GOOD], PATIENT)
      const ask = { offset: 0, limit: 50 }
      expect(await service.outcome()).toEqual({ code: 'source_unauthorized', text, requests: 1 })
      expect(await service.outcome({ offset: 50 })).toMatchObject({ requests: 0 })
      for (const list of ['terminals', 'transactions', 'settlements'] as List[]) {
        await expect(service.source.page(list, ask)).rejects.toMatchObject({
          code: 'source_unauthorized',
        })
      }
      await expect(service.source.probe()).rejects.toMatchObject({ code: 'source_unauthorized' })
      expect(service.asked).toHaveLength(1)
      expect(FAILURES.source_unauthorized).toMatchObject({ exit: 3 })
      expect(FAILURES.source_unauthorized).not.toHaveProperty('retry')
    })

    test('end a sweep half way, after pages that were read', async () => {
      const service = await scripted([GOOD, GOOD, no, GOOD], PATIENT)
      expect(await service.outcome()).toMatchObject({ code: 'page' })
      expect(await service.outcome({ offset: 50 })).toMatchObject({ code: 'page' })
      expect(await service.outcome({ offset: 100 })).toMatchObject({
        code: 'source_unauthorized',
        text,
        requests: 1,
      })
      expect(await service.outcome({ offset: 150 })).toMatchObject({ requests: 0 })
      expect(service.asked).toHaveLength(3)
    })

    test('end a request that waits for its next try, without that try', async () => {
      const service = await scripted([refusal('500 Sorry', ''), no, GOOD], PATIENT)
      const outcomes = await Promise.all([service.outcome(), service.outcome({ offset: 50 })])
      expect(outcomes.map(({ code }) => code)).toEqual([
        'source_unauthorized',
        'source_unauthorized',
      ])
      expect(service.asked).toHaveLength(2)
    })
  },
)

test('a request that waits for a connection is not sent once the credentials are refused', async () => {
  const no = refusal('401 Unauthorized', '')
  const waiting: Socket[] = []
  const held: Act = (socket) => {
    waiting.push(socket)
    if (waiting.length !== 8) return
    // All connections are taken; the first one hears that the credentials are refused, the others are free later.
    waiting[0]?.write(no)
    setTimeout(() => waiting.forEach((one) => one.writable && one.write(GOOD)), 100)
  }
  const service = await scripted([held], PATIENT)
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, n) => service.outcome({ offset: n * 50 })),
  )
  expect(new Set(outcomes.map(({ code }) => code))).toEqual(new Set(['source_unauthorized']))
  // The connection that is free again may take one more before anybody can know.
  expect(service.asked.length).toBeLessThanOrEqual(9)
})

/** Refuses every limit above `most`. */
const limited =
  (most: number, body: string): Act =>
  (socket, { url }) => {
    const isTooMany = Number(url.searchParams.get('limit')) > most
    socket.write(isTooMany ? refusal('400 Bad Request', body) : GOOD)
  }
const limitsOf = (asked: { url: URL }[]) => asked.map(({ url }) => url.searchParams.get('limit'))

test.each([
  ['by its parameter', error('must be at most 100', { parameter: 'limit', type: 'invalid' })],
  ['in its words', error('The limit is too large')],
  ['without saying so', error('invalid request')],
  ['with no words at all', ''],
  ['with a web page', '<h1>Bad request</h1>'],
])('a limit that is refused %s is halved until it is accepted, and remembered', async (_, body) => {
  const service = await scripted([limited(100, body)], { pageSize: 1000 })
  expect(await service.outcome({ limit: 1000 })).toMatchObject({ code: 'page', text: '1 of 62' })
  expect(limitsOf(service.asked)).toEqual(['1000', '500', '250', '125', '62'])
  expect(service.source.pageSize('settlements')).toBe(62)
  expect(await service.outcome({ offset: 62, limit: 1000 })).toMatchObject({ requests: 1 })
  // Another list may take more.
  expect(service.source.pageSize('transactions')).toBe(1000)
})

test('a limit is never halved below the page size of a request without a limit', async () => {
  const service = await scripted([limited(10, error('The limit is too large'))])
  expect(await service.outcome({ limit: 120 })).toEqual({
    code: 'source_refused',
    text: 'HOST answered 400 to GET /settlements; source.page_size sets the limit',
    requests: 3,
  })
  expect(limitsOf(service.asked)).toEqual(['120', '60', '50'])
})

test('a 413 or 422 about the limit makes it smaller, and any other does not', async () => {
  const large = await scripted([
    refusal('422 Unprocessable', error('too many', { parameter: 'limit' })),
    GOOD,
  ])
  expect(await large.outcome({ limit: 200 })).toMatchObject({ code: 'page', text: '1 of 100' })
  const other = await scripted([refusal('422 Unprocessable', error('no')), GOOD])
  expect(await other.outcome({ limit: 200 })).toMatchObject({ code: 'source_refused', requests: 1 })
})

test.each([
  error('The terminal does not exist or is not accessible', { type: 'invalid' }),
  error('is invalid', { parameter: 'terminalId', type: 'invalid' }),
])('a refused terminal is not requested with smaller limits: %s', async (body) => {
  const service = await scripted([refusal('400 Bad Request', body), GOOD], PATIENT)
  expect(await service.outcome({ terminalId: '7', limit: 500 })).toMatchObject({
    code: 'source_refused',
    requests: 1,
  })
  expect(await service.outcome({ terminalId: '41' })).toMatchObject({ code: 'page' })
  expect(service.asked.map(({ url }) => url.searchParams.get('terminalId'))).toEqual(['7', '41'])
})

test('the text of a refusal is never repeated, because it may quote secrets, a card or a customer', async () => {
  const { password, applicationKey, user } = SECRETS
  const token = Buffer.from(`${user}:${password}`).toString('base64')
  const service = await scripted([
    refusal('410 Gone', error(`${password} ${applicationKey} ${token} 4111-1111-1111-1111`)),
  ])
  expect((await service.outcome()).text).toBe(
    'HOST answered 410 to GET /settlements: source.paths has the path of each list',
  )
})

test('a list that existed and is gone is a refusal, and not another service', async () => {
  const service = await scripted([GOOD, refusal('404 Not Found', error('no such list'))])
  await service.outcome()
  expect(await service.outcome()).toMatchObject({
    code: 'source_refused',
    text: 'HOST answered 404 to GET /settlements: source.paths has the path of each list',
    requests: 1,
  })
})

test('a service that was read once and then answers with a web page is unreadable, and not another service', async () => {
  const service = await scripted([
    GOOD,
    answer('<h1>Busy</h1>', { headers: { 'Content-Type': 'text/html' } }),
  ])
  await service.outcome()
  expect(await service.outcome()).toMatchObject({
    code: 'page_unreadable',
    text: 'a page of http://HOST/settlements is a web page and not JSON',
  })
})

test('a probe asks for one settlement and gives up after three tries', async () => {
  const service = await scripted([refusal('500 Sorry', '')], PATIENT)
  await expect(service.source.probe()).rejects.toMatchObject({ code: 'source_unreachable' })
  expect(service.asked.map(({ target }) => target)).toEqual([
    '/settlements?offset=0&limit=1',
    '/settlements?offset=0&limit=1',
    '/settlements?offset=0&limit=1',
  ])
})

test('the time of the service is read from its Date header, and only in the form of HTTP', async () => {
  for (const [date, servedAt] of [
    [DATE, '2026-11-21T10:00:00.000Z'],
    ['1', null],
    ['tomorrow', null],
    ['2026-11-21T10:00:00Z', null],
    ['', null],
  ] as const) {
    const service = await scripted([answer(LAST_PAGE, { headers: { Date: date } })])
    const page = await service.source.page('settlements', { offset: 0, limit: 50 })
    expect(page.servedAt).toBe(servedAt)
  }
})
