/** The address of the service, and the requests that may be made there. */
import type { List } from '../../domain/run.ts'
import type { SourceSettings } from '../../domain/settings.ts'
import { Failure } from '../../domain/failure.ts'
import { printable } from '../record/excerpt.ts'

export interface PageAsk {
  offset: number
  limit: number
  terminalId?: string
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
}

const LOOPBACK = /^(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])$/

/** Addresses of one network segment: 169.254.0.0/16, fe80::/10, and the first kind in the form of the second. */
const LINK_LOCAL = /^(?:169\.254\.|\[fe[89ab][0-9a-f]:|\[::ffff:a9fe:)/

/** Checks the configured base address. Throws config_invalid, and never repeats a wrong address in the message. */
export function readAddress(settings: SourceSettings): Address {
  const base = parseBase(settings.baseUrl)
  if (LINK_LOCAL.test(base.hostname) && settings.allowLinkLocal !== true) {
    throw invalid('is a link-local address, at which clouds keep secrets', {
      remedy: 'set another address, or source.allow_link_local: true in the config file',
    })
  }
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
    terminalUrl: (terminalId) => urlOf('terminals', `/${encodeURIComponent(terminalId)}`),
  }
}

function parseBase(text: string): URL {
  if (!URL.canParse(text)) throw invalid('is not an address')
  const base = new URL(text)
  if (base.username !== '' || base.password !== '') throw invalid('holds a user or a password')
  if (base.search !== '' || base.hash !== '') throw invalid('holds a query or a fragment')
  if (!staysUnread(base)) throw invalid('is neither https nor http on a loopback address')
  return base
}

/** True if no third party on the way can read a request: https, or http on a loopback address. */
export const staysUnread = (url: URL): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))

export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.test(hostname)

function invalid(what: string, more: { remedy?: string } = {}): Failure {
  return new Failure('config_invalid', `TIEOUT_BASE_URL ${what}`, more)
}
