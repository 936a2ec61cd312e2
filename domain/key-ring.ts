/** Reads and identifies the keys of an account's hashes. */
import { createHmac } from 'node:crypto'
import { Failure } from './failure.ts'
import { Secret, type KeyRing } from './settings.ts'

/**
 * Reads a key ring: a key a line, oldest first. A single line is a single key. Throws config_invalid with `name` if a
 * key stands in it twice.
 */
export function keyRingOf(text: string, name: string): KeyRing {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''))
  const [first = '', ...later] = lines.filter((line) => line.trim() !== '')
  if (new Set([first, ...later]).size < later.length + 1) {
    throw new Failure('config_invalid', `${name} has the same key in two lines`)
  }
  // A single key is taken as it is, with all its white space.
  if (later.length === 0) return { first: new Secret(text), later: [] }
  return { first: new Secret(first), later: later.map((key) => new Secret(key)) }
}

/**
 * Identifies the keys of a ring without revealing them. The ids are those of its first key, of its first two keys, and
 * so on to all of them.
 */
export function keyIdsOf({ first, later }: KeyRing): string[] {
  const ids = [keyId(first, 'tieout key id')]
  for (const key of later) ids.push(keyId(key, `tieout key id ${ids.at(-1)}`))
  return ids
}

/** The id of all keys of a ring, which the lake stores. */
export const ringIdOf = (keys: KeyRing): string => keyIdsOf(keys).at(-1) ?? ''

const keyId = (key: Secret, text: string) =>
  createHmac('sha256', key.reveal()).update(text).digest('hex').slice(0, 16)
