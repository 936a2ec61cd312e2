/** Finds the records of a page in its bytes, without parsing them. */
import { SentRecord } from '../json/sent-record.ts'
import { parseJson } from '../json/json.ts'
import { KnownKeys, NO_KEYS } from '../json/known-keys.ts'
import { byteAt, ScannedPage, skipKey, skipSpace, skipString, skipValue } from '../json/scan.ts'

export interface Envelope {
  results: unknown[]
  next?: unknown
  /** True if the body has only the records and no other part of a page. */
  isBare?: boolean
  /** Frees the memory of the page once its results were read. */
  release?: () => void
}

const COMMA = 0x2c
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
/** The depth of the page's own members, and of a record. */
const PAGE_DEPTH = 1
const RECORD_DEPTH = 2
/** The keys of the records of all lists. */
const RECORD_KEYS = new KnownKeys()

interface Found {
  results: SentRecord[] | undefined
  next: unknown
  hasNext: boolean
}

/**
 * Reads a page of valid JSON in UTF-8: an object with one array of `results` and at most one `next`. The records stay
 * unparsed. Returns undefined for any other body, which the parser then judges.
 */
export function scanEnvelope(body: Buffer): Envelope | undefined {
  const page = new ScannedPage(body)
  const { bytes } = page
  let at = skipSpace(bytes, 0)
  if (byteAt(bytes, at) !== OPENING_BRACE) return undefined
  page.depth = PAGE_DEPTH
  const found: Found = { results: undefined, next: undefined, hasNext: false }
  do {
    at = scanMember(page, skipSpace(bytes, at + 1), found)
    if (at < 0) return undefined
    at = skipSpace(bytes, at)
  } while (byteAt(bytes, at) === COMMA)
  if (byteAt(bytes, at) !== CLOSING_BRACE) return undefined
  if (skipSpace(bytes, at + 1) < bytes.length || found.results === undefined) return undefined
  const { results, hasNext, next } = found
  return { results, ...(hasNext ? { next } : {}), release: () => page.members.release() }
}

/** Scans one member of the page; -1 for anything unusual. */
function scanMember(page: ScannedPage, at: number, found: Found): number {
  const { bytes } = page
  const value = skipKey(bytes, at)
  if (value < 0) return -1
  const key = bytes.toString('utf8', at + 1, skipString(bytes, at) - 1)
  // A key with an escape may be any of these names, and errors may be empty: the parser reads them.
  if (key.includes('\\') || key === 'errors') return -1
  if (key === 'results') {
    if (found.results !== undefined) return -1
    found.results = []
    return scanResults(page, value, found.results)
  }
  const end = skipValue(page, value, NO_KEYS)
  if (key !== 'next' || end < 0) return end
  if (found.hasNext) return -1
  found.hasNext = true
  found.next = parseJson(bytes.toString('utf8', value, end))
  return end
}

function scanResults(page: ScannedPage, from: number, results: SentRecord[]): number {
  const { bytes, members } = page
  if (byteAt(bytes, from) !== OPENING_BRACKET) return -1
  let at = skipSpace(bytes, from + 1)
  if (byteAt(bytes, at) === CLOSING_BRACKET) return at + 1
  page.depth = RECORD_DEPTH
  for (;;) {
    const first = members.size
    const end = skipValue(page, at, RECORD_KEYS)
    if (end < 0) return -1
    results.push(new SentRecord(page, { from: at, to: end, first, last: members.size }))
    at = skipSpace(bytes, end)
    const code = byteAt(bytes, at)
    if (code === CLOSING_BRACKET) break
    if (code !== COMMA) return -1
    at = skipSpace(bytes, at + 1)
  }
  page.depth = PAGE_DEPTH
  return at + 1
}
