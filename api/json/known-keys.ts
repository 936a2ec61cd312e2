/**
 * The keys of JSON objects, as they were met: the next object of a kind has the same ones, mostly in the same order, so
 * that what was read once is only recognised.
 */
import { assert } from '../../domain/failure.ts'
import { unquoted } from './json.ts'
import { stands, type Written, writtenAt } from './byte-pattern.ts'

/** Nobody sends so many; whoever does has the others read each time. */
const MOST_KEYS = 2000
const MOST_IN_OBJECT = 64
const MOST_BYTES = 100

/** What a key comes after: another one, or the beginning of its object. */
interface Before {
  /** The key that came after it last. */
  next: Key | undefined
}

/** A key of the objects of one kind, such as `zip` in the `address` of `billing`. */
export interface Key extends Before {
  /** Its place among all keys that were met. */
  readonly number: number
  readonly name: string
  /** With its quotes, its colon and the white space up to its value. */
  readonly written: Written
  /** The keys of the objects in its value. */
  readonly inner: Keys
}

const all: Key[] = []

/** A key that was met, by its number. */
export function keyNumbered(number: number): Key {
  const key = all[number]
  assert(key !== undefined, 'a key that nobody has met')
  return key
}

/** The keys of the objects of one kind; of new ones so many are remembered. */
export class Keys implements Before {
  next: Key | undefined
  readonly #most: number
  readonly #met: Key[] = []
  /** Of the object that is being read; objects of one kind don't lie in each other. */
  #before: Before = this

  constructor(most = MOST_IN_OBJECT) {
    this.#most = most
  }

  /** An object begins. */
  begin(): void {
    this.#before = this
  }

  /** The next key of the object, which stands at `at`; undefined where it is not among those that were met. */
  find(bytes: DataView, at: number): Key | undefined {
    const { next } = this.#before
    if (next !== undefined && stands(bytes, at, next.written)) return this.#goOn(next)
    for (const key of this.#met) if (stands(bytes, at, key.written)) return this.#goOn(key)
    return undefined
  }

  /** Remembers the next key, which stands from `from` up to its value at `to`, unless there are too many. */
  meet(bytes: DataView, from: number, to: number): Key | undefined {
    const isTooMany = this.#met.length >= this.#most || all.length >= MOST_KEYS
    if (isTooMany || to - from > MOST_BYTES) return undefined
    const written = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString()
    const key: Key = {
      number: all.length,
      name: unquoted(written.slice(0, written.lastIndexOf('"') + 1)),
      written: writtenAt(bytes, from, to),
      inner: new Keys(),
      next: undefined,
    }
    all.push(key)
    this.#met.push(key)
    return this.#goOn(key)
  }

  #goOn(key: Key): Key {
    this.#before.next = key
    this.#before = key
    return key
  }
}

/** Of objects of which nothing is remembered. */
export const NO_KEYS = new Keys(0)
