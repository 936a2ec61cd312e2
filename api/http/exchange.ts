/**
 * Sends one GET and reads its answer within one deadline. This layer does not retry, follow redirects or decompress.
 */
import type { Dispatcher } from 'undici'
import { Failure } from '../../domain/failure.ts'
import { printable } from '../record/excerpt.ts'

import type { Answer } from '../rate/announced-rate.ts'

export interface Reply extends Answer {
  body: Buffer
}

export interface Get {
  url: URL
  headers: Record<string, string>
  timeout_ms: number
  /**
   * Each signal stops the request at once. The caller aborts its own; the source aborts one when it may send nothing
   * more.
   */
  signals: readonly AbortSignal[]
}

/** No complete answer came. */
export class NoAnswer extends Error {
  /** The same error would happen again, for example an untrusted certificate. */
  readonly hopeless: boolean
  /** A connection existed, so that a smaller answer may come through. */
  readonly isSlow: boolean

  constructor(what: string, more: { cause: unknown; hopeless?: boolean; isSlow?: boolean }) {
    super(what, { cause: more.cause })
    this.name = 'NoAnswer'
    this.hopeless = more.hopeless ?? false
    this.isSlow = more.isSlow ?? false
  }
}

/** The body is larger than a page can be. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

const MAX_BODY_BYTES = 64 * 1024 * 1024
/** An answer other than 200 is read up to this size, because only its beginning matters. */
const MAX_ERROR_BYTES = 16 * 1024

/**
 * Sends one GET. Throws NoAnswer if no complete answer came in time, and TooLarge if the body is larger than 64 MiB.
 * Throws the Failure of a host that may not be connected to.
 * Throws the reason of the signal that stopped the request.
 */
export async function exchange(pool: Dispatcher, get: Get): Promise<Reply> {
  // This timer covers the whole exchange. The client's own timeouts only notice a pause between two bytes.
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), get.timeout_ms)
  const giveUp = () => deadline.abort()
  for (const signal of get.signals) signal.addEventListener('abort', giveUp)
  try {
    throwIfAborted(get.signals)
    return await ask(pool, get, deadline.signal)
  } catch (cause) {
    throwIfAborted(get.signals)
    if (cause instanceof TooLarge || cause instanceof Failure) throw cause
    throw deadline.signal.aborted
      ? new NoAnswer(`did not finish its answer within ${get.timeout_ms} ms`, {
          cause,
          isSlow: true,
        })
      : noAnswer(cause, get.url)
  } finally {
    clearTimeout(timer)
    for (const signal of get.signals) signal.removeEventListener('abort', giveUp)
  }
}

function throwIfAborted(signals: readonly AbortSignal[]): void {
  for (const signal of signals) signal.throwIfAborted()
}

async function ask(pool: Dispatcher, get: Get, signal: AbortSignal): Promise<Reply> {
  const { statusCode, headers, body } = await pool.request({
    method: 'GET',
    origin: get.url.origin,
    path: `${get.url.pathname}${get.url.search}`,
    headers: get.headers,
    signal,
  })
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (statusCode !== 200 && bytes > MAX_ERROR_BYTES) break
    if (bytes > MAX_BODY_BYTES) {
      throw new TooLarge(`a page of ${get.url.pathname} is larger than 64 MiB`)
    }
  }
  return { status: statusCode, headers, body: Buffer.concat(chunks) }
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'broke the connection off',
  EPIPE: 'broke the connection off',
  UND_ERR_SOCKET: 'broke the connection off',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'sent another length than it had announced',
  UND_ERR_CONNECT_TIMEOUT: 'did not take the connection in time',
  ETIMEDOUT: 'did not take the connection in time',
  ENOTFOUND: 'is not a name that can be resolved',
  EAI_AGAIN: 'is not a name that can be resolved at the moment',
  EHOSTUNREACH: 'can not be reached',
  ENETUNREACH: 'can not be reached',
  UND_ERR_HEADERS_OVERFLOW: 'sent headers that do not end',
  UND_ERR_HEADERS_TIMEOUT: 'sent no answer in time',
  UND_ERR_BODY_TIMEOUT: 'stopped in the middle of its answer',
}
/** Errors that happen before there is a connection. */
const UNCONNECTED =
  /^(?:ECONNREFUSED|UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/
const NOT_HTTP = /^HPE_|^HTTPParserError$/
const UNTRUSTED = /CERT|ISSUER|SIGNATURE|^ERR_TLS|^ERR_SSL|^EPROTO$/

function noAnswer(cause: unknown, url: URL): NoAnswer {
  const refusal = proxyRefusal(cause)
  if (refusal !== undefined) {
    const what = `can not be reached, because the proxy answered with status ${refusal}`
    return new NoAnswer(what, { cause, hopeless: REFUSED_BY_PROXY.has(refusal) })
  }
  const code = codeOf(cause)
  if (isOfProxy(cause, url)) {
    const why = REASONS[code] ?? `gave no answer (${printable(code, 40)})`
    return new NoAnswer(`can not be reached, because the proxy ${why}`, { cause })
  }
  if (UNTRUSTED.test(code)) {
    return new NoAnswer(`could not prove its identity (${printable(code, 40)})`, {
      cause,
      hopeless: true,
    })
  }
  const known = NOT_HTTP.test(code) ? 'did not answer in HTTP' : REASONS[code]
  const what = known ?? `gave no answer (${printable(code, 40)})`
  return new NoAnswer(what, { cause, isSlow: !NOT_HTTP.test(code) && !UNCONNECTED.test(code) })
}

/** Statuses with which a proxy refuses a host or a user. */
const REFUSED_BY_PROXY = new Set([401, 403, 405, 407])

/** The status with which a proxy refused to connect; undefined for another error. */
function proxyRefusal(cause: unknown): number | undefined {
  const text = cause instanceof Error ? cause.message : ''
  const [, status] = /^Proxy response \((\d{3})\)/.exec(text) ?? []
  return status === undefined ? undefined : Number(status)
}

/** True for an error of a connection to another host or port than those of the request. */
function isOfProxy(cause: unknown, url: URL): boolean {
  if (!(cause instanceof Error) || !UNCONNECTED.test(codeOf(cause))) return false
  const port = Number(url.port || { 'https:': 443, 'http:': 80 }[url.protocol])
  if ('port' in cause && typeof cause.port === 'number') return cause.port !== port
  return 'hostname' in cause && cause.hostname !== url.hostname
}

function codeOf(cause: unknown): string {
  // A host name with several addresses fails with one error for all of them; the first one is reported.
  const error: unknown = cause instanceof AggregateError ? (cause.errors[0] ?? cause) : cause
  if (typeof error === 'object' && error !== null && 'code' in error) {
    // Some errors of the HTTP parser have no code.
    if (typeof error.code === 'string') return error.code
  }
  return error instanceof Error ? error.name : 'unknown'
}
