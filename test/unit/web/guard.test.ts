import { Hono } from 'hono'
import { afterEach, expect, test, vi } from 'vitest'
import { type Env, guard } from '../../../web/parts/guard.ts'

const HOST = '127.0.0.1:8780'
const HOURS_MS = 3_600_000

afterEach(() => {
  vi.useRealTimers()
})

/** A console of one page that names its reader. */
function consoleOf(actor: string) {
  const app = new Hono<Env>()
  app.use(guard({ entrance: { kind: 'token', token: 'once', actor }, hosts: [HOST] }))
  app.all('/', (context) => context.json(context.get('person')))
  const ask = (path: string, headers: Record<string, string> = {}, body?: string) =>
    app.request(path, {
      headers: { host: HOST, ...headers },
      ...(body === undefined ? {} : { method: 'POST', body }),
    })
  return { app, ask }
}

async function sessionOf(ask: ReturnType<typeof consoleOf>['ask']): Promise<{ cookie: string }> {
  const begun = await ask('/?token=once')
  return { cookie: (begun.headers.get('set-cookie') ?? '').split(';')[0] ?? '' }
}

test('a session ends after twelve hours', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-20T08:00:00Z') })
  const { ask } = consoleOf('Ann')
  const session = await sessionOf(ask)
  vi.setSystemTime(Date.now() + 12 * HOURS_MS - 1000)
  expect((await ask('/', session)).status).toBe(200)
  vi.setSystemTime(Date.now() + 2000)
  const late = await ask('/', session)
  expect([late.status, await late.text()]).toEqual([403, expect.stringContaining('session ended')])
})

test('the cookie is out of reach for scripts and other sites', async () => {
  const begun = await consoleOf('Ann').ask('/?token=once')
  expect(begun.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Strict$/)
})

test('a wrong token begins no session and uses none up', async () => {
  const { ask } = consoleOf('Ann')
  expect((await ask('/?token=guess')).status).toBe(403)
  expect((await ask('/?token=once')).status).toBe(200)
  expect((await ask('/?token=once')).status).toBe(403)
})

test('a person without a name may only look', async () => {
  const { ask } = consoleOf('')
  const session = await sessionOf(ask)
  expect(await (await ask('/', session)).json()).toMatchObject({ name: '', role: 'viewer' })
  const { formToken } = (await (await ask('/', session)).json()) as { formToken: string }
  const posted = await ask(
    '/',
    {
      ...session,
      ...{ origin: `http://${HOST}`, 'content-type': 'application/x-www-form-urlencoded' },
    },
    `_token=${formToken}`,
  )
  expect([posted.status, await posted.text()]).toEqual([403, expect.stringContaining('not decide')])
})

const FORM = {
  ...{ origin: `http://${HOST}`, 'content-type': 'application/x-www-form-urlencoded' },
}

/** A body of so many kilobytes that notes how many of them were read. */
function bodyOf(kilobytes: number) {
  let read = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (read === kilobytes) controller.close()
        else controller.enqueue(new Uint8Array(1000).fill(0x61))
        read = Math.min(read + 1, kilobytes)
      },
    },
    { highWaterMark: 0 },
  )
  return { body, read: () => read }
}

test('a person who only looks is refused before the body is read', async () => {
  const { app, ask } = consoleOf('')
  const headers = { host: HOST, ...(await sessionOf(ask)), ...FORM }
  const { body, read } = bodyOf(10)
  const request = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
  expect([(await app.request('/', request)).status, read()]).toEqual([403, 0])
})

test('a form of more than 1 MB is refused, whether it names its length or not', async () => {
  const { app, ask } = consoleOf('Ann')
  const headers = { host: HOST, ...(await sessionOf(ask)), ...FORM }
  const { body, read } = bodyOf(5000)
  const request = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
  const answer = await app.request('/', request)
  expect([answer.status, await answer.text()]).toEqual([413, expect.stringContaining('1 MB')])
  expect(read()).toBeLessThan(1010)
  const named = await ask('/', { ...headers, 'content-length': '5000000' }, 'x')
  expect(named.status).toBe(413)
})

test.each([
  ['multipart/form-data; boundary=x', '--x\r\nbroken'],
  ['multipart/form-data', 'abc'],
])('a form of the type %s that can not be read is a mistake of its sender', async (type, body) => {
  const { ask } = consoleOf('Ann')
  const answer = await ask('/', { ...(await sessionOf(ask)), ...FORM, 'content-type': type }, body)
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining("can't be read"),
  ])
})

test('every method but GET, HEAD and POST is refused', async () => {
  const { app, ask } = consoleOf('Ann')
  const headers = { host: HOST, ...(await sessionOf(ask)) }
  for (const method of ['PUT', 'DELETE', 'PATCH']) {
    expect((await app.request('/', { method, headers })).status, method).toBe(405)
  }
})
