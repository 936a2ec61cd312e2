/** Lakes for queries: one in memory with the views over it, and a real one with a run in it. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { onTestFinished } from 'vitest'
import { answerTo, type StreamedFormat } from '../../../lake/query/answer.ts'
import { openReadOnly } from '../../../lake/query/open.ts'
import { createViews, LATEST } from '../../../lake/query/views.ts'
import { newBooksWorld, type BooksWorld } from '../books/books-world.ts'
import { memoryLake } from '../../support/memory-lake.ts'

/** The views over a lake in memory, which is empty and open. */
export async function viewsInMemory(): Promise<DuckDBConnection> {
  const connection = await memoryLake()
  await createViews(connection)
  await connection.run(`use memory.${LATEST}`)
  return connection
}

/** A settlement that ties, one that doesn't, one that is PENDING; a refund, and charges that are open. */
export async function queriedWorld(): Promise<BooksWorld> {
  const world = newBooksWorld()
  await world.land({
    settlements: `
      900 | 7 | 2026-11-03 03:00:00 | 130.00
      901 | 7 | 2026-11-04 03:00:00 |  99.00
      902 | 8 | 2026-11-05 03:00:00 |  15.05 | PENDING`,
    transactions: `
      1 | 7 | 2026-11-02 10:00:00 | 150.00 | -
      2 | 7 | 2026-11-02 11:00:00.25 | -20.00 | -
      3 | 7 | 2026-11-03 10:00:00 | 119.00 | -
      9007199254740993 | 8 | 2026-11-04 10:00:00 | 15.05 | unsettled
      5 | 8 | 2026-11-20 10:00:00 | 0.07 | unsettled`,
  })
  await world.shared.connected(async (_lake, connection) => {
    await connection.run(
      `insert into lake.seen.terminal_version values
         ('acme', 7, '=Front, "desk"', 'CARD', true, 'a-1', 'Moss Ltd', '0042', false, 3.5, false, null, 1, 's', 1, '2026-11-30', 1),
         ('acme', 7, 'later', 'CARD', true, 'a-1', 'Moss & Co', '0042', false, 3.5, false, null, 2, 's', 1, '2026-12-30', 99)`,
    )
    await connection.run(
      `update lake.seen.transaction_version
       set invoice_number = 'INV-3', purchase_order_number = 'PO-3', tax_cents = 900, tip_cents = 100, base_cents = 10000
       where transaction_id = 3`,
    )
  })
  await world.publish('run-1')
  return world
}

/** The lake as `tieout query` opens it; closed after the test. */
export async function openedToQuery(
  world: BooksWorld,
  writes: string[] = [],
): Promise<DuckDBConnection> {
  await world.shared.close()
  const lake = await openReadOnly(world.settings.lake, writes)
  onTestFinished(() => lake.close())
  return lake.connection
}

export async function bytesOf(
  connection: DuckDBConnection,
  sql: string,
  format: StreamedFormat,
  profile: 'excel' | 'machine' = 'machine',
): Promise<Buffer> {
  const answer = await answerTo(connection, sql)
  const pieces: Uint8Array[] = []
  for await (const piece of answer.stream(format, profile)) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

export const textOf = async (...args: Parameters<typeof bytesOf>) =>
  (await bytesOf(...args)).toString()
