/** The names of a record that nobody parsed, read where they stand in the text of its page. */
import type { List } from '../domain/run.ts'
import { shown, unknownWords } from './drift.ts'
import { areWords, KNOWN, knownOf, type Fields, type Known } from './known-names.ts'
import { keyOf, nextOf, valueEndOf, valueOf } from './members.ts'
import type { SentRecord } from './sent-record.ts'
import { byteAt, isWord, type Skimmed, skipString, textOf } from './skim.ts'

const OPENING_BRACE = 0x7b
const MAX_REMEMBERED = 100

/** The fields of one object, and those of the record before, in their order: the next one has the same, mostly. */
interface Walk {
  known: Fields
  prefix: string
  places: Place[]
}

interface Place {
  /** The key as it was written, with its quotes. */
  written: Uint8Array
  /** As it is shown, with the names of the objects around it. */
  path: string
  known: Known | undefined
  /** The known words as they are usually written. */
  words: readonly Uint8Array[]
  inner: Walk | undefined
}

const WALKS: Record<List, Walk> = {
  settlements: walkOf(KNOWN.settlements, ''),
  terminals: walkOf(KNOWN.terminals, ''),
  transactions: walkOf(KNOWN.transactions, ''),
}
const NONE: readonly string[] = []

/** The names in a record that the interface doesn't know, each once, sorted; the text is that of a valid object. */
export function unknownNamesSent(list: List, { page, first, last }: SentRecord): readonly string[] {
  const found: string[] = []
  walk(page, WALKS[list], { first, last, found })
  return found.length === 0 ? NONE : [...new Set(found)].toSorted()
}

function walkOf(known: Fields, prefix: string): Walk {
  return { known, prefix, places: [] }
}

function walk(
  page: Skimmed,
  about: Walk,
  { first, last, found }: { first: number; last: number; found: string[] },
): void {
  const { tape } = page.members
  let ordinal = 0
  for (let member = first; member < last; member = nextOf(tape, member)) {
    const place = placeOf(page, about, { key: keyOf(tape, member), ordinal })
    ordinal += 1
    if (place.known === true) continue
    if (place.known === undefined) found.push(place.path)
    else if (place.inner === undefined) findWords(page, member, { place, found })
    else if (byteAt(page.bytes, valueOf(tape, member)) === OPENING_BRACE) {
      walk(page, place.inner, { first: member + 4, last: nextOf(tape, member), found })
    }
  }
}

/** What is known of the field whose name begins at `key`. */
function placeOf(
  page: Skimmed,
  { known, prefix, places }: Walk,
  { key, ordinal }: { key: number; ordinal: number },
): Place {
  const likely = places[ordinal]
  if (likely !== undefined && isWord(page.bytes, key, likely.written)) return likely
  const end = skipString(page.bytes, key)
  const written = Buffer.from(page.bytes.subarray(key, end))
  const name = String(JSON.parse(textOf(page, key, end)))
  const place = newPlace(written, name, { known: knownOf(known, name), prefix })
  if (ordinal < MAX_REMEMBERED && written.length < MAX_REMEMBERED) places[ordinal] = place
  return place
}

function newPlace(
  written: Uint8Array,
  name: string,
  { known, prefix }: { known: Known | undefined; prefix: string },
): Place {
  const path = prefix + (known === undefined ? shown(name) : name)
  const hasWords = known !== undefined && areWords(known)
  const words = hasWords ? known.map((word) => Buffer.from(JSON.stringify(word))) : []
  const isPlain = known === undefined || known === true || hasWords
  return { written, path, known, words, inner: isPlain ? undefined : walkOf(known, `${path}.`) }
}

function findWords(
  page: Skimmed,
  member: number,
  { place, found }: { place: Place; found: string[] },
): void {
  const { tape } = page.members
  const at = valueOf(tape, member)
  if (place.words.some((word) => isWord(page.bytes, at, word))) return
  if (place.known === undefined || place.known === true || !areWords(place.known)) return
  const value: unknown = JSON.parse(textOf(page, at, valueEndOf(tape, member)))
  found.push(...unknownWords(place.known, place.path, value))
}
