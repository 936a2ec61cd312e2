/** Keyed hashes: they tell equal from different, and tell nothing to anybody who lacks the key. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { Secret } from '../../domain/settings.ts'

export interface BillingIdentity {
  firstName: string
  lastName: string
  zip: string
}

/** A power of two. */
const PLACES = 65_536

/** The hash of an identity as it was sent, at the place that its texts tell; whoever comes later takes the place. */
type Remembered = (readonly [identity: BillingIdentity, hash: string] | undefined)[]

/** Most cards come back: the hash of an identity is remembered as long as its key lives. */
const caches = new WeakMap<Secret, Remembered>()
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
  const remembered = rememberedOf(hashKey)
  const place = placeOf(identity)
  const [known, told] = remembered[place] ?? []
  if (told !== undefined && isSame(known, identity)) return told
  const folded = [fold(firstName), fold(lastName), fold(zip)]
  if (folded.every((text) => text === '')) return null
  const hash = keyedHash(hashKey, JSON.stringify(folded))
  remembered[place] = [
    { firstName: kept(firstName), lastName: kept(lastName), zip: kept(zip) },
    hash,
  ]
  return hash
}

/** The same text by itself: as a part of its page it would keep all of that in memory. */
const kept = (text: string) => Buffer.from(text, 'utf16le').toString('utf16le')

const isSame = (one: BillingIdentity | undefined, other: BillingIdentity) =>
  one?.lastName === other.lastName && one.firstName === other.firstName && one.zip === other.zip

/** Anything that spreads identities well; what comes to the same place is compared. */
const placeOf = ({ firstName, lastName, zip }: BillingIdentity): number =>
  mixed(mixed(mixed(0, firstName), lastName), zip) & (PLACES - 1)

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

function rememberedOf(hashKey: Secret): Remembered {
  const before = caches.get(hashKey)
  if (before !== undefined) return before
  const remembered: Remembered = Array.from({ length: PLACES })
  caches.set(hashKey, remembered)
  return remembered
}
