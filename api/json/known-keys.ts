/**
 * The keys of JSON objects that were read before. The next object of a kind has mostly the same keys in the same order,
 * so that its keys are compared and not read again.
 */
import { assert } from '../../domain/failure.ts'
import { matchesAt, patternAt, type BytePattern } from './byte-pattern.ts'
import { unquoted } from './json.ts'

/** Far more keys than the interface has. Keys beyond these limits are read each time. */
const MAX_KEYS = 2000
const MAX_KEYS_IN_OBJECT = 64
const MAX_KEY_BYTES = 100

/** The place before a key: the key in front of it, or the beginning of its object. */
interface BeforeKey {
  /** The key that followed here last time. */
  next: KnownKey | undefined
}

/** A key of the objects of one kind, such as `zip` in the `address` of `billing`. */
export interface KnownKey extends BeforeKey {
  /** Its index among all known keys. */
  readonly number: number
  readonly name: string
  /** The key with its quotes, its colon and the white space up to its value. */
  readonly pattern: BytePattern
  /** The keys of the objects in its value. */
  readonly inner: KnownKeys
}

const all: KnownKey[] = []

/** The known key of this number. */
export function keyByNumber(number: number): KnownKey {
  const key = all[number]
  assert(key !== undefined, 'a key without an entry')
  return key
}

/** The known keys of the objects of one kind. */
export class KnownKeys implements BeforeKey {
  next: KnownKey | undefined
  readonly #max: number
  readonly #keys: KnownKey[] = []
  /** The place in the object that is read now. Objects of one kind never contain one another. */
  #before: BeforeKey = this

  /** Remembers at most `max` keys. */
  constructor(max = MAX_KEYS_IN_OBJECT) {
    this.#max = max
  }

  /** Starts a new object. */
  begin(): void {
    this.#before = this
  }

  /** The next key of the object, which begins at `at`; undefined for one that isn't known. */
  find(bytes: DataView, at: number): KnownKey | undefined {
    const { next } = this.#before
    if (next !== undefined && matchesAt(bytes, at, next.pattern)) return this.#goOn(next)
    for (const key of this.#keys) if (matchesAt(bytes, at, key.pattern)) return this.#goOn(key)
    return undefined
  }

  /** Adds the next key, which lies from `from` up to its value at `to`; undefined where a limit is reached. */
  add(bytes: DataView, from: number, to: number): KnownKey | undefined {
    const isFull = this.#keys.length >= this.#max || all.length >= MAX_KEYS
    if (isFull || to - from > MAX_KEY_BYTES) return undefined
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString()
    const key: KnownKey = {
      number: all.length,
      name: unquoted(text.slice(0, text.lastIndexOf('"') + 1)),
      pattern: patternAt(bytes, from, to),
      inner: new KnownKeys(),
      next: undefined,
    }
    all.push(key)
    this.#keys.push(key)
    return this.#goOn(key)
  }

  #goOn(key: KnownKey): KnownKey {
    this.#before.next = key
    this.#before = key
    return key
  }
}

/** For objects whose keys aren't remembered. */
export const NO_KEYS = new KnownKeys(0)
