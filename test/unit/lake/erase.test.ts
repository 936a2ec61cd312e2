/** Goal: a person's data is erased and the books stay. Method: a lake with four transactions of one cardholder. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMaintainLake } from '../../../activities/maintain-lake.ts'
import { provePack } from '../../../queries/prove-pack.ts'
import type { ErasureOrder } from '../../../domain/maintenance.ts'
import { readTrail } from '../../../lake/decisions/audit-trail.ts'
import { compact } from '../../../lake/maintenance/compact.ts'
import { verifyPack } from '../../../reports/verify-pack.ts'
import { newBooksWorld, preparedBooks, type BooksWorld } from '../../system/books/books-world.ts'
import { ringOf } from '../../support/key-ring.ts'
import { rowsOf } from '../../support/temp-lake.ts'

/** Ada has a duplicate and a refund above what was charged; Bob the same amount on a card of the same last digits. */
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

const CARDS = `update lake.seen.transaction_version set vault_type = 'CARD', account_type = 'VISA', last_four = '4242',
  billing_key = if(transaction_id = 3, 33, 11), invoice_number = case transaction_id when 4 then 'R-4' when 5 then 'R-5' end,
  purchase_order_number = case transaction_id when 4 then 'PO Ada' end`

const ORDER: ErasureOrder = {
  ...{ orderId: 'o-1', account: 'acme', transactionId: '4', actor: 'ann' },
  reason: 'Ada asked for it',
}

const inLake = <T>(
  books: BooksWorld,
  work: (sql: (text: string) => Promise<T[]>) => Promise<T[]>,
) =>
  books.shared.connected((_lake, connection) =>
    work(async (text) => (await rowsOf(connection, text)) as T[]),
  )

const maintained = (books: BooksWorld, order: ErasureOrder) =>
  createMaintainLake(books.shared, () => ringOf('key'))(
    { erase: order },
    new AbortController().signal,
    () => {},
  )

async function world(): Promise<BooksWorld> {
  const books = newBooksWorld()
  await fill(books)
  return books
}

async function fill(books: BooksWorld): Promise<void> {
  await books.land(RECORDS)
  await books.shared.connected((_lake, connection) => connection.run(CARDS))
}

/** The same with a pack. */
const published = preparedBooks(async (books) => {
  await fill(books)
  return { before: await books.publish('before') }
})

const fileOf = (pack: string, file: string) => readFileSync(join(pack, file), 'utf8')
/** Without the times at which the exceptions were found. */
const found = (pack: string) =>
  fileOf(pack, 'exceptions.csv')
    .split('\n')
    .map((line) => line.replaceAll(/2026-11-30T0\d:\d\d:\d\dZ/g, ''))

test('an erasure unlinks the transactions of one cardholder from the person, and each finding stays', async () => {
  const { books, before } = await published()
  expect(fileOf(before, 'exceptions.csv')).toMatch(/DUPLICATE_CHARGE.*,2,/)
  expect(fileOf(before, 'exceptions.csv')).toMatch(/REFUND_CEILING_BREACH.*,5,/)
  expect(await maintained(books, ORDER)).toEqual({ transactions: 4, versions: 4, seq: '1' })
  const versions = await inLake<Record<string, unknown>>(books, (sql) =>
    sql(`select transaction_id::integer as id, billing_key = 11 as is_old, billing_key = 33 as is_bob, invoice_number, purchase_order_number,
      last_four, count(*) over (partition by billing_key)::integer as alike
      from lake.seen.transaction_version order by 1`),
  )
  expect(versions).toMatchObject([
    { id: 1, is_old: false, is_bob: false, invoice_number: null, alike: 4 },
    { id: 2, is_old: false, is_bob: false, invoice_number: null, alike: 4 },
    { id: 3, is_old: false, is_bob: true, last_four: '4242', alike: 1 },
    { id: 4, purchase_order_number: expect.stringMatching(/^erased [0-9a-f]{16}$/) },
    { id: 5, invoice_number: expect.stringMatching(/^erased [0-9a-f]{16}$/), alike: 4 },
  ])
  expect(versions[3]?.['invoice_number']).not.toBe(versions[4]?.['invoice_number'])
  expect(found(await books.publish('after'))).toEqual(found(before))
  await expect(provePack(books.settings, await verifyPack(before))).rejects.toMatchObject({
    code: 'pack_unproved',
    remedy: expect.stringContaining('somebody was erased since'),
  })
})

test('no file and no result has the erased data after maintenance, and the act is in the audit trail', async () => {
  const { books } = await published()
  const keys = await inLake<{ cardKey: string }>(books, (sql) =>
    sql(`select "cardKey" from lake.result.refund_ceiling where "transactionId" = '5'`),
  )
  expect(keys[0]?.cardKey).toMatch(/^[0-9a-f]+$/)
  await maintained(books, ORDER)
  await books.shared.connected((lake, connection) =>
    compact(lake, connection, { snapshots_days: 0, files_days: 0 }),
  )
  const { data } = books.settings.lake
  const left = await inLake(books, (sql) =>
    sql(`select 1 from read_parquet('${data}/seen/transaction_version/**/*.parquet', union_by_name => true)
      where billing_key = 11 or invoice_number like 'R-%' or purchase_order_number = 'PO Ada'
      union all select 1 from read_parquet('${data}/result/refund_ceiling/**/*.parquet') where "cardKey" = '${keys[0]?.cardKey}'
      union all select 1 from read_parquet('${data}/result/summary/**/*.parquet') where contains(cells, '${keys[0]?.cardKey}')`),
  )
  expect(left).toEqual([])
  const trail = await books.shared.connected((_lake, connection) => readTrail(connection))
  expect(trail).toMatchObject([
    {
      ...{ action: 'identity.erase', subject: '4', actor: 'ann', reason: 'Ada asked for it' },
      detail: { orderId: 'o-1', transactions: '4', versions: '4' },
    },
  ])
})

test('a repeated order acts once, and an order for an unknown transaction fails', async () => {
  const books = await world()
  const once = await maintained(books, ORDER)
  const rows = () => inLake(books, (sql) => sql('from lake.seen.transaction_version order by all'))
  const after = await rows()
  expect(await maintained(books, ORDER)).toEqual(once)
  expect(await rows()).toEqual(after)
  await expect(
    maintained(books, { ...ORDER, orderId: 'o-2', transactionId: '77' }),
  ).rejects.toThrow('no transaction 77 of account acme was ever read')
})
