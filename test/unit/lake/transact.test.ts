import { expect, onTestFinished, test } from 'vitest'
import { openLake } from '../../../lake/connection/open.ts'
import { raiseFence, transact } from '../../../lake/connection/transact.ts'
import { lakeSettingsIn, tempFolder } from '../../support/temp-lake.ts'

test('writers that lose a race and remove their files leave the others intact', async () => {
  const lake = await openLake(lakeSettingsIn(tempFolder()))
  onTestFinished(() => lake.close())
  const writer = async (name: number) => {
    const connection = await lake.connect()
    for (let n = 0; n < 6; n += 1) {
      await transact(lake, connection, async () => {
        const seq = await raiseFence(connection)
        await connection.run(
          `insert into lake.ops.sighting select 'acme', 'transactions', '${name}', (range + ${seq})::varchar from range(2000)`,
        )
      })
    }
    connection.closeSync()
  }
  await Promise.all([1, 2, 3, 4].map(writer))
  const connection = await lake.connect()
  const rows = await connection.runAndReadAll('select count(*) from lake.ops.sighting')
  expect(rows.getRows()).toEqual([[48_000n]])
}, 120_000)

test('a fence that is invisible while another writer raises it is a lost race, and the work begins anew', async () => {
  const lake = await openLake(lakeSettingsIn(tempFolder()))
  onTestFinished(() => lake.close())
  const connection = await lake.connect()
  let attempts = 0
  const seq = await transact(lake, connection, async () => {
    attempts += 1
    // A reader finds this when one file is gone and the next is not there yet.
    if (attempts === 1) await connection.run('delete from lake.ops.fence')
    return raiseFence(connection)
  })
  expect([attempts, seq]).toEqual([2, 1n])
})
