/** Goal: a rotation changes each stored hash and nothing else. Method: the lake of the erasure's test, with two keys. */
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createMaintainLake } from '../../../activities/maintain-lake.ts'
import { keyIdsOf } from '../../../domain/key-ring.ts'
import type { Maintained, RotationOrder } from '../../../domain/maintenance.ts'
import type { KeyRing } from '../../../domain/settings.ts'
import { openLake } from '../../../lake/connection/open.ts'
import { raiseFence, transact } from '../../../lake/connection/transact.ts'
import { readTrail } from '../../../lake/decisions/audit-trail.ts'
import { recordKeys, refuseOtherKeys } from '../../../lake/landing/hash-key.ts'
import { compact } from '../../../lake/maintenance/compact.ts'
import { refuseRewritten } from '../../../lake/maintenance/rewrite.ts'
import { provePack } from '../../../queries/prove-pack.ts'
import { verifyPack } from '../../../reports/verify-pack.ts'
import { ringOf } from '../../support/key-ring.ts'
import { rowsOf } from '../../support/temp-lake.ts'
import { newBooksWorld, type BooksWorld } from '../../system/books/books-world.ts'

const OLD = ringOf('old')
const BOTH = ringOf('old', 'new')
const ALL = ringOf('old', 'new', 'newest')

/** Ada has a refund above what was charged; Bob has the same amount on a card of the same last digits. */
const RECORDS = {
  settlements: `
    900 | 7 | 2026-11-03 03:00 | 260.00
    901 | 7 | 2026-11-04 03:00 | -240.00`,
  transactions: `
    1 | 7 | 2026-11-02 10:00:00 |   80.00 | - | 900
    2 | 7 | 2026-11-02 10:05:00 |   80.00 | - | 900
    3 | 7 | 2026-11-02 10:06:00 |   80.00 | - | 900
    4 | 7 | 2026-11-02 10:07:00 |   20.00 | - | 900
    5 | 7 | 2026-11-03 10:00:00 | -240.00 | - | 901`,
}

/** A hash that needs all bits of its type. */
const SOME = '18446744073709551615'

/** Transaction 4 has no hash. */
const CARDS = `update lake.seen.transaction_version set vault_type = 'CARD', account_type = 'VISA', last_four = '4242',
  billing_key = case transaction_id when 3 then 33 when 4 then null else ${SOME} end`

const OTHER_ACCOUNT = `insert into lake.seen.transaction_version
  select * replace ('other' as account) from lake.seen.transaction_version`

const VERSIONS = `select * exclude (billing_key) from lake.seen.transaction_version order by all`

async function world(): Promise<BooksWorld> {
  const books = newBooksWorld()
  await books.land(RECORDS)
  await books.shared.connected(async (_lake, connection) => {
    await connection.run(CARDS)
    await recordKeys(connection, 'acme', OLD)
  })
  return books
}

const orderOf = (keys: KeyRing, orderId = 'o-1'): RotationOrder => ({
  ...{ orderId, account: 'acme', keyId: keyIdsOf(keys).at(-1) ?? '' },
  ...{ actor: 'ann', reason: 'the key was in a log' },
})

/** Rotates as a worker with these keys does. */
const rotated = (books: BooksWorld, keys: KeyRing, order = orderOf(keys)): Promise<Maintained> =>
  createMaintainLake(books.shared, () => keys)(
    { rotateKey: order },
    new AbortController().signal,
    () => {},
  )

const inLake = (books: BooksWorld, text: string) =>
  books.shared.connected((_lake, connection) => rowsOf(connection, text))

const hashes = async (books: BooksWorld, account = 'acme'): Promise<(string | null)[]> => {
  const rows = await inLake(
    books,
    `select billing_key::varchar as hash from lake.seen.transaction_version
     where account = '${account}' order by transaction_id`,
  )
  return rows.map(({ hash }) => hash as string | null)
}

/** The first half of a hash, as a number. */
const chained = (key: string, hash: string): string =>
  String(BigInt(`0x${createHmac('sha256', key).update(hash).digest('hex').slice(0, 16)}`))

const fileOf = (pack: string, file: string) => readFileSync(join(pack, file), 'utf8')

