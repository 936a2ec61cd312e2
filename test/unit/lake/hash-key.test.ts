import { expect, test } from 'vitest'
import { keyIdsOf, keyRingOf } from '../../../domain/key-ring.ts'
import type { KeyRing } from '../../../domain/settings.ts'
import { recordKeys, refuseOtherKeys } from '../../../lake/landing/hash-key.ts'
import { land } from '../../../lake/landing/land.ts'
import type { Landing } from '../../../lake/landing/landing.ts'
import { ringOf } from '../../support/key-ring.ts'
import { rowsOf, tempLake } from '../../support/temp-lake.ts'

const FIRST = ringOf('the first key')
const OTHER = ringOf('another key')
const BOTH = ringOf('the first key', 'another key')
const [firstId] = keyIdsOf(FIRST)
const [otherId] = keyIdsOf(OTHER)

const KEYS = 'select account, key_id from lake.ops.hash_key order by all'

/** A sweep without records, which lands its keys all the same. */
const landing = (account: string, hashKeys: KeyRing): Landing => ({
  ...{ account, hashKeys, runId: 'r', sweepId: `${account} ${keyIdsOf(hashKeys).at(-1)}` },
  ...{ list: 'transactions', batch: 0, rows: [], rejects: [], pages: [], state: {} },
  observedAt: '2026-11-21T05:00:00Z',
})

test('a key ring is a key a line; a single line is one key as it stands', () => {
  const texts = (text: string) => {
    const { first, later } = keyRingOf(text, 'KEY')
    return [first, ...later].map((key) => key.reveal())
  }
  expect(texts('one')).toEqual(['one'])
  expect(texts(' one \n')).toEqual([' one \n'])
  expect(texts('one\r\n\ntwo\nthree\n')).toEqual(['one', 'two', 'three'])
  expect(() => texts('one\ntwo\none')).toThrow('KEY has the same key in two lines')
})

test('a ring has an id for each number of its keys, which depends on their order', () => {
  expect(keyIdsOf(BOTH)).toEqual([firstId, expect.stringMatching(/^[0-9a-f]{16}$/)])
  expect(keyIdsOf(ringOf('another key', 'the first key')).at(-1)).not.toBe(keyIdsOf(BOTH).at(-1))
  expect(firstId).not.toBe(otherId)
})

test('a lake takes one key for each account and refuses another, and nothing lands', async () => {
  const { lake, connection } = await tempLake()
  const lands = (account: string, keys: KeyRing) => land(lake, connection, landing(account, keys))
  await lands('acme', FIRST)
  await expect(lands('acme', OTHER)).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.stringMatching(`${otherId}.* account acme .*${firstId}`),
  })
  await lands('other', OTHER)
  expect(await rowsOf(connection, KEYS)).toEqual([
    { account: 'acme', key_id: firstId },
    { account: 'other', key_id: otherId },
  ])
  expect(await rowsOf(connection, 'select n::integer as n from lake.ops.fence')).toEqual([{ n: 2 }])
})

test('two workers that land at the same moment record one key', async () => {
  const { lake, connection } = await tempLake()
  const second = await lake.connect()
  const ended = await Promise.allSettled([
    land(lake, connection, landing('acme', FIRST)),
    land(lake, second, landing('acme', OTHER)),
  ])
  expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await rowsOf(connection, KEYS)).toHaveLength(1)
})

test('a lake with fewer keys than the ring is refused until it is rotated', async () => {
  const { connection } = await tempLake()
  expect(await refuseOtherKeys(connection, 'acme', BOTH)).toBe(0)
  await recordKeys(connection, 'acme', FIRST)
  await expect(refuseOtherKeys(connection, 'acme', BOTH)).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.stringContaining('has 2 keys, but the hashes of account acme in this lake'),
    remedy: expect.stringContaining('tieout maintain --rotate-key --account acme'),
  })
})
