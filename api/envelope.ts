/** The parts of a page's JSON, found without building what is in them. */
import { SentRecord } from './sent-record.ts'
import { parseJson } from './json.ts'
import { Members } from './members.ts'
import { type Skimmed, skipKey, skipSpace, skipString, skipValue } from './skim.ts'

export interface Envelope {
  results: unknown[]
  next?: unknown
}

const COMMA = 0x2c
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
/** Levels of the page around a record. */
const RECORD_DEPTH = 2

interface Found {
  results: SentRecord[] | undefined
  next: unknown
  hasNext: boolean
}

/**
 * Reads a page that is valid JSON, is an object, has one array of `results` and at most one `next`; the records are
 * left unparsed. Undefined for anything else or unusual, of which the parser knows what is wrong, if anything.
 */
export function skimEnvelope(text: string): Envelope | undefined {
  const page: Skimmed = { text, members: new Members(text.length) }
  let at = skipSpace(text, 0)
  if (text.charCodeAt(at) !== OPENING_BRACE) return undefined
  const found: Found = { results: undefined, next: undefined, hasNext: false }
  do {
    at = skimMember(page, skipSpace(text, at + 1), found)
    if (at < 0) return undefined
    at = skipSpace(text, at)
  } while (text.charCodeAt(at) === COMMA)
  if (text.charCodeAt(at) !== CLOSING_BRACE) return undefined
  if (skipSpace(text, at + 1) < text.length || found.results === undefined) return undefined
  return found.hasNext ? { results: found.results, next: found.next } : { results: found.results }
}

/** Passes one member of the envelope and notes what it holds; -1 for anything unusual. */
function skimMember(page: Skimmed, at: number, found: Found): number {
  const { text } = page
  const value = skipKey(text, at)
  if (value < 0) return -1
  const key = text.slice(at + 1, skipString(text, at) - 1)
  // A key may be written in several ways; such a one is left to the parser.
  if (key.includes('\\')) return -1
  if (key === 'results') {
    if (found.results !== undefined) return -1
    found.results = []
    return skimResults(page, value, found.results)
  }
  const end = skipValue(page, value, 1)
  if (key !== 'next' || end < 0) return end
  if (found.hasNext) return -1
  found.hasNext = true
  found.next = parseJson(text.slice(value, end))
  return end
}

function skimResults(page: Skimmed, from: number, results: SentRecord[]): number {
  const { text, members } = page
  if (text.charCodeAt(from) !== OPENING_BRACKET) return -1
  let at = skipSpace(text, from + 1)
  if (text.charCodeAt(at) === CLOSING_BRACKET) return at + 1
  for (;;) {
    const first = members.size
    const end = skipValue(page, at, RECORD_DEPTH)
    if (end < 0) return -1
    results.push(new SentRecord(page, { from: at, to: end, first, last: members.size }))
    at = skipSpace(text, end)
    const code = text.charCodeAt(at)
    if (code === CLOSING_BRACKET) return at + 1
    if (code !== COMMA) return -1
    at = skipSpace(text, at + 1)
  }
}
