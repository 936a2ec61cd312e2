/** Reads one page of a list from the body of an answer. */
import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { z } from 'zod'
import { Failure } from '../../domain/failure.ts'
import type { List } from '../../domain/run.ts'
import type { Headers } from '../rate/announced-rate.ts'
import type { Reply } from './exchange.ts'
import { type Envelope as Opened, scanEnvelope } from './envelope.ts'
import { isJsonObject, JsonNumber, parseJson } from '../json/json.ts'
import { nextPlace, type NextPlace } from './next.ts'
import { httpDate_ms } from '../rate/wait-text.ts'

export interface Page {
  /** The position of the first record in the list, and the number of records that were requested. */
  offset: number
  asked: number
  /** The records, most of them not yet parsed, as readRecord takes them. */
  records: unknown[]
  /** Frees the memory of the page. A record that is read again after this is parsed. */
  release?: (() => void) | undefined
  /** True if the page names a next one. */
  hasNext: boolean
  /** The place of the next page; absent if the page names none. */
  next?: NextPlace | undefined
  /** True if the body has no form for a next page. Only another request shows whether more records follow. */
  isBare?: boolean
  bodySha256: string
  bytes: number
  /** The time by the service's clock, ISO 8601; null if the answer has none. */
  servedAt: string | null
}

/** A body that is no page. A retry may help, because a proxy sometimes answers instead of the service. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

const MAX_RECORDS = 200_000
const Envelope = z.object({ results: z.array(z.unknown()), next: z.unknown().optional() })
const WRAPPERS = ['data', 'items', 'records', 'terminals', 'transactions']
const IDS = ['terminalId', 'transactionId']
const DIGITS = /^[1-9][0-9]{0,18}$/

/** Reads a page, whatever its Content-Type says. Throws Unreadable, or what nextPlace throws. */
export const readPage = (reply: Reply, url: URL): Page => pageOf(reply, url, envelopeOf)

/**
 * Returns the reader of a list's pages. If the interface does not show the form of a list, the reader accepts any
 * usual form.
 */
export const readerOf = (list: List): typeof readPage =>
  list === 'settlements' ? readPage : (reply, url) => pageOf(reply, url, anyForm)

/** `form` opens a parsed body that is no page of the usual form. */
function pageOf(reply: Reply, url: URL, form: (read: unknown) => Opened): Page {
  checkHeaders(reply.headers)
  if (!isUtf8(reply.body)) throw new Unreadable('is not UTF-8')
  const { results, next, release, isBare } = scanEnvelope(reply.body) ?? form(listIn(reply.body))
  const linked = isBare === true ? linkedNext(reply.headers) : undefined
  const place = nextPlace(next ?? linked, url)
  if (results.length > MAX_RECORDS) {
    throw new Failure('page_unreadable', `a page of ${url.pathname} has more than 200,000 records`)
  }
  return {
    offset: Number(url.searchParams.get('offset')),
    asked: Number(url.searchParams.get('limit')),
    records: results,
    release,
    hasNext: place !== undefined,
    next: place,
    ...(isBare === true && linked === undefined ? { isBare } : {}),
    bodySha256: hash('sha256', reply.body),
    bytes: reply.body.length,
    servedAt: servedAt(reply.headers['date']),
  }
}

/** Reads the answer about one record as a page that holds it alone. Throws Unreadable. */
export function readSingle(reply: Reply): Page {
  checkHeaders(reply.headers)
  const record = parseBody(reply.body)
  if (!isJsonObject(record)) throw new Unreadable('is no record')
  return {
    ...{ offset: 0, asked: 1, records: [record], hasNext: false },
    bodySha256: hash('sha256', reply.body),
    bytes: reply.body.length,
    servedAt: servedAt(reply.headers['date']),
  }
}

/** The instant of a Date header; null for anything else. */
export function servedAt(date: unknown): string | null {
  const at_ms = httpDate_ms(typeof date === 'string' ? date : '')
  return Number.isNaN(at_ms) ? null : new Date(at_ms).toISOString()
}

function checkHeaders(headers: Headers): void {
  const encoding = String(headers['content-encoding'] ?? 'identity').trim()
  if (encoding.toLowerCase() !== 'identity') throw new Unreadable('is compressed, unasked')
}

function envelopeOf(read: unknown): Opened {
  const { data, error } = Envelope.safeParse(read)
  if (error !== undefined) throw new Unreadable('has no array of results')
  return data
}

/** Parses a list. A list with errors beside it may lack records. */
function listIn(body: Buffer): unknown {
  const read = parseBody(body)
  const errors = isJsonObject(read) ? read['errors'] : undefined
  if (Array.isArray(errors) && errors.length > 0) throw new Unreadable('reports errors')
  return read
}

/** Opens a page, an array, an object by id, or an object with another usual name instead of `results`. */
function anyForm(read: unknown): Opened {
  if (Array.isArray(read)) return { results: read, isBare: true }
  if (!isJsonObject(read) || Object.hasOwn(read, 'results')) return envelopeOf(read)
  const [named, other] = WRAPPERS.flatMap((name) => (Array.isArray(read[name]) ? [read[name]] : []))
  if (named !== undefined && other === undefined) {
    return Object.hasOwn(read, 'next')
      ? { results: named, next: read['next'] }
      : { results: named, isBare: true }
  }
  const entries = Object.entries(read)
  const isById = entries.every(([key, value]) => DIGITS.test(key) && isJsonObject(value))
  return entries.length > 0 && isById
    ? { results: entries.map(withId), isBare: true }
    : envelopeOf(read)
}

/** Adds the id to a terminal that is listed by its id and does not repeat it. */
function withId([key, value]: [string, unknown]): unknown {
  if (!isJsonObject(value) || IDS.some((name) => Object.hasOwn(value, name))) return value
  return { terminalId: new JsonNumber(key), ...value }
}

/** The next page in the Link header, for a list whose bodies can't name it. */
function linkedNext({ link }: Headers): string | undefined {
  const links = [link ?? []].flat().join(', ')
  return /<([^<>]*)>[^<>]*;\s*rel="?next"?/i.exec(links)?.[1]
}

function parseBody(body: Buffer): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new Unreadable('is not UTF-8')
  }
  try {
    return parseJson(text)
  } catch {
    // The parser's message quotes the body, so that it goes no further.
    throw new Unreadable('is not complete JSON')
  }
}
