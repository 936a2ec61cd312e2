/** Goal: a proxy that the environment names is used. Its errors are not taken for those of the service. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { postMessage } from '../../../api/http/webhook.ts'
import { Secret } from '../../../domain/settings.ts'
import { outcomeMessage, WEBHOOK_RULES } from '../../../domain/webhook.ts'
import { LAST_PAGE, answer, elsewhere, open, outcomeOf, scripted } from './scripted-server.ts'

const SERVICE = 'https://payments.invalid'
const NAMES = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'https_proxy', 'http_proxy', 'no_proxy']

beforeEach(() => {
  for (const name of NAMES) vi.stubEnv(name, '')
  return () => vi.unstubAllEnvs()
})

/** A proxy that refuses each request with this status; answers with the requests so far. */
async function refusingProxy(status: string) {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    response.writeHead(500).end()
  })
  const refuse = (request: IncomingMessage, socket: Duplex) => {
    asked.push(request)
    socket.end(`HTTP/1.1 ${status}\r\n\r\n`)
  }
  server.on('connect', refuse)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const outcome = () => outcomeOf(open({ baseUrl: SERVICE }), SERVICE)

test.each(['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY'])(
  '%s gets host, port and its own password, and nothing of the request',
  async (name) => {
    const { host, asked } = await refusingProxy('407 Proxy Authentication Required')
    vi.stubEnv(name, `http://user:sesame@${host}`)
    const { code, text } = await outcome()
    expect([code, text]).toEqual([
      'source_unreachable',
      'HOST:443 can not be reached, because the proxy answered with status 407',
    ])
    expect(asked.map(({ method, url }) => [method, url])).toEqual([
      ['CONNECT', 'payments.invalid:443'],
    ])
    const { authorization, 'proxy-authorization': own } = asked[0]?.headers ?? {}
    expect(authorization).toBeUndefined()
    expect(own).toBe(`Basic ${Buffer.from('user:sesame').toString('base64')}`)
  },
)

test('a proxy that is down is not taken for the service', async () => {
  vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:9')
  expect((await outcome()).text).toBe(
    'HOST:443 can not be reached, because the proxy refused the connection',
  )
})

test('NO_PROXY leaves out a host, and loopback addresses are always direct', async () => {
  const { host, asked } = await refusingProxy('403 Forbidden')
  for (const name of ['HTTPS_PROXY', 'HTTP_PROXY']) vi.stubEnv(name, `http://${host}`)
  vi.stubEnv('NO_PROXY', '.invalid')
  expect((await outcome()).text).not.toContain('proxy')
  const service = await scripted([answer(LAST_PAGE)])
  expect((await service.outcome()).code).toBe('page')
  expect(asked).toEqual([])
})

test('the address of a proxy that can not be used is refused by the name of its variable', async () => {
  const url = 'ftp://user:sesame@proxy'
  vi.stubEnv('HTTPS_PROXY', url)
  expect(() => open({ baseUrl: SERVICE })).toThrow(
    'HTTPS_PROXY is not an address such as http://proxy:3128',
  )
})

test('the webhook goes through the proxy, too, and a local receiver does not', async () => {
  const { host, asked } = await refusingProxy('403 Forbidden')
  vi.stubEnv('HTTPS_PROXY', `http://${host}`)
  const late = outcomeMessage({ account: 'acme', runId: 'r1' })
  const post = (url: string) => postMessage({ ...WEBHOOK_RULES, url: new Secret(url) }, late)
  expect(await post('https://hooks.invalid/sesame')).toBe("it can't be reached")
  expect(asked.map(({ url }) => url)).toEqual(['hooks.invalid:443'])
  const { port, connections } = await elsewhere()
  await post(`http://127.0.0.1:${port}/`)
  expect([connections(), asked.length]).toEqual([1, 1])
})
