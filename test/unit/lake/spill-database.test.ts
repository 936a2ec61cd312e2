import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { readModels, runModels, type Model } from '../../../lake/run/models.ts'
import { tablesInSpill, withLargeInSpill } from '../../../lake/run/spill-database.ts'

const models = readModels()
const made = (name: string, version_bytes?: number) =>
  withLargeInSpill(
    models,
    version_bytes === undefined ? undefined : { database: 'file', ...tablesInSpill(version_bytes) },
  ).find((model) => model.name === name)

test('wide tables lie in the spill file if memory is half of what all tables take, and the others if it is less', () => {
  const databases = (version_bytes?: number) =>
    ['current_transaction', 'ordered_transaction'].map(
      (name) => made(name, version_bytes)?.database,
    )
  expect(databases()).toEqual([undefined, undefined])
  expect(databases(201)).toEqual(['file', undefined])
  expect(databases(200)).toEqual(['file', 'file'])
  expect(made('boundary', 1)?.database).toBeUndefined()
})

test('transactions are ordered in as many parts as memory requires, each terminal in one of them', () => {
  const parts = (version_bytes: number) => made('ordered_transaction', version_bytes)?.parts ?? []
  expect([200, 160, 159, 40, 39, 1].map((bytes) => parts(bytes).length)).toEqual([
    0, 0, 2, 4, 8, 16,
  ])
  expect(parts(40)).toEqual(
    [0, 1, 2, 3].map((part) => ({
      input: 'unplaced_settled_transaction',
      where: `(terminal_id >> 1) & 3 = ${part}`,
    })),
  )
})

test('a model that runs in parts gives the rows of all parts, and its input stays whole', async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run("attach ':memory:' as file")
  const text = 'select terminal_id, sum(cents)::varchar as cents from paid group by all'
  const [paid, summed] = ['select unnest(range(1, 9)) as terminal_id, 5 as cents', text].map(
    (select, place) => ({
      ...{ stage: '10_observed', name: place === 0 ? 'paid' : 'summed', text: select },
      database: 'file',
    }),
  )
  const inParts = [0, 1].map((part) => ({ input: 'paid', where: `terminal_id % 2 = ${part}` }))
  await runModels(connection, [paid, { ...summed, parts: inParts }] as Model[])
  const count = async (table: string) =>
    (
      await connection.runAndReadAll(
        `select count(*)::integer, count(distinct terminal_id)::integer from ${table}`,
      )
    ).getRows()
  expect(await count('summed')).toEqual([[8, 8]])
  expect(await count('paid')).toEqual([[8, 8]])
  connection.closeSync()
})
