/**
 * Goal: an upgrade changes the whole lake or can be given again, and the way back loses no contents unasked. Method: schema files that exist in this test alone, over a lake with rows.
 */
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkLake } from '../../../lake/connection/check-lake.ts'
import { readMigrations, schemaOf, type Migration } from '../../../lake/connection/migrate.ts'
import { transact } from '../../../lake/connection/transact.ts'
import { rollback, upgrade } from '../../../lake/maintenance/upgrade.ts'
import { rowsOf, tempLake } from '../../support/temp-lake.ts'

const LAST = readMigrations().length
const alone = () => Promise.resolve()

const next = (version: number, text: string): Migration => ({
  ...{ version, text, name: `${String(version).padStart(4, '0')}_next.sql` },
  checksum: createHash('sha256').update(text).digest('hex'),
})

const MIGRATIONS = [
  ...readMigrations(),
  next(LAST + 1, 'alter table lake.ops.landing add column note varchar'),
  next(LAST + 2, `update lake.ops.landing set note = 'seen'`),
]
const OPTIONS = { program: '9.9.9', migrations: MIGRATIONS, ensureAlone: alone }

async function filledLake() {
  const { lake, connection } = await tempLake()
  const run = (sql: string) => transact(lake, connection, () => connection.run(sql))
  await run(`insert into lake.ops.landing (landing_seq, account) values (1, 'acme')`)
  return { lake, connection, run }
}

const versionOf = async ({ connection }: Awaited<ReturnType<typeof filledLake>>) =>
  (await schemaOf(connection, MIGRATIONS)).version

test('an upgrade applies each file, checks the lake, and has nothing to do the second time', async () => {
  const filled = await filledLake()
  const { lake, connection } = filled
  expect(await upgrade(lake, connection, OPTIONS)).toMatchObject({
    ...{ program: '9.9.9', from: LAST, to: LAST + 2, files: expect.any(Number) },
    applied: [`000${LAST + 1}_next.sql`, `000${LAST + 2}_next.sql`],
  })
  expect(await rowsOf(connection, 'select note from lake.ops.landing')).toEqual([{ note: 'seen' }])
  expect(await upgrade(lake, connection, OPTIONS)).toEqual({
    ...{ program: '9.9.9', from: LAST + 2, to: LAST + 2, applied: [] },
  })
})

test('an interrupted upgrade can be given again, and goes back to the state from before it began', async () => {
  const filled = await filledLake()
  const { lake, connection } = filled
  let calls = 0
  const ensureAlone = () => (++calls < 3 ? alone() : Promise.reject(new Error('interrupted')))
  await expect(upgrade(lake, connection, { ...OPTIONS, ensureAlone })).rejects.toThrow(
    'interrupted',
  )
  expect(await versionOf(filled)).toBe(LAST + 1)
  expect(await upgrade(lake, connection, OPTIONS)).toMatchObject({ from: LAST, to: LAST + 2 })
  const back = await rollback(lake, connection, { discardNewer: false, ensureAlone: alone })
  expect(back).toMatchObject({ from: LAST + 2, to: LAST })
  expect(await versionOf(filled)).toBe(LAST)
  await expect(connection.run('select note from lake.ops.landing')).rejects.toThrow('note')
  await checkLake(lake, connection)
})

test('newer contents are counted, and given up only on demand; then the lake works as before', async () => {
  const filled = await filledLake()
  const { lake, connection, run } = filled
  await upgrade(lake, connection, OPTIONS)
  await run(`insert into lake.ops.landing (landing_seq, account) values (2, 'acme'), (3, 'acme')`)
  await run(`insert into lake.ops.audit (seq, account) values (1, 'acme')`)
  const order = { ensureAlone: alone }
  await expect(rollback(lake, connection, { ...order, discardNewer: false })).rejects.toMatchObject(
    {
      code: 'rollback_refused',
      message: expect.stringContaining(': 2 landings, 1 act of the audit trail'),
    },
  )
  expect(await versionOf(filled)).toBe(LAST + 2)
  expect(await rollback(lake, connection, { ...order, discardNewer: true })).toMatchObject({
    discarded: {
      landings: 2,
      sweeps: 0,
      runs: 0,
      packs: 0,
      acts: 1,
      approvals: 0,
      erasures: 0,
      backfillEvents: 0,
    },
  })
  await run(`insert into lake.ops.landing (landing_seq, account) values (4, 'acme')`)
  expect(
    await rowsOf(connection, 'select landing_seq as n from lake.ops.landing order by 1'),
  ).toEqual([{ n: '1' }, { n: '4' }])
  await checkLake(lake, connection)
  await expect(rollback(lake, connection, { ...order, discardNewer: true })).rejects.toMatchObject({
    code: 'rollback_refused',
  })
  expect(await upgrade(lake, connection, OPTIONS)).toMatchObject({ from: LAST, to: LAST + 2 })
})

test('a way back to files that are gone is refused, and leaves the lake as it is', async () => {
  const filled = await filledLake()
  const { lake, connection } = filled
  const [{ file } = { file: '' }] = await rowsOf(
    connection,
    `select data_file as file from ducklake_list_files('lake', 'landing', schema => 'ops')`,
  )
  await upgrade(lake, connection, {
    ...OPTIONS,
    migrations: [
      ...readMigrations(),
      next(LAST + 1, 'create table lake.ops.copy as from lake.ops.landing'),
    ],
  })
  rmSync(String(file))
  await expect(
    rollback(lake, connection, { discardNewer: false, ensureAlone: alone }),
  ).rejects.toMatchObject({
    code: 'rollback_refused',
    remedy: expect.stringContaining('--restore'),
  })
  expect(
    (await rowsOf(connection, 'select max(version) as v from lake.main.migration'))[0],
  ).toEqual({ v: LAST + 1 })
})
