/** Goal: ages and durations among the metrics are right. Method: the text of the metrics at given instants. */
import { expect, test } from 'vitest'
import { Metrics, runDuration } from '../../../activities/runtime/metrics.ts'
import { CATALOG } from '../../../lake/connection/commit-record.ts'
import { lastBackup, recordBackup } from '../../../lake/maintenance/last-backup.ts'
import { tempLake } from '../../support/temp-lake.ts'

const AT = '2026-11-21T04:00:00.000Z'

test('a run lasts from the instant in its id to its pack', () => {
  const publishedAt = '2026-11-21T16:12:29Z'
  expect(runDuration({ runId: '20261121T161133Z-d024bf97', publishedAt })).toBe(56)
  expect(runDuration({ runId: 'backfill/acme/2026-10', publishedAt })).toBeUndefined()
})

test('the last backup has its age, and no backup an infinite one', async () => {
  const metrics = new Metrics(() => [])
  const age = async (now: string) => {
    const text = await metrics.text(Date.parse(now))
    return /^tieout_last_backup_age_seconds (\S+)$/m.exec(text)?.[1]
  }
  expect(await age(AT)).toBe('+Inf')
  metrics.takeBackup(AT)
  expect(await age('2026-11-21T05:00:00Z')).toBe('3600')
})

test('the record of a backup lies in the catalog, and the newest counts', async () => {
  const { connection } = await tempLake()
  expect(await lastBackup(connection)).toBeUndefined()
  for (const folder of ['/backup/one', '/backup/two'])
    await recordBackup(connection, { at: AT, folder })
  expect(await lastBackup(connection)).toEqual({ at: AT, folder: '/backup/two' })
})

test('an unreadable record of the backups is an error, and not a lake without backup', async () => {
  const { connection } = await tempLake()
  await connection.run(`create table ${CATALOG}.tieout_backup (done_at varchar)`)
  await expect(lastBackup(connection)).rejects.toThrow('folder')
})
