/** Goal: ages and durations among the metrics are right. Method: the text of the metrics at given instants. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Metrics, runDuration } from '../../../activities/runtime/metrics.ts'
import { lastBackup, recordBackup } from '../../../lake/maintenance/last-backup.ts'
import { lakeSettingsIn, tempFolder } from '../../support/temp-lake.ts'

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

test('the record of a backup is read back, is for its owner alone, and a broken one counts as none', async () => {
  const settings = lakeSettingsIn(tempFolder())
  expect(lastBackup(settings)).toBeUndefined()
  await recordBackup(settings, { at: AT, folder: '/backup/one' })
  expect(lastBackup(settings)).toEqual({ at: AT, folder: '/backup/one' })
  const file = join(settings.folder, 'last-backup.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, 20))
  expect(lastBackup(settings)).toBeUndefined()
})
