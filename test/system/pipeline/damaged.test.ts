/**
 * Goal: a damaged lake takes no records and publishes none. Method: real sweeps and runs, and one changed minimum in the
 * catalog or one changed byte of a stored result.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createPublish } from '../../../activities/publish.ts'
import { createReconcile } from '../../../activities/reconcile/reconcile.ts'
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

test('a result that changed after its run is not published, and stops no other run', async () => {
  const pipeline = await startPipeline(
    { seed: 7, terminals: 2, transactions: 200, days: 20, limitCap: 50 },
    '2025-10-20T04:15:00Z',
  )
  const { settings, shared } = pipeline
  const { run } = await pipeline.night('first')
  const reconcile = createReconcile(settings, shared)
  const publish = createPublish(settings, shared)
  const folder = join(settings.lake.data, 'result', 'unsettled')
  const before = new Set(readdirSync(folder))
  await reconcile({ ...run, runId: 'second' })
  const [file = ''] = readdirSync(folder).filter((name) => !before.has(name))
  await reconcile({ ...run, runId: 'third' })
  const bytes = readFileSync(join(folder, file))
  bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20)
  writeFileSync(join(folder, file), bytes)
  await expect(publish({ ...run, runId: 'second' })).rejects.toMatchObject({
    code: 'lake_damaged',
    message: expect.stringContaining(`${file} was changed after it was written`),
  })
  const { pack } = await publish({ ...run, runId: 'third' })
  expect(existsSync(pack)).toBe(true)
  expect(readdirSync(settings.out, { recursive: true, encoding: 'utf8' }).join(' ')).not.toContain(
    'second',
  )
})
