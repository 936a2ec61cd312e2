import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { billingHash, type BillingIdentity } from '../../../api/record/keyed-hash.ts'
import { Secret } from '../../../domain/settings.ts'

const KEY = 'a key of the tests'

/** The hash of an identity whose texts need no folding, made anew. */
const made = ({ firstName, lastName, zip }: BillingIdentity) =>
  createHmac('sha256', KEY)
    .update(JSON.stringify([firstName, lastName, zip]))
    .digest('hex')

test('more identities than the cache holds have their own hashes, whatever else took their cache entries', () => {
  const key = new Secret(KEY)
  const identities = Array.from({ length: 80_000 }, (_, n) => ({
    firstName: `ada${n % 7}`,
    lastName: `byron${n}`,
    zip: String(10_000 + (n % 50)),
  }))
  const once = identities.map((one) => billingHash(key, one))
  expect(new Set(once).size).toBe(identities.length)
  expect(identities.toReversed().map((one) => billingHash(key, one))).toEqual(once.toReversed())
  expect(once.slice(0, 100)).toEqual(identities.slice(0, 100).map(made))
})

test('the boundary between two texts distinguishes identities', () => {
  const key = new Secret(KEY)
  const texts = ['ab', 'a', 'b', '', 'abc', 'bc', 'c']
  const identities = texts.flatMap((firstName) =>
    texts.flatMap((lastName) => texts.map((zip) => ({ firstName, lastName, zip }))),
  )
  for (const round of [identities, identities.toReversed()]) {
    for (const one of round) {
      const isNobody = Object.values(one).every((text) => text === '')
      expect(billingHash(key, one)).toBe(isNobody ? null : made(one))
    }
  }
})

test('a text with half a surrogate pair differs from the text with the replacement character', () => {
  const key = new Secret(KEY)
  const [broken, shown] = ['x\ud800', 'x\ufffd'].map((lastName) => ({
    firstName: '',
    lastName,
    zip: '',
  }))
  const hashes = [broken, shown, broken, shown].map((one) => one && billingHash(key, one))
  expect(hashes).toEqual([broken, shown, broken, shown].map((one) => one && made(one)))
})

test('each key has hashes of its own', () => {
  const one = { firstName: 'ada', lastName: 'byron', zip: '10001' }
  const [first, second] = [new Secret(KEY), new Secret('another')].map((key) =>
    billingHash(key, one),
  )
  expect(first).toBe(made(one))
  expect(second).not.toBe(first)
})
