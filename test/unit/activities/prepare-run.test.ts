/** Goal: a run without dates covers the days that its schedule means. Method: requests, and the run each becomes. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createPrepareRun } from '../../../activities/reconcile/prepare-run.ts'
import { SharedLake } from '../../../activities/runtime/shared-lake.ts'
import type { RunStart } from '../../../domain/run.ts'
import { Secret, type Settings } from '../../../domain/settings.ts'
import { WEBHOOK_RULES } from '../../../domain/webhook.ts'
import { openBucket } from '../../../reports/store/bucket.ts'
import { objectStore } from '../../../workers/config/object-store.ts'
import { emptyLakeIn } from '../../support/lake-template.ts'
import { needs } from '../../support/outside-program.ts'
import { plainAccount } from '../../support/plain-account.ts'
import { startBucket } from '../../support/services.ts'
import { tempFolder } from '../../support/temp-lake.ts'

const STARTED = '2026-11-02T04:15:00.000Z'
/** The same, as a pack shows it. */
const AS_OF = '2026-11-02T04:15:00Z'

interface More extends Partial<RunStart> {
  /** The end of a sweep that has landed. */
  sweptAt?: string
  settings?: Partial<Settings>
}

async function prepare(
  request: Partial<RunStart['request']> = {},
  { sweptAt, settings: own = {}, ...more }: More = {},
) {
  const folder = tempFolder()
  const settings = plainAccount({
    ...{ out: join(folder, 'out'), timezone: 'America/New_York', lookbackDays: 7 },
    lake: emptyLakeIn(folder),
    ...own,
  })
  const shared = new SharedLake(settings.lake, () => {})
  onTestFinished(() => shared.close())
  if (sweptAt !== undefined) {
    await shared.connected((_lake, connection) =>
      connection.run(
        `insert into lake.ops.landing (landing_seq, account, observed_at) values (1, 'acme', '${sweptAt}');
         insert into lake.ops.sweep (account, ended_at, landing_seq) values ('acme', '${sweptAt}', 1)`,
      ),
    )
  }
  return createPrepareRun(
    settings,
    shared,
  )({
    ...{ request: { account: 'acme', sweep: true, ...request }, runId: 'r1', startedAt: STARTED },
    ...more,
  })
}

test('a run without dates covers the days before the business date of its zone', async () => {
  // At 04:15 UTC on 2 November the day of New York is still the first.
  expect(await prepare()).toEqual({
    ...{ runId: 'r1', account: 'acme', asOf: AS_OF },
    window: { from: '2026-10-25', to: '2026-11-01' },
  })
})

test('the time of the schedule decides about the day, however late the run begins', async () => {
  const run = await prepare({}, { scheduledAt: '2026-11-01T09:15:00Z' })
  expect(run).toMatchObject({
    window: { from: '2026-10-25', to: '2026-11-01' },
    ...{ asOf: AS_OF, preparedBy: 'schedule' },
  })
})

test.each([
  ['of another year', '2019-11-01T09:15:00Z'],
  ['nine days before its start', '2026-10-24T04:14:00Z'],
  ['two days after its start', '2026-11-04T04:15:01Z'],
])(
  'a scheduled time %s is refused, because anyone on Temporal may write it',
  async (_, scheduledAt) => {
    await expect(prepare({}, { scheduledAt })).rejects.toMatchObject({
      code: 'payload_refused',
      message: expect.stringContaining(scheduledAt),
    })
  },
)

test('a request that names a value overrides the clock and the settings', async () => {
  const request = {
    ...{ window: { from: '2026-09-01', to: '2026-10-01' }, asOf: '2026-10-05T00:00:00Z' },
    ...{ knownAt: '7', csvProfile: 'excel' as const, minCertificate: 'SNAPSHOT' as const },
    ...{ preparedBy: 'Ada', out: tempFolder() },
  }
  expect(await prepare(request)).toEqual({ runId: 'r1', account: 'acme', ...request })
  expect(await prepare({ businessDate: '2026-10-08' })).toMatchObject({
    window: { from: '2026-10-01', to: '2026-10-08' },
  })
})

test('a run without a sweep counts ages from the newest sweep, else from its own start', async () => {
  const run = await prepare({ sweep: false })
  expect([run.asOf, run.isAsOfSweep]).toEqual([AS_OF, undefined])
  expect(await prepare({ sweep: false }, { sweptAt: '2026-10-20 05:00:00' })).toMatchObject({
    ...{ asOf: '2026-10-20T05:00:00Z', isAsOfSweep: true },
    window: { from: '2026-10-13', to: '2026-10-20' },
  })
})

test('an output folder that can not be written is refused before anything is read', async () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'file'), '')
  await expect(prepare({ out: join(folder, 'file') })).rejects.toMatchObject({
    code: 'config_invalid',
    remedy: 'choose another --out',
  })
  mkdirSync(join(folder, 'open'))
  chmodSync(join(folder, 'open'), 0o700)
  await expect(prepare({ out: join(folder, 'open', 'new', 'one') })).resolves.toBeDefined()
})

test.each([
  ['on time', '2026-11-02T04:15:00.000Z', 4 * 3_600_000],
  ['an hour after its time', '2026-11-02T03:15:00.000Z', 3 * 3_600_000],
  ['a day after its time', '2026-11-01T04:15:00.000Z', 0],
])(
  'a scheduled run that starts %s is late four hours after its time',
  async (_, scheduledAt, left_ms) => {
    const webhook = { ...WEBHOOK_RULES, url: new Secret('https://hooks.example.com/a') }
    const { lateAfter_ms } = await prepare({}, { scheduledAt, settings: { webhook } })
    expect(lateAfter_ms).toBe(left_ms)
    expect((await prepare({}, { settings: { webhook } })).lateAfter_ms).toBeUndefined()
  },
)

test('a store of packs whose `latest` is foreign is refused before anything is read', async (context) => {
  if (!needs('moto')) context.skip('moto is not installed')
  const { env, stop } = await startBucket('packs')
  onTestFinished(stop)
  const packStore = () => objectStore(env)
  const request = { out: 's3://packs/a' }
  await expect(prepare(request, { settings: { packStore } })).resolves.toMatchObject(request)
  const bucket = await openBucket(packStore())
  await bucket.putText('s3://packs/a/acme/latest', 'a letter')
  await expect(prepare(request, { settings: { packStore } })).rejects.toMatchObject({
    code: 'would_overwrite',
  })
})
