/** Goal: a name with a link-local address is refused as the address itself is. Method: drawn answers of the resolver. */
import dns from 'node:dns'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { postMessage } from '../../../api/http/webhook.ts'
import { Secret } from '../../../domain/settings.ts'
import { outcomeMessage, WEBHOOK_RULES } from '../../../domain/webhook.ts'
import { elsewhere, open, outcomeOf } from './scripted-server.ts'

const PROXIES = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'https_proxy', 'http_proxy', 'no_proxy']
const REFUSED = 'is a name of a link-local address, at which clouds keep secrets'
const ADDRESSES = [
  ['169.254.169.254'],
  ['fe80::1'],
  ['febf::1%eth0'],
  ['::ffff:169.254.1.1'],
  ['::ffff:a9fe:101'],
  ['64:ff9b::a9fe:a9fe'],
  ['fd00:ec2::254'],
  ['fd20:ce::254'],
  ['100.100.100.200'],
  ['127.0.0.1', '169.254.1.1'],
]

/** Every name has these addresses, as the resolver of the machine would answer. */
function resolveTo(addresses: readonly string[]): void {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  vi.spyOn(dns, 'lookup').mockImplementation(((
    _host: string,
    { all }: dns.LookupOptions,
    done: (error: null, found: unknown, family?: number) => void,
  ) => {
    if (all === true) done(null, found)
    else done(null, found[0]?.address, found[0]?.family)
  }) as unknown as typeof dns.lookup)
}

beforeEach(() => {
  for (const name of PROXIES) vi.stubEnv(name, '')
  return () => {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  }
})

const ask = (more: { allowLinkLocal?: boolean }, baseUrl = 'https://payments.invalid') =>
  outcomeOf(open({ baseUrl, ...more }), baseUrl)

const post = (url: string) =>
  postMessage(
    { ...WEBHOOK_RULES, url: new Secret(url) },
    outcomeMessage({ account: 'acme', runId: 'r1' }),
  )

describe.each(ADDRESSES.map((addresses) => [addresses.join(' and '), addresses] as const))(
  'a name with the address %s is refused',
  (_text, addresses) => {
    test('as the service', async () => {
      resolveTo(addresses)
      expect(await ask({})).toMatchObject({
        code: 'config_invalid',
        text: `TIEOUT_BASE_URL ${REFUSED}`,
      })
    })
    test('as the webhook', async () => {
      resolveTo(addresses)
      expect(await post('https://hooks.invalid/')).toBe(`TIEOUT_WEBHOOK_URL ${REFUSED}`)
    })
  },
)

test('a host that NO_PROXY names is refused, too', async () => {
  vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:9')
  vi.stubEnv('NO_PROXY', 'payments.invalid')
  resolveTo(['169.254.1.1'])
  expect((await ask({})).text).toBe(`TIEOUT_BASE_URL ${REFUSED}`)
})

test('any other address is connected to, and a link-local one if the config file allows it', async () => {
  const { port, connections } = await elsewhere()
  const url = `https://payments.invalid:${port}`
  resolveTo(['127.0.0.1'])
  expect((await ask({}, url)).code).toBe('source_unreachable')
  expect(connections()).toBe(1)
  resolveTo(['127.0.0.1', '169.254.1.1'])
  expect((await ask({ allowLinkLocal: true }, url)).code).toBe('source_unreachable')
  expect(connections()).toBe(2)
})
