/**
 * Goal: a backup of a lake in PostgreSQL and an object store is a complete lake, and becomes one again whole or not at
 * all. Method: the functions of maintenance between two databases, with an intact backup and a damaged one.
 */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { LakeSettings } from '../../../domain/settings.ts'
import { checkLake } from '../../../lake/connection/check-lake.ts'
import { maintenanceMarks, recordMaintenance } from '../../../lake/connection/commit-record.ts'
import { openLake } from '../../../lake/connection/open.ts'
import { ownSessions } from '../../../lake/connection/other-sessions.ts'
import { transact } from '../../../lake/connection/transact.ts'
import { backUp } from '../../../lake/maintenance/back-up.ts'
import { marked } from '../../../lake/maintenance/compact.ts'
import { restore } from '../../../lake/maintenance/restore.ts'
import { readSettings } from '../../../workers/config/settings.ts'
import { needs } from '../../support/outside-program.ts'
import { startServices, type Services } from '../../support/services.ts'
import { lakeSettingsIn, rowsOf, tempFolder } from '../../support/temp-lake.ts'

const isShared = needs('postgresql') && needs('moto')
let services: Services | undefined

beforeAll(async () => {
  if (isShared) services = await startServices()
})

afterAll(() => services?.stop())

async function sharedLake(name: string): Promise<LakeSettings> {
  const env = { TIEOUT_OUT: tempFolder(), TIEOUT_TIMEZONE: 'UTC', ...(await services?.lake(name)) }
  return { ...readSettings({}, 'lake', env).lake, folder: tempFolder() }
}

/** Lands one record more and answers with the numbers of all landings. */
async function landings(settings: LakeSettings, seq: number): Promise<unknown[]> {
  const lake = await openLake(settings)
  try {
    const connection = await lake.connect()
    await transact(lake, connection, () =>
      connection.run(`insert into lake.ops.landing (landing_seq, account) values (${seq}, 'acme')`),
    )
    await checkLake(lake, connection)
    const rows = await rowsOf(
      connection,
      'select landing_seq as n from lake.ops.landing order by 1',
    )
    return rows.map(({ n }) => Number(n))
  } finally {
    lake.close()
  }
}

test('a long step of maintenance marks that it goes on, and its record ends the marks', async (context) => {
  if (!isShared) context.skip('PostgreSQL or moto is not installed')
  const lake = await openLake(await sharedLake('marked'))
  const connection = await lake.connect()
  const step = () =>
    vi.waitFor(async () => expect(await maintenanceMarks(connection)).toBeGreaterThan(1))
  await marked(lake, step, 10)
  await recordMaintenance(connection, lake.settings.data)
  expect(await maintenanceMarks(connection)).toBe(0)
  connection.closeSync()
  lake.close()
})

test('a copy is a lake in a folder, and fills an empty database, but no other one', async (context) => {
  if (!isShared) context.skip('PostgreSQL or moto is not installed')
  const settings = await sharedLake('first')
  await landings(settings, 1)
  const lake = await openLake(settings)
  const folder = join(tempFolder(), 'backup')
  const copied = await backUp(lake, await lake.connect(), { folder })
  lake.close()

  const order = { backup: folder, now: new Date() }
  await expect(restore(settings, order)).rejects.toMatchObject({ code: 'would_overwrite' })
  expect(await landings(settings, 2)).toEqual([1, 2])

  const damaged = join(tempFolder(), 'damaged')
  cpSync(folder, damaged, { recursive: true })
  const names = readdirSync(join(damaged, 'parquet'), { recursive: true, encoding: 'utf8' })
  const file = join(damaged, 'parquet', names.find((name) => name.endsWith('.parquet')) ?? '')
  const bytes = readFileSync(file)
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 4
  writeFileSync(file, bytes)
  const empty = await sharedLake('second')
  await expect(restore(empty, { ...order, backup: damaged })).rejects.toMatchObject({
    code: 'lake_damaged',
  })
  expect(await restore(empty, order)).toMatchObject({ files: copied.files, bytes: copied.bytes })
  expect(await landings(empty, 3)).toEqual([1, 3])
  // Maintenance of a restored lake would delete the files of that one.
  const { catalog } = await sharedLake('third')
  const beside = { ...empty, catalog, folder: tempFolder() }
  await expect(restore(beside, order)).rejects.toMatchObject({
    code: 'would_overwrite',
    message: expect.stringMatching(/has files that the backup lacks, such as ops\//),
  })
  expect(await landings(lakeSettingsIn(folder), 4)).toEqual([1, 4])
})

test('another session of the same user is seen, and the own ones do not count', async (context) => {
  if (!isShared) context.skip('PostgreSQL or moto is not installed')
  const settings = await sharedLake('used')
  const other = await openLake(settings)
  const own = ownSessions(settings)
  const lake = await openLake(own.settings)
  const connection = await lake.connect()
  const refusal = () => own.refuseOthers(connection)
  await expect(refusal()).rejects.toMatchObject({
    code: 'lake_locked',
    message: expect.stringMatching(/: \d+, from 127\.0\.0\.1$/),
  })
  other.close()
  // PostgreSQL ends a session shortly after its client has left.
  await vi.waitFor(refusal, { timeout: 60_000, interval: 100 })
  lake.close()
})
