import { expect, test } from 'vitest'
import { openLake } from '../../lake/open.ts'
import { rowsOf, tempLake } from '../support/temp-lake.ts'

const REFUSED = {
  code: 'lake_unreachable',
  message: expect.stringContaining('schema version'),
  remedy: expect.stringContaining('newer one'),
}

test('a lake that a newer version wrote is refused and left as it is', async () => {
  const { lake, connection } = await tempLake()
  await connection.run(
    `insert into lake.main.migration values (9999, '9999_future.sql', 'x', now())`,
  )
  await expect(openLake(lake.settings)).rejects.toMatchObject(REFUSED)
  expect(await rowsOf(connection, 'select max(version) as v from lake.main.migration')).toEqual([
    { v: 9999 },
  ])
})

test('a lake whose migration was another than ours of that number is refused', async () => {
  const { lake, connection } = await tempLake()
  await connection.run(`update lake.main.migration set checksum = 'changed' where version = 2`)
  await expect(openLake(lake.settings)).rejects.toMatchObject(REFUSED)
})
