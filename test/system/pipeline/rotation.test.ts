/**
 * Goal: a rotation of the hash key leaves every record known. Method: a real sweep, the rotation, and the same sweep
 * again with both keys.
 */
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { keyIdsOf } from '../../../domain/key-ring.ts'
import { rotateKey } from '../../../lake/maintenance/rotate-key.ts'
import { ringOf } from '../../support/key-ring.ts'
import { startPipeline } from '../../support/pipeline.ts'
import { rowsOf } from '../../support/temp-lake.ts'

const BOTH = ringOf('test-hash-key', 'the new key')

const CHARGES = `select transaction_id::varchar as id, billing_key::varchar as hash, content_hash::varchar as content
  from lake.seen.transaction_version order by id, content`

test('a full sweep after a rotation lands nothing, and the next new record has the rotated hash', async () => {
  const pipeline = await startPipeline(
    { seed: 7, terminals: 2, transactions: 400, days: 20, limitCap: 50 },
    '2025-10-08T04:15:00Z',
    { rules: { wholeEveryDays: 0, lookbackDays: 7, openDays: 30 } },
  )
  const { shared, simulator } = pipeline
  const rows = () => shared.connected((_lake, connection) => rowsOf(connection, CHARGES))
  expect(await pipeline.sweep('first')).toBeGreaterThan(100)
  const before = await rows()
  pipeline.useKeys(BOTH)
  await expect(pipeline.sweep('too early')).rejects.toMatchObject({ code: 'config_invalid' })
  const order = {
    ...{ orderId: 'o', account: 'acme', keyId: keyIdsOf(BOTH).at(-1) ?? '' },
    ...{ actor: 'ann', reason: 'a new key each year' },
  }
  await shared.connected((lake, connection) => rotateKey(lake, connection, { order, keys: BOTH }))
  expect(await pipeline.sweep('again')).toBe(0)
  const after = await rows()
  expect(after).toEqual(before.map((row) => ({ ...row, hash: again(row['hash']) })))
  expect(after.filter(({ hash }) => hash !== null).length).toBeGreaterThan(50)

  simulator.advanceTo('2025-10-10T04:15:00Z')
  expect(await pipeline.sweep('later')).toBeGreaterThan(10)
  const known = new Set(after.map(({ hash }) => hash))
  const later = await rows()
  // A person who pays again has the hash that the rotation gave, so that a refund finds the charge.
  const returning = later.filter(({ id }) => !after.some((row) => row['id'] === id))
  expect(returning.filter(({ hash }) => known.has(hash)).length).toBeGreaterThan(0)
})

/** The stored half of the hash of a stored half. */
function again(hash: unknown): string | null {
  if (hash === null) return null
  const digest = createHmac('sha256', 'the new key').update(String(hash)).digest('hex')
  return String(BigInt(`0x${digest.slice(0, 16)}`))
}
