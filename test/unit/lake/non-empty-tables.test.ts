import type { DuckDBConnection } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { filledTables } from '../../../lake/connection/non-empty-tables.ts'
import { rowsOf, tempLake } from '../../support/temp-lake.ts'

const PRESENCE = 'lake.seen.presence'
const insert = (connection: DuckDBConnection) =>
  connection.run(`insert into ${PRESENCE} (account, subject_id) values ('acme', 1)`)

test('a table has rows once they are committed, and none after all are deleted', async () => {
  const { lake, connection } = await tempLake()
  const isFilled = async () => (await filledTables(connection))(PRESENCE)
  expect(await isFilled()).toBe(false)
  const other = await lake.connect()
  await other.run('begin')
  await insert(other)
  expect(await isFilled()).toBe(false)
  await other.run('commit')
  other.closeSync()
  expect(await isFilled()).toBe(true)
  await connection.run(`delete from ${PRESENCE}`)
  expect(await isFilled()).toBe(false)
})

test('a table that is not empty for a transaction counts as filled, though another one empties it meanwhile', async () => {
  const { lake, connection } = await tempLake()
  await insert(connection)
  await connection.run('begin')
  await connection.run(`select count(*) from ${PRESENCE}`)
  const other = await lake.connect()
  await other.run(`delete from ${PRESENCE}`)
  other.closeSync()
  const seen = await rowsOf(connection, `select subject_id::varchar as id from ${PRESENCE}`)
  expect(seen).toEqual([{ id: '1' }])
  expect((await filledTables(connection))(PRESENCE)).toBe(true)
  await connection.run('rollback')
})
