/**
 * Goal: a copy of a lake without write access answers as the lake does. Method: a lake lies on a disk of its own,
 * whose write access is taken away.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, type TestContext } from 'vitest'
import type { LakeSettings } from '../../../domain/settings.ts'
import { checkLake } from '../../../lake/connection/check-lake.ts'
import { openLake } from '../../../lake/connection/open.ts'
import { transact } from '../../../lake/connection/transact.ts'
import { newPlace, tieout } from '../../support/built.ts'
import { mount, smallDisk } from '../../support/small-disk.ts'
import { lakeSettingsIn, rowsOf } from '../../support/temp-lake.ts'

const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith('tieout-catalog-'))

/** A lake with one commit, on a disk without write access. */
async function readOnlyLake(
  context: TestContext,
  last?: (connection: DuckDBConnection) => Promise<unknown>,
): Promise<LakeSettings> {
  const folder = smallDisk(context, '64m')
  const settings = lakeSettingsIn(join(folder, 'lake'))
  const lake = await openLake(settings)
  const writer = await lake.connect()
  await transact(lake, writer, () => writer.run('update lake.ops.fence set n = 7'))
  await last?.(writer)
  lake.close()
  mount('-o', 'remount,ro', folder)
  return settings
}

test('a lake without write access is read and checked, and nothing is left behind', async (context) => {
  const settings = await readOnlyLake(context)
  const before = copies()
  const copy = await openLake(settings, { create: false })
  const connection = await copy.connect()
  expect(await rowsOf(connection, 'select n::int as n from lake.ops.fence')).toEqual([{ n: 7 }])
  expect(await checkLake(copy, connection)).toMatchObject({ files: expect.any(Number) })
  await expect(connection.run('update lake.ops.fence set n = 8')).rejects.toThrow(/read-only/i)
  copy.close()
  expect(copies()).toEqual(before)
  await expect(openLake(settings)).rejects.toMatchObject({ code: 'lake_unreachable' })
})

test('a copy whose newest commit has no record yet is checked without its files, and others need a record', async (context) => {
  const unrecorded = await readOnlyLake(context, (connection) =>
    connection.run('update lake.ops.fence set n = 8'),
  )
  const copy = await openLake(unrecorded, { create: false })
  expect(await checkLake(copy, await copy.connect())).toMatchObject({ files: expect.any(Number) })
  copy.close()
  const lost = await readOnlyLake(context, (connection) =>
    connection.run('delete from __ducklake_metadata_lake.tieout_file'),
  )
  const other = await openLake(lost, { create: false })
  await expect(checkLake(other, await other.connect())).rejects.toThrow('no commit has recorded')
  other.close()
})

test('doctor checks a lake without write access, and says that nothing can land there', async (context) => {
  const settings = await readOnlyLake(context)
  const place = newPlace({ TIEOUT_LAKE: settings.folder })
  const { stdout } = await tieout(['doctor', '--deep', '--json'], place)
  const { checks } = JSON.parse(stdout) as {
    checks: { name: string; ok: boolean; found: string }[]
  }
  const found = (name: string) => checks.find((check) => check.name === name)
  expect(found('lake')).toMatchObject({ ok: true })
  expect(found('lake content')).toMatchObject({ ok: true })
  expect(found('lake files')).toMatchObject({
    ok: false,
    found: expect.stringMatching(/^not checked: this user may only read/),
  })
})
