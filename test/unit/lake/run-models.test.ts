import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { runModels } from '../../../lake/run/models.ts'
import { rowsOf } from '../../support/temp-lake.ts'

test('a model with `each` runs once for each row of a table, whose columns are its variables', async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const each = {
    stage: 'explain_stored',
    name: 'in_range',
    text: `-- model    in_range
-- reads    n, r
-- each     r
select n from n where n between getvariable('low') and getvariable('high')`,
  }
  await connection.run('create temp table n as select unnest(range(10))::integer as n')
  await connection.run('create temp table r (low integer, high integer)')
  await runModels(connection, [each])
  expect(await rowsOf(connection, 'from in_range')).toEqual([])
  await connection.run('insert into r values (1, 2), (7, 7)')
  await runModels(connection, [each])
  expect(await rowsOf(connection, 'select n from in_range order by n')).toEqual([
    { n: 1 },
    { n: 2 },
    { n: 7 },
  ])
})
