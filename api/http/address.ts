/** The address of the service, and the requests that may be made there. */
import type { List } from '../../domain/run.ts'
import type { SourceSettings } from '../../domain/settings.ts'
import { Failure } from '../../domain/failure.ts'
import { isLinkLocal, linkLocalFailure } from './link-local.ts'
import { printable } from '../record/excerpt.ts'

export interface PageAsk {
  offset: number
  limit: number
  terminalId?: string
  /** True: the request goes before those that wait, such as the pages that a sweep reads ahead. */
  goesFirst?: boolean | undefined
}

export interface Address {
  /** Scheme, host and port. Requests go to this origin only. */
  origin: string
  /** Host and port, for messages. */
  host: string
  /** Origin and base path, for messages. */
  base: string
  pageUrl(list: List, ask: PageAsk): URL
  terminalUrl(terminalId: string): URL
  /** The failure for a host whose name has a link-local address; undefined: it may have one. */
  linkLocalRefusal: Failure | undefined
}

const LOOPBACK = /^(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])$/

/** The failure for a link-local service address, or for a name that has one. Undefined if such are allowed. */
const linkLocalRefusal = (settings: SourceSettings, what: string): Failure | undefined =>
  settings.allowLinkLocal === true
    ? undefined
    : linkLocalFailure(
        'TIEOUT_BASE_URL',
        what,
        'set another address, or source.allow_link_local: true in the config file',
      )

/** Checks the configured base address. Throws config_invalid, and never repeats a wrong address in the message. */
export function readAddress(settings: SourceSettings): Address {
  const base = parseBase(settings.baseUrl)
  const refusal = linkLocalRefusal(settings, 'is')
  if (refusal !== undefined && isLinkLocal(base.hostname)) throw refusal
  const port = base.port === '' ? { 'https:': '443', 'http:': '80' }[base.protocol] : base.port
  const path = base.pathname.replace(/\/+$/, '')
  const urlOf = (list: List, below = '') => {
    const url = new URL(base.origin)
    url.pathname = `${path}/${settings.paths[list].replace(/^\/+/, '')}${below}`
    for (const [name, value] of Object.entries(settings.query)) url.searchParams.set(name, value)
    return url
  }
  return {
    origin: base.origin,
    host: `${base.hostname}:${port}`,
    base: printable(`${base.origin}${path}`, 80),
    pageUrl(list, ask) {
      const url = urlOf(list)
      url.searchParams.set('offset', String(ask.offset))
      url.searchParams.set('limit', String(ask.limit))
      if (ask.terminalId !== undefined) url.searchParams.set('terminalId', ask.terminalId)
      return url
    },
    linkLocalRefusal: linkLocalRefusal(settings, 'is a name of'),
    terminalUrl: (terminalId) => urlOf('terminals', `/${encodeURIComponent(terminalId)}`),
  }
}

function parseBase(text: string): URL {
  const fault = baseAddressFault(text)
  if (fault !== undefined) throw new Failure('config_invalid', `TIEOUT_BASE_URL ${fault}`)
  return new URL(text)
}

/** Names the fault of a base address, without repeating it; undefined if there is none. */
export function baseAddressFault(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is not an address'
  const base = new URL(text)
  if (base.username !== '' || base.password !== '') return 'holds a user or a password'
  if (base.search !== '' || base.hash !== '') return 'holds a query or a fragment'
  return staysUnread(base) ? undefined : 'is neither https nor http on a loopback address'
}

/** True if no third party on the way can read a request: https, or http on a loopback address. */
export const staysUnread = (url: URL): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))

/** True for the host of a URL that is this machine, in lower case and with brackets around an address of version 6. */
export const isLoopback = ({ hostname }: Pick<URL, 'hostname'>): boolean => LOOPBACK.test(hostname)
