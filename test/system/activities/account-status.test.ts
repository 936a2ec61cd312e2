import type { DuckDBConnection } from '@duckdb/node-api'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountStatus } from '../../../queries/account-status.ts'
import { addDays } from '../../../domain/business-day.ts'
import { openLake } from '../../../lake/connection/open.ts'
import { type Lake } from '../../../lake/connection/lake.ts'
import { latestPublication, recordPublication } from '../../../lake/results/publications.ts'
import { readSettings } from '../../../workers/config/settings.ts'
import { lakeSettingsIn, rowsOf } from '../../support/temp-lake.ts'

const settings = {
  ...readSettings({}, 'lake', { TIEOUT_TIMEZONE: 'America/New_York' }),
  account: 'acme',
}

let lake: Lake
let connection: DuckDBConnection
const folder = mkdtempSync(join(tmpdir(), 'tieout-status-'))
beforeAll(async () => {
  lake = await openLake(lakeSettingsIn(folder))
  connection = await lake.connect()
})
afterAll(() => {
  connection.closeSync()
  lake.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Publishes the packs of an account's nights: each ends with the business date of its night. */
async function publishNights(account: string, nights: readonly string[]): Promise<void> {
  for (const night of nights) {
    await recordPublication(lake, connection, {
      ...{ runId: `${account}-${night}`, account, asOf: `${night}T08:15:00Z` },
      ...{
        window: { from: addDays(night, -35), to: night },
        certificate: 'CONTIGUOUS',
        manifestSha256: 'f00d',
      },
    })
    await publishedAt(`${account}-${night}`, `${night}T09:00:00Z`)
  }
}

const publishedAt = (runId: string, at: string) =>
  connection.run(
    `update lake.ops.publication set published_at = $2::timestamptz::timestamp where run_id = $1`,
    [runId, at],
  )

const statusOf = (account: string, now = '2026-11-21T23:00:00Z') =>
  accountStatus(connection, { ...settings, account }, Date.parse(now))

test.each([
  ['before the first pack nothing is missing', [], '2026-11-21T23:00:00Z', []],
  ['the night of today is not due yet', ['2026-11-20'], '2026-11-21T09:00:00Z', []],
  // A quarter past four in New York, and two hours for the night itself.
  ['the night is late', ['2026-11-20'], '2026-11-21T11:14:00Z', []],
  ['the night is missed', ['2026-11-20'], '2026-11-21T11:15:00Z', ['2026-11-21']],
  [
    'a missed night in the middle stays missed',
    ['2026-11-18', '2026-11-20', '2026-11-21'],
    '2026-11-21T23:00:00Z',
    ['2026-11-19'],
  ],
  [
    'a night older than a week is no longer looked for',
    ['2026-11-01'],
    '2026-11-21T23:00:00Z',
    [14, 15, 16, 17, 18, 19, 20, 21].map((day) => `2026-11-${day}`),
  ],
  // Six hours of clocks are five hours of time: 04:15 comes at 08:15 in UTC, and two hours later the night is missed.
  ['the night is late while clocks go forward', ['2027-03-13'], '2027-03-14T10:14:00Z', []],
  [
    'the night is missed while clocks go forward',
    ['2027-03-13'],
    '2027-03-14T10:15:00Z',
    ['2027-03-14'],
  ],
  ['the night is late while clocks go back', ['2027-11-06'], '2027-11-07T11:14:00Z', []],
])('%s', async (account, nights, now, missing) => {
  await publishNights(account, nights)
  expect((await statusOf(account, now)).nightsMissing).toEqual(missing)
})

test('an account whose first packs are of the past has missed no night before it existed', async () => {
  await publishNights('new', ['2026-08-01', '2026-09-01'])
  for (const month of ['08', '09'])
    await publishedAt(`new-2026-${month}-01`, '2026-11-20T15:00:00Z')
  expect((await statusOf('new', '2026-11-21T11:14:00Z')).nightsMissing).toEqual([])
  expect((await statusOf('new', '2026-11-21T11:15:00Z')).nightsMissing).toEqual(['2026-11-21'])
})

test('the pack of the status is the newest, but a backfill counts only if its range ends no earlier', async () => {
  await publishNights('acme', ['2026-11-20', '2026-11-21'])
  await recordPublication(lake, connection, {
    ...{ runId: 'filled', account: 'acme', asOf: '2026-11-21T10:00:00Z', isBackfill: true },
    ...{
      window: { from: '2026-05-01', to: '2026-06-01' },
      certificate: 'SNAPSHOT',
      manifestSha256: 'f00d',
    },
  })
  const { pack } = await statusOf('acme')
  expect(pack).toMatchObject({ runId: 'acme-2026-11-21', from: '2026-10-17', to: '2026-11-21' })
  expect(await latestPublication(connection, 'bolt')).toBeUndefined()
  await recordPublication(lake, connection, {
    ...{ runId: 'again', account: 'acme', asOf: '2026-11-21T10:00:00Z' },
    ...{
      window: { from: '2026-05-01', to: '2026-06-01' },
      certificate: 'SNAPSHOT',
      manifestSha256: 'f00d',
    },
  })
  expect(await latestPublication(connection, 'acme')).toMatchObject({ runId: 'again' })
})

test('a pack is recorded once, however often its activity is tried', async () => {
  await publishNights('twice', ['2026-11-21', '2026-11-21'])
  const rows = await rowsOf(
    connection,
    "select run_id from lake.ops.publication where account = 'twice'",
  )
  expect(rows).toHaveLength(1)
})

test('an account without a run has no open exceptions, and its unexplained amounts are unknown', async () => {
  const status = await statusOf('nobody')
  expect(status).toMatchObject({ exceptions: [], quarantined: 0, sweeps: [] })
  expect([status.exposure, status.lastRun, status.pack]).toEqual([undefined, undefined, undefined])
})
