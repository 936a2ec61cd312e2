import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { streamed } from '../../../lake/connection/stream.ts'

async function read(select: string): Promise<number> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  let rows = 0
  try {
    for await (const batch of streamed(connection, select, (result) => result.yieldRows())) {
      rows += batch.length
    }
  } finally {
    connection.closeSync()
  }
  return rows
}

test('a long answer is read to its end', async () => {
  expect(await read('select i from range(300000) as numbers (i)')).toBe(300_000)
})

test('an answer that ends after its first rows is an error, not a shorter answer', async () => {
  const breaking = `select case when i = 250000 then error('no more') else i::varchar end from range(300000) as numbers (i)`
  await expect(read(breaking)).rejects.toMatchObject({ code: 'lake_unreachable' })
})