test('a rotation hashes each stored hash again with the new key, and changes nothing else', async () => {
  const books = await world()
  await inLake(books, OTHER_ACCOUNT)
  const before = await inLake(books, VERSIONS)
  expect(await rotated(books, BOTH)).toEqual({ keys: 2, versions: 4, seq: '1' })
  const [ada, bob] = [chained('new', SOME), chained('new', '33')]
  expect(await hashes(books)).toEqual([ada, ada, bob, null, ada])
  expect(await inLake(books, VERSIONS)).toEqual(before)
  expect(await hashes(books, 'other')).toEqual([SOME, SOME, '33', null, SOME])
  await books.shared.connected(async (_lake, connection) => {
    expect(await refuseOtherKeys(connection, 'acme', BOTH)).toBe(2)
    await expect(refuseOtherKeys(connection, 'acme', OLD)).rejects.toMatchObject({
      code: 'config_invalid',
      remedy: expect.stringContaining('add the key of the last rotation as the last line'),
    })
    expect(await readTrail(connection)).toMatchObject([
      {
        ...{ action: 'hash_key.rotate', subject: 'acme', actor: 'ann' },
        detail: { fromKeyId: keyIdsOf(BOTH)[0], keyId: keyIdsOf(BOTH)[1], keys: '2' },
      },
    ])
  })
})

test('two keys added at once give the same hashes as one after the other', async () => {
  const [once, twice] = [await world(), await world()]
  await rotated(once, ALL)
  await rotated(twice, BOTH)
  await rotated(twice, ALL, orderOf(ALL, 'o-2'))
  expect(await hashes(once)).toEqual(await hashes(twice))
  expect(await hashes(once)).toContain(chained('newest', chained('new', '33')))
})

test('packs come out byte for byte as before, with the same card keys, and so does the next one', async () => {
  const books = await world()
  const before = await books.publish('before')
  expect(fileOf(before, 'refund_ceiling.csv')).toMatch(/,5,7,.*,[0-9a-f]{12},/)
  for (const keys of [BOTH, ALL]) {
    await rotated(books, keys, orderOf(keys, `o-${keys.later.length}`))
    const { differing } = await provePack(books.settings, await verifyPack(before))
    expect(differing).toEqual([])
  }
  const after = await books.publish('after')
  for (const file of ['refund_ceiling.csv', 'settlements.csv', 'attributions.csv']) {
    expect(fileOf(after, file)).toBe(fileOf(before, file))
  }
})

test('a repeated order acts once, and a lake with all keys is left as it is', async () => {
  const books = await world()
  const once = await rotated(books, BOTH)
  const after = await hashes(books)
  expect(await rotated(books, BOTH)).toEqual(once)
  expect(await rotated(books, BOTH, orderOf(BOTH, 'o-2'))).toEqual({ keys: 2, versions: 0 })
  expect(await hashes(books)).toEqual(after)
})

test('keys that do not begin with those of the lake, or that the worker lacks, are refused', async () => {
  const books = await world()
  const before = await hashes(books)
  await expect(rotated(books, ringOf('wrong', 'new'))).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.stringContaining('account acme of this lake was hashed with the key'),
  })
  await expect(rotated(books, OLD, orderOf(BOTH))).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.stringContaining('the worker and this command have different keys'),
  })
  expect(await hashes(books)).toEqual(before)
})

test('a landing that began before the rotation starts again after it, and is refused', async () => {
  const books = await world()
  let tries = 0
  // The process that lands has a lake of its own, because transactions of one lake take turns.
  const lake = await openLake(books.settings.lake)
  onTestFinished(() => lake.close())
  const connection = await lake.connect()
  const landing = transact(lake, connection, async () => {
    tries += 1
    await raiseFence(connection)
    await recordKeys(connection, 'acme', OLD)
    if (tries === 1) await rotated(books, BOTH)
  })
  await expect(landing).rejects.toMatchObject({ code: 'config_invalid' })
  expect(tries).toBe(2)
})

test('a run that read during the rotation stores nothing', async () => {
  const books = await world()
  await rotated(books, BOTH)
  await books.shared.connected(async (_lake, connection) => {
    await refuseRewritten(connection, 'acme', 1n)
    await expect(refuseRewritten(connection, 'acme', 0n)).rejects.toMatchObject({
      code: 'lake_locked',
    })
  })
})

test('after maintenance no file has the old hashes', async () => {
  const books = await world()
  await rotated(books, BOTH)
  await books.shared.connected((lake, connection) =>
    compact(lake, connection, { snapshots_days: 0, files_days: 0 }),
  )
  const left = await inLake(
    books,
    `select 1 from read_parquet('${books.settings.lake.data}/seen/transaction_version/**/*.parquet', union_by_name => true)
     where billing_key in (33, ${SOME})`,
  )
  expect(left).toEqual([])
})
