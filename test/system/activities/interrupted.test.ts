import { expect, onTestFinished, test } from 'vitest'
import { SharedLake } from '../../../activities/runtime/shared-lake.ts'
import { lakeSettingsIn, tempFolder } from '../../support/temp-lake.ts'

/** Days of work for one machine. */
const ENDLESS = 'select sum(a.range * b.range) from range(10000000) as a, range(10000000) as b'

test('a cancellation ends the running query, and the lake serves the next one', async () => {
  const shared = new SharedLake(lakeSettingsIn(tempFolder()), () => {})
  const cancelled = new AbortController()
  const endless = shared.connected((_lake, connection) => {
    const running = connection.run(ENDLESS)
    setTimeout(() => cancelled.abort(), 200)
    return running
  }, cancelled.signal)
  await expect(endless).rejects.toThrow(/INTERRUPT/i)
  const answer = await shared.connected(async (_lake, connection) =>
    (await connection.runAndReadAll('select 42')).getRows(),
  )
  expect(answer).toEqual([[42]])
  await shared.close()
}, 60_000)

test('a cancellation between two queries ends the next one', async () => {
  const shared = new SharedLake(lakeSettingsIn(tempFolder()), () => {})
  const cancelled = new AbortController()
  const endless = shared.connected(async (_lake, connection) => {
    cancelled.abort()
    // The interruption is spent on this one, or on none.
    await connection.run('select 1').catch(() => {})
    await connection.run(ENDLESS)
  }, cancelled.signal)
  await expect(endless).rejects.toThrow(/INTERRUPT/i)
  await shared.close()
}, 60_000)

test('work that lost a race is tried again, and is no bug', async () => {
  const shared = new SharedLake(lakeSettingsIn(tempFolder()), () => {})
  onTestFinished(() => shared.close())
  const second = shared.connected(async (lake, connection) => {
    await connection.run('begin')
    await connection.run('update lake.ops.fence set n = n + 1')
    const first = await lake.connect()
    await first.run('update lake.ops.fence set n = n + 1')
    first.closeSync()
    await connection.run('commit')
  })
  await expect(second).rejects.toMatchObject({ code: 'lake_locked' })
}, 60_000)

test('work cancelled before it begins ends at its first query', async () => {
  const shared = new SharedLake(lakeSettingsIn(tempFolder()), () => {})
  onTestFinished(() => shared.close())
  const endless = shared.connected(
    (_lake, connection) => connection.run(ENDLESS),
    AbortSignal.abort(),
  )
  await expect(endless).rejects.toThrow(/INTERRUPT/i)
}, 60_000)
