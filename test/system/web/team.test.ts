/**
 * Goal: behind a proxy only known people get in, and each may do what their role allows. Method: a worker with `--web`,
 * and requests with the headers that the proxy would send.
 */
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import {
  newPlace,
  newPlaceWithLake,
  type Place,
  simulate,
  startTieout,
  tieout,
} from '../../support/built.ts'

const HOST = 'tieout.example.com'
const CONFIG = (proxy: string) => `web:
  user_header: X-Forwarded-User
  proxies: [${proxy}]
  hosts: [${HOST}]
  users: { Ann: preparer, Ben: reviewer, Cleo: viewer }
`

let origin: URL

async function placeWith(config: string): Promise<Place> {
  const service = await simulate(['--terminals', '1', '--transactions', '20'], newPlace())
  const place = newPlaceWithLake({ ...service, TIEOUT_METRICS: 'off' })
  writeFileSync(join(place.cwd, 'tieout.yaml'), config)
  return place
}

async function serve(config: string): Promise<URL> {
  const worker = startTieout(['worker', '--web', '127.0.0.1:0'], await placeWith(config))
  const said = await worker.says('console of default: ')
  return new URL(/console of default: (http:\S+?)["\s]/.exec(`${said} `)?.[1] ?? '')
}

beforeAll(async () => {
  origin = await serve(CONFIG('127.0.0.1'))
})

interface Sent {
  user?: string
  host?: string
  form?: Record<string, string>
  to?: URL
}

/** A request as the proxy passes it on. */
const send = (path: string, { user, host = HOST, form, to = origin }: Sent) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const headers = {
      host,
      ...(user === undefined ? {} : { 'X-Forwarded-User': user }),
      ...(form === undefined
        ? {}
        : { 'content-type': 'application/x-www-form-urlencoded', origin: `https://${HOST}` }),
    }
    const options = { host: to.hostname, port: to.port, path, headers }
    const sent = request({ ...options, method: form === undefined ? 'GET' : 'POST' }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    sent.once('error', reject)
    sent.end(form === undefined ? undefined : new URLSearchParams(form).toString())
  })

async function formToken(user: string): Promise<string> {
  const { text } = await send('/runs', { user })
  return /name="_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
}

test('only a user whom the proxy names and the config file knows gets in', async () => {
  expect((await send('/', { user: 'Ann' })).status).toBe(200)
  expect((await send('/', {})).status).toBe(403)
  expect((await send('/', { user: 'Dora' })).status).toBe(403)
  expect((await send('/', { user: '__proto__' })).status).toBe(403)
  expect((await send('/', { user: 'Ann', host: 'evil.example.com' })).status).toBe(403)
})

test('a request that does not come from the proxy is refused, whatever it names', async () => {
  const other = await serve(CONFIG('192.0.2.7'))
  expect((await send('/', { user: 'Ann', to: other })).text).toContain(
    'does not come from the configured proxy',
  )
})

test('each role may do what it is for', async () => {
  const reopen = { kind: 'reopen', reason: 'an audit', seen: '0' }
  const asked = async (user: string, form: Record<string, string>) =>
    send('/periods/2026-10', { user, form: { ...form, _token: await formToken(user) } })
  const viewer = await send('/periods/2026-10', {
    user: 'Cleo',
    form: { ...reopen, _token: await formToken('Ann') },
  })
  expect(viewer.status).toBe(403)
  const preparer = await asked('Ann', reopen)
  expect([preparer.status, preparer.text]).toEqual([
    409,
    expect.stringContaining('only a reviewer closes or reopens a period'),
  ])
  // The period was never closed, so that the refusal now comes from the books.
  const reviewer = await asked('Ben', reopen)
  expect(reviewer.status).toBe(409)
  expect(reviewer.text).not.toContain('only a reviewer')
})

test('a form that is too large is refused by its size, and by the role if the person only looks', async () => {
  const form = { kind: 'reopen', reason: 'x'.repeat(2_000_000) }
  expect((await send('/periods/2026-10', { user: 'Ben', form })).status).toBe(413)
  expect((await send('/periods/2026-10', { user: 'Cleo', form })).status).toBe(403)
  expect((await send('/', { user: 'Cleo' })).status).toBe(200)
})

test('the form of one person does not serve another', async () => {
  const form = { kind: 'reopen', reason: 'forged', _token: await formToken('Ann') }
  expect((await send('/periods/2026-10', { user: 'Ben', form })).status).toBe(403)
})

test('without a proxy the console serves no other machine', async () => {
  const place = await placeWith('')
  const { code, stderr } = await tieout(['worker', '--web', '0.0.0.0:0'], place)
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('not an address of this machine alone'),
  ])
})
