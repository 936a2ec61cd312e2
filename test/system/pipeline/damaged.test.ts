/** Goal: a damaged lake takes no records. Method: a real sweep, one changed minimum in the catalog, and the sweep again. */
import { expect, test } from 'vitest'
import { startPipeline } from '../../support/pipeline.ts'
import { rowsOf } from '../../support/temp-lake.ts'

test('a sweep after a change of a table’s minimum is refused, and nothing lands', async () => {
  const pipeline = await startPipeline(
    { seed: 7, terminals: 2, transactions: 200, days: 20, limitCap: 50 },
    '2025-10-08T04:15:00Z',
  )
  const { shared, simulator } = pipeline
  const landings = () =>
    shared.connected((_lake, connection) =>
      rowsOf(connection, 'select count(*)::integer as n from lake.ops.landing'),
    )
  await pipeline.sweep('first')
  const before = await landings()
  await shared.connected((_lake, connection) =>
    connection.run(
      `update __ducklake_metadata_lake.ducklake_table_column_stats set min_value = '2'
       where rowid in (select min(rowid) from __ducklake_metadata_lake.ducklake_table_column_stats
         where column_id in (select column_id from __ducklake_metadata_lake.ducklake_column where column_name = 'terminal_id'))`,
    ),
  )
  simulator.advanceTo('2025-10-10T04:15:00Z')
  await expect(pipeline.sweep('second')).rejects.toMatchObject({
    code: 'lake_damaged',
    message: expect.stringContaining('the statistics of its tables in the catalog were changed'),
  })
  expect(await landings()).toEqual(before)
})
