/** Makes keyed hashes: equal texts have equal hashes, and a hash reveals nothing without the key. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { Secret } from '../../domain/settings.ts'

export interface BillingIdentity {
  firstName: string
  lastName: string
  zip: string
}

/** The number of slots of a cache, a power of two. */
const SLOTS = 65_536

/** Hashes by the slot of their identity. A later identity of the same slot replaces the earlier one. */
type Cache = (readonly [identity: BillingIdentity, hash: string] | undefined)[]

/** Most cards recur, so that their hashes are cached as long as the key lives. */
const caches = new WeakMap<Secret, Cache>()
/** Making a key from its text costs a third of a hash. */
const keys = new WeakMap<Secret, KeyObject>()

/** HMAC-SHA-256 in hex of any text. */
export function keyedHash(hashKey: Secret, text: string): string {
  return createHmac('sha256', keyOf(hashKey)).update(text).digest('hex')
}

/**
 * The hash that replaces a billing identity: of its three texts, trimmed and case folded, as a JSON array. Null if all
 * three are empty.
 */
export function billingHash(hashKey: Secret, identity: BillingIdentity): string | null {
  const { firstName, lastName, zip } = identity
  if (firstName === '' && lastName === '' && zip === '') return null
  const cache = cacheOf(hashKey)
  const slot = slotOf(identity)
  const [cached, cachedHash] = cache[slot] ?? []
  if (cachedHash !== undefined && isSame(cached, identity)) return cachedHash
  const folded = [fold(firstName), fold(lastName), fold(zip)]
  if (folded.every((text) => text === '')) return null
  const hash = keyedHash(hashKey, JSON.stringify(folded))
  cache[slot] = [
    { firstName: copyOf(firstName), lastName: copyOf(lastName), zip: copyOf(zip) },
    hash,
  ]
  return hash
}

/** Copies a text to its own memory. A part of the page's text would keep the whole page's text in memory. */
const copyOf = (text: string) => Buffer.from(text, 'utf16le').toString('utf16le')

const isSame = (one: BillingIdentity | undefined, other: BillingIdentity) =>
  one?.lastName === other.lastName && one.firstName === other.firstName && one.zip === other.zip

/** Spreads identities over the slots. The caller compares the identity that it finds in a slot. */
const slotOf = ({ firstName, lastName, zip }: BillingIdentity): number =>
  mixed(mixed(mixed(0, firstName), lastName), zip) & (SLOTS - 1)

function mixed(from: number, text: string): number {
  let sum = from
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return sum ^ (sum >>> 15)
}

function keyOf(hashKey: Secret): KeyObject {
  const key = keys.get(hashKey) ?? createSecretKey(hashKey.reveal(), 'utf8')
  keys.set(hashKey, key)
  return key
}

function fold(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}

function cacheOf(hashKey: Secret): Cache {
  const cache = caches.get(hashKey) ?? Array.from({ length: SLOTS })
  caches.set(hashKey, cache)
  return cache
}
