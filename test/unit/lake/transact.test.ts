import { expect, onTestFinished, test } from 'vitest'
import type { Lake } from '../../../lake/connection/lake.ts'
import { openLake } from '../../../lake/connection/open.ts'
import { raiseFence, transact } from '../../../lake/connection/transact.ts'
import { lakeCounters } from '../../../lake/connection/with-retries.ts'
import { lakeSettingsIn, tempFolder } from '../../support/temp-lake.ts'

/** Six transactions of one writer, each with 2,000 rows. */
async function writeSix(lake: Lake, name: number): Promise<void> {
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

async function sightingsIn(lake: Lake): Promise<unknown> {
  const connection = await lake.connect()
  return (await connection.runAndReadAll('select count(*) from lake.ops.sighting')).getRows()
}

test('writers that lose a race and remove their files leave the others intact', async () => {
  const settings = lakeSettingsIn(tempFolder())
  const lake = await openLake(settings)
  const lakes = [lake]
  // Each writer has a lake of its own, as a process of its own would.
  for (let n = 1; n < 4; n += 1) lakes.push(await openLake(settings))
  onTestFinished(() => lakes.forEach((one) => one.close()))
  const before = lakeCounters.retries
  await Promise.all(lakes.map(writeSix))
  expect(lakeCounters.retries).toBeGreaterThan(before)
  expect(await sightingsIn(lake)).toEqual([[48_000n]])
}, 120_000)

test('writers of one process take turns: none loses a race, and one that fails stops no other', async () => {
  const lake = await openLake(lakeSettingsIn(tempFolder()))
  onTestFinished(() => lake.close())
  const before = lakeCounters.retries
  const failing = transact(lake, await lake.connect(), () => Promise.reject(new Error('not today')))
  await Promise.all([
    expect(failing).rejects.toThrow('not today'),
    ...[1, 2, 3, 4].map((name) => writeSix(lake, name)),
  ])
  expect(lakeCounters.retries).toBe(before)
  expect(await sightingsIn(lake)).toEqual([[48_000n]])
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
