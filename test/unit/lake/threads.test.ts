import { expect, test } from 'vitest'
import { openLake } from '../../../lake/connection/open.ts'
import type { Lake } from '../../../lake/connection/lake.ts'
import { emptyLakeIn } from '../../support/lake-template.ts'
import { rowsOf, tempFolder } from '../../support/temp-lake.ts'

async function threadsOf(lake: Lake, before = ''): Promise<unknown> {
  const connection = await lake.connect()
  if (before !== '') await connection.run(before)
  const [row] = await rowsOf(connection, `select current_setting('threads')::varchar as threads`)
  connection.closeSync()
  return row?.['threads']
}

const landed = (versions: number) =>
  `insert into lake.seen.transaction_version(account, transaction_id) select 'acme', id from range(${versions}) as ids(id)`

test('a lake takes one thread below 300,000 versions of transactions, and then those of the settings', async () => {
  const lake = await openLake({ ...emptyLakeIn(tempFolder()), threads: 2 })
  expect(await threadsOf(lake, landed(299_999))).toBe('1')
  expect(await threadsOf(lake, landed(1))).toBe('1')
  expect(await threadsOf(lake)).toBe('2')
  lake.close()
})
