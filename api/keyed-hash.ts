/** Keyed hashes: they tell equal from different, and tell nothing to anybody who lacks the key. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { Secret } from '../domain/settings.ts'

export interface BillingIdentity {
  firstName: string
  lastName: string
  zip: string
}

const MAX_CACHED = 50_000
/** Most cards come back: the hash of an identity is remembered as long as its key lives. */
const caches = new WeakMap<Secret, Map<string, string>>()
/** To make a key of its text costs a third of a hash. */
const keys = new WeakMap<Secret, KeyObject>()

/** HMAC-SHA-256 in hex of any text. */
export function keyedHash(hashKey: Secret, text: string): string {
  return createHmac('sha256', keyOf(hashKey)).update(text).digest('hex')
}

/**
 * The hash that stands for a billing identity: the three texts trimmed and case folded, as a JSON array.
 * All three empty: null.
 */
export function billingHash(hashKey: Secret, identity: BillingIdentity): string | null {
  const { firstName, lastName, zip } = identity
  if (firstName === '' && lastName === '' && zip === '') return null
  // The two lengths tell where one text ends.
  const sent = `${firstName.length} ${lastName.length} ${firstName}${lastName}${zip}`
  const cache = cacheOf(hashKey)
  const known = cache.get(sent)
  if (known !== undefined) return known
  const folded = [fold(firstName), fold(lastName), fold(zip)]
  if (folded.every((text) => text === '')) return null
  const hash = keyedHash(hashKey, JSON.stringify(folded))
  remember(cache, sent, hash)
  return hash
}

function keyOf(hashKey: Secret): KeyObject {
  const key = keys.get(hashKey) ?? createSecretKey(hashKey.reveal(), 'utf8')
  keys.set(hashKey, key)
  return key
}

function fold(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}

function cacheOf(hashKey: Secret): Map<string, string> {
  const cache = caches.get(hashKey) ?? new Map<string, string>()
  caches.set(hashKey, cache)
  return cache
}

function remember(cache: Map<string, string>, sent: string, hash: string): void {
  const oldest = cache.size >= MAX_CACHED ? cache.keys().next() : undefined
  if (oldest?.value !== undefined) cache.delete(oldest.value)
  cache.set(sent, hash)
}
