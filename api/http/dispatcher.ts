/** The connections to other machines: direct, or through the proxy that the environment names. */
import { EnvHttpProxyAgent, Pool, type Dispatcher } from 'undici'
import { Failure } from '../../domain/failure.ts'
import { isLoopback } from './address.ts'
import { lookupExceptLinkLocal } from './link-local.ts'

export interface Limits {
  connections?: number
  /** The longest wait for headers, and between two pieces of a body. */
  silent_ms?: number
  connect_ms: number
  /** The failure for a name with a link-local address; undefined: it may have one. A proxy resolves names itself. */
  linkLocalRefusal: Failure | undefined
}

/**
 * Opens the way to an origin. This machine's own addresses are always reached directly. HTTPS_PROXY, HTTP_PROXY and
 * NO_PROXY decide about all others. The proxy gets host and port of an https address, and nothing else. Throws
 * config_invalid for a proxy's address that can't be used, and does not repeat it.
 */
export function dispatcherTo(origin: string, limits: Limits): Dispatcher {
  const { connections, silent_ms, connect_ms, linkLocalRefusal } = limits
  // This is the default, but an environment variable could turn it off.
  const tls = { rejectUnauthorized: true, timeout: connect_ms }
  const options = {
    ...(connections === undefined ? {} : { connections }),
    ...(silent_ms === undefined ? {} : { headersTimeout: silent_ms, bodyTimeout: silent_ms }),
    connect:
      linkLocalRefusal === undefined
        ? tls
        : { ...tls, lookup: lookupExceptLinkLocal(linkLocalRefusal) },
  }
  const httpsProxy = variable('https_proxy')
  const httpProxy = variable('http_proxy')
  const isNamed = httpsProxy !== '' || httpProxy !== ''
  if (!isNamed || isLoopback(new URL(origin))) return new Pool(origin, options)
  refuseUnusable('HTTPS_PROXY', httpsProxy)
  refuseUnusable('HTTP_PROXY', httpProxy)
  const proxies = { httpsProxy, httpProxy, noProxy: variable('no_proxy') }
  return new EnvHttpProxyAgent({ ...options, ...proxies, requestTls: tls, proxyTls: tls })
}

/** The value in small letters or in capitals. An empty variable counts as absent. */
const variable = (name: string): string =>
  process.env[name] || process.env[name.toUpperCase()] || ''

/** A user or a password with a bare % can't be sent. */
function isDecodable(address: string): boolean {
  const { username, password } = new URL(address)
  try {
    return [username, password].every((text) => decodeURIComponent(text) !== undefined)
  } catch {
    return false
  }
}

/** The address may hold a password. */
function refuseUnusable(name: string, value = ''): void {
  if (value === '') return
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) && isDecodable(value)) return
  throw new Failure('config_invalid', `${name} is not an address such as http://proxy:3128`)
}
