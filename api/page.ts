/** One page of a list, read from the body of an answer. */
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { Failure } from '../domain/failure.ts'
import type { Headers, Reply } from './exchange.ts'
import { type Envelope as Opened, skimEnvelope } from './envelope.ts'
import { isJsonObject, parseJson } from './json.ts'
import { saysMore } from './next.ts'
import { httpDate_ms } from './retry-timing.ts'

export interface Page {
  /** Position of the first record in the list, and how many were asked for. */
  offset: number
  asked: number
  /** The records, most of them not yet parsed: readRecord takes them as they are. */
  records: unknown[]
  /** Says that they were read: whatever is read of them later is parsed anew. */
  release?: (() => void) | undefined
  /** The page names a next one. */
  hasNext: boolean
  bodySha256: string
  bytes: number
  /** The service's own clock, ISO 8601, where its answer tells it. */
  servedAt: string | null
}

/** Why a body is no page. Another try may help: proxies answer in the place of the service. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

const MAX_RECORDS = 200_000
const JSON_TYPE = /^application\/(?:[a-z0-9.!#$&^_-]+\+)?json *(?:;|$)/i
const Envelope = z.object({ results: z.array(z.unknown()), next: z.unknown().optional() })

/** Reads a page. Throws Unreadable, or what saysMore throws. */
export function readPage(reply: Reply, url: URL): Page {
  checkHeaders(reply.headers)
  const { results, next, release } = openEnvelope(reply.body)
  if (results.length > MAX_RECORDS) {
    throw new Failure('page_unreadable', `a page of ${url.pathname} has more than 200,000 records`)
  }
  return {
    offset: Number(url.searchParams.get('offset')),
    asked: Number(url.searchParams.get('limit')),
    records: results,
    release,
    hasNext: saysMore(next, url),
    bodySha256: createHash('sha256').update(reply.body).digest('hex'),
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
    bodySha256: createHash('sha256').update(reply.body).digest('hex'),
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
  if (!JSON_TYPE.test(String(headers['content-type'] ?? ''))) throw new Unreadable('is not JSON')
  const encoding = String(headers['content-encoding'] ?? 'identity').trim()
  if (encoding.toLowerCase() !== 'identity') throw new Unreadable('is compressed, unasked')
}

function openEnvelope(body: Buffer): Opened {
  if (!isUtf8(body)) throw new Unreadable('is not UTF-8')
  const skimmed = skimEnvelope(body)
  if (skimmed !== undefined) return skimmed
  const { data, error } = Envelope.safeParse(parseBody(body))
  if (error !== undefined) throw new Unreadable('has no array of results')
  return data
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
    // What the parser says quotes the body, so it stays here.
    throw new Unreadable('is not complete JSON')
  }
}
