import type { DuckDBConnection } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { bindInputs, lakeTable, readersByInput } from '../../../lake/run/bind-inputs.ts'
import { readModels, runModels, type Model } from '../../../lake/run/models.ts'
import { rowsOf, tempLake } from '../../support/temp-lake.ts'

const model = (name: string, reads: string, select: string): Model => ({
  stage: '10_observed',
  name,
  text: `-- model    ${name}\n-- reads    ${reads}\n${select}`,
})

const MODELS = [
  model('first', 'seen_refusal', 'select list from seen_refusal'),
  model('second', 'ops_fence', 'select n from ops_fence'),
  model(
    'third',
    'ops_fence, ops_run_fence',
    'select ops_fence.n, ops_run_fence.n as runs from ops_fence, ops_run_fence',
  ),
]

const raise = (connection: DuckDBConnection) =>
  connection.run('update lake.ops.fence set n = n + 1')

const boundAs = (connection: DuckDBConnection) =>
  rowsOf(
    connection,
    `select table_name || ' ' || table_type as bound from information_schema.tables where table_catalog = 'temp' order by all`,
  )

test('models that read a small table see it at one instant, whatever lands between them', async () => {
  const { lake, connection } = await tempLake()
  await raise(connection)
  await bindInputs(connection, MODELS)
  const other = await lake.connect()
  await raise(other)
  other.closeSync()
  await runModels(connection, MODELS)
  expect(await rowsOf(connection, 'from first')).toEqual([])
  expect(await rowsOf(connection, 'from second')).toEqual([{ n: '1' }])
  expect(await rowsOf(connection, 'from third')).toEqual([{ n: '1', runs: '0' }])
})

test('a small input that several models read is copied, and empty tables are not opened', async () => {
  const { connection } = await tempLake()
  await connection.run(
    `insert into lake.ops.landed_page(body_sha256)
     select sha256(i::varchar) from range(40_000) as numbers(i)`,
  )
  const pages = ['large', 'larger'].map((name) =>
    model(name, 'ops_landed_page', 'select count(*) as pages from ops_landed_page'),
  )
  await bindInputs(connection, [...MODELS, ...pages])
  expect(await boundAs(connection)).toEqual(
    [
      ...['ops_fence LOCAL TEMPORARY', 'ops_landed_page VIEW'],
      ...['ops_run_fence VIEW', 'seen_refusal LOCAL TEMPORARY'],
    ].map((bound) => ({ bound })),
  )
})

test('a model with the name of an input replaces it, and an input may be bound again', async () => {
  const { connection } = await tempLake()
  const stand = (name: string, value: number) =>
    model(name, 'nothing', `select ${value}::bigint as n`)
  const models = [stand('ops_fence', 7), stand('ops_run_fence', 8), ...MODELS]
  await bindInputs(connection, MODELS.slice(0, 1))
  await bindInputs(connection, MODELS.slice(0, 1))
  expect([...readersByInput(models).keys()]).toEqual(['seen_refusal'])
  const other = await tempLake()
  await bindInputs(other.connection, models)
  await runModels(other.connection, models)
  expect(await rowsOf(other.connection, 'from third')).toEqual([{ n: '7', runs: '8' }])
})

test('every input of the models is a table of the lake', async () => {
  const { connection } = await tempLake()
  for (const input of readersByInput(readModels()).keys()) {
    await connection.run(`select 1 from ${lakeTable(input)} limit 0`)
  }
})
