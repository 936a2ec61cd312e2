import { expect, test } from 'vitest'
import { keyIdOf } from '../../../api/record/keyed-hash.ts'
import { Secret } from '../../../domain/settings.ts'
import { refuseOtherKey } from '../../../lake/landing/hash-key.ts'
import { tempLake } from '../../support/temp-lake.ts'

const FIRST = keyIdOf(new Secret('the first key'))
const OTHER = keyIdOf(new Secret('another key'))

test('a lake takes one key for each account and refuses another', async () => {
  const { lake, connection } = await tempLake()
  const check = (account: string, keyId: string) =>
    refuseOtherKey(lake, connection, { account, keyId })
  await check('acme', FIRST)
  await check('acme', FIRST)
  await expect(check('acme', OTHER)).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.stringMatching(`${OTHER}.* account acme .*${FIRST}`),
  })
  await check('other', OTHER)
  const rows = await connection.runAndReadAll('from lake.ops.hash_key order by all')
  expect(rows.getRows()).toEqual([
    ['acme', FIRST],
    ['other', OTHER],
  ])
})

test('two workers that land at the same moment record one key', async () => {
  const { lake, connection } = await tempLake()
  const second = await lake.connect()
  const checks = [
    refuseOtherKey(lake, connection, { account: 'acme', keyId: FIRST }),
    refuseOtherKey(lake, second, { account: 'acme', keyId: OTHER }),
  ]
  const ended = await Promise.allSettled(checks)
  expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const rows = await connection.runAndReadAll('from lake.ops.hash_key')
  expect(rows.currentRowCount).toBe(1)
})
