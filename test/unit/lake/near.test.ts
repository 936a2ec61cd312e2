import type { DuckDBConnection } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { runModels, type Model } from '../../../lake/run/models.ts'
import { readNear } from '../../../lake/run/small-table-copies.ts'
import { rowsOf, tempLake } from '../../support/temp-lake.ts'

const model = (name: string, text: string): Model => ({ stage: '10_observed', name, text })

const MODELS = [
  model('first', 'select refusal.list from lake.seen.refusal'),
  model('second', 'select fence.n from lake.ops.fence'),
  model(
    'third',
    'select one.n, run_fence.n as runs from lake.ops.fence as one, lake.ops.run_fence',
  ),
]

const raise = (connection: DuckDBConnection) =>
  connection.run('update lake.ops.fence set n = n + 1')

test('models that read a small table see it as of one instant, whatever is landed between them', async () => {
  const { lake, connection } = await tempLake()
  await raise(connection)
  const models = await readNear(connection, MODELS)
  const other = await lake.connect()
  await raise(other)
  other.closeSync()
  await runModels(connection, models)
  expect(await rowsOf(connection, 'from first')).toEqual([])
  expect(await rowsOf(connection, 'from second')).toEqual([{ n: '1' }])
  expect(await rowsOf(connection, 'from third')).toEqual([{ n: '1', runs: '0' }])
})

test('what is read once, or is large, stays in the lake', async () => {
  const { connection } = await tempLake()
  await connection.run(
    `insert into lake.ops.landed_page(body_sha256)
     select sha256(i::varchar) from range(40_000) as numbers(i)`,
  )
  const pages = 'select count(*) as pages from lake.ops.landed_page'
  const models = await readNear(connection, [
    ...MODELS,
    ...['large', 'larger'].map((name) => model(name, pages)),
  ])
  const read = models.map(({ text }) => [...text.matchAll(/lake\.\w+\.\w+/g)].join(' '))
  expect(read).toEqual([
    '',
    '',
    'lake.ops.run_fence',
    'lake.ops.landed_page',
    'lake.ops.landed_page',
  ])
})
