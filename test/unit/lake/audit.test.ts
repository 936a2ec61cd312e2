/**
 * Goal: no act can be changed, left out, added or cut off unnoticed. Method: a trail of some acts, with one row of its
 * table altered at a time.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  appendDecision,
  findOrder,
  readTrail,
  type Decision,
} from '../../../lake/decisions/audit-trail.ts'
import { openLake } from '../../../lake/connection/open.ts'
import type { Lake } from '../../../lake/connection/lake.ts'
import { transact } from '../../../lake/connection/transact.ts'
import { rowsOf, tempLake } from '../../support/temp-lake.ts'

const ACT: Decision = {
  account: 'acme',
  actor: 'Ada',
  action: 'transaction.attribute',
  subject: '1',
  reason: 'seen',
  detail: { settlement: '1' },
}

let lake: Lake
let connection: DuckDBConnection
beforeEach(async () => {
  ;({ lake, connection } = await tempLake())
})

const append = (more: Partial<Decision> = {}) => appendDecision(connection, { ...ACT, ...more })
const subjects = async () => (await readTrail(connection)).map(({ subject }) => subject)

/** Appends acts on the subjects 1, 2, 3 and so on. */
async function acts(count: number): Promise<void> {
  for (let act = 1; act <= count; act += 1) await append({ subject: String(act) })
}

/** Stores a run that knew the newest act, as every run does. */
async function runThatKnows(): Promise<void> {
  await connection.run(
    `insert into lake.ops.run (run_id, account, parameters)
     select 'r1', 'acme', json_object('audit', json_object('seq', seq::varchar, 'sha256', sha256))::varchar
     from lake.ops.audit order by audit.seq desc limit 1`,
  )
}

/** Gives an act the hash that its present content would have had. */
async function rehash(seq: number): Promise<void> {
  const columns = ['seq::varchar', 'account', 'acted_at', 'actor', 'action', 'subject', 'reason']
  const [row = []] = (
    await connection.runAndReadAll(
      `select ${columns.join(', ')}, detail, previous_sha256 from lake.ops.audit where seq = ${seq}`,
    )
  ).getRows()
  const [detail, previous] = row.slice(-2).map(String)
  const content = [...row.slice(0, -2), JSON.parse(String(detail)), previous]
  const sha256 = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  await connection.run(`update lake.ops.audit set sha256 = '${sha256}' where seq = ${seq}`)
}

const isBroken = (act: number, change?: string) =>
  expect(readTrail(connection), change).rejects.toMatchObject({
    code: 'trail_broken',
    message: expect.stringMatching(String.raw`\bact ${act}\b`),
  })

test('the audit trail is read in the order of its numbers, with ten acts and more', async () => {
  await acts(12)
  await expect(subjects()).resolves.toEqual(
    Array.from({ length: 12 }, (_, before) => String(before + 1)),
  )
})

test('two acts at the same moment get two numbers, one after the other', async () => {
  // The second one comes from another process, because transactions of one lake take turns.
  const other = await openLake(lake.settings)
  await Promise.all(
    [lake, other].map(async (one) => {
      const acting = await one.connect()
      return transact(one, acting, () => appendDecision(acting, ACT))
    }),
  )
  other.close()
  const trail = readTrail(connection).then((entries) => entries.map(({ seq }) => seq))
  await expect(trail).resolves.toEqual([1n, 2n])
})

test('an act that misses the fence while another act raises it is a lost race, and begins anew', async () => {
  let attempts = 0
  const acted = await transact(lake, connection, async () => {
    attempts += 1
    // A reader finds this when one file is gone and the next is not there yet.
    if (attempts === 1) {
      await connection.run('delete from lake.ops.audit_fence')
      await expect(subjects()).resolves.toEqual([])
    }
    return append()
  })
  expect([attempts, acted.seq]).toEqual([2, 1n])
  await expect(subjects()).resolves.toEqual(['1'])
})

test('an order that is repeated is found by its id, and by no other', async () => {
  await append({ subject: 'a', orderId: 'order-1' })
  await append({ subject: 'b', orderId: 'order-2' })
  expect(findOrder(await readTrail(connection), 'order-2')).toMatchObject({
    subject: 'b',
    detail: { settlement: '1', orderId: 'order-2' },
  })
  expect(findOrder(await readTrail(connection), 'order-3')).toBeUndefined()
  expect(findOrder(await readTrail(connection), undefined)).toBeUndefined()
})

describe('a trail is refused after', () => {
  test('a change of any fact of an act', async () => {
    await acts(2)
    for (const [column, value] of [
      ['account', 'other'],
      ['acted_at', '2026-11-01T00:00:00.000Z'],
      ['actor', 'Eve'],
      ['action', 'transaction.release'],
      ['subject', '9'],
      ['reason', 'none'],
      ['detail', '{"settlement":"2"}'],
      ['previous_sha256', '00'],
      ['sha256', '00'],
    ]) {
      await connection.run('begin')
      await connection.run(`update lake.ops.audit set ${column} = '${value}' where seq = 1`)
      await isBroken(1, column)
      await connection.run('rollback')
    }
    expect(await subjects()).toEqual(['1', '2'])
  })

  test('a change with a new hash of the same act', async () => {
    await acts(3)
    await connection.run(`update lake.ops.audit set actor = 'Eve' where seq = 2`)
    await rehash(2)
    await isBroken(3)
  })

  test('a number that is skipped', async () => {
    await acts(2)
    await connection.run('update lake.ops.audit set seq = 3 where seq = 2')
    await rehash(3)
    await isBroken(2)
  })

  test('the loss of an act in the middle', async () => {
    await acts(3)
    await connection.run('delete from lake.ops.audit where seq = 2')
    await isBroken(2)
  })

  test('the loss of its last act, though no run knew it', async () => {
    await acts(2)
    await connection.run('delete from lake.ops.audit where seq = 2')
    await expect(readTrail(connection)).rejects.toMatchObject({
      code: 'trail_broken',
      message: 'the audit trail has 1 acts, and 2 were recorded',
    })
  })

  test('the loss of its last act, if a run knew it', async () => {
    await acts(2)
    await runThatKnows()
    expect(await subjects()).toEqual(['1', '2'])
    await connection.run('delete from lake.ops.audit where seq = 2')
    await connection.run('update lake.ops.audit_fence set n = 1')
    await expect(readTrail(connection)).rejects.toMatchObject({
      code: 'trail_broken',
      message: 'the audit trail no longer holds act 2, which run r1 knew',
    })
  })

  test('the exchange of its last act, if a run knew it', async () => {
    await acts(2)
    await runThatKnows()
    await connection.run('delete from lake.ops.audit where seq = 2')
    await connection.run('update lake.ops.audit_fence set n = 1')
    await append({ subject: 'another' })
    await isBroken(2)
  })
})

test('an act is stored under every fact that its hash covers', async () => {
  const entry = await append({ orderId: 'order-1' })
  expect(await rowsOf(connection, 'select * from lake.ops.audit')).toEqual([
    {
      ...{ seq: '1', account: 'acme', acted_at: entry.actedAt, actor: 'Ada', subject: '1' },
      ...{ action: 'transaction.attribute', reason: 'seen', previous_sha256: '' },
      ...{ detail: '{"settlement":"1","orderId":"order-1"}', sha256: entry.sha256 },
    },
  ])
})
