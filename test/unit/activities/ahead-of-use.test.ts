/**
 * Goal: work that is done ahead of its use changes no outcome. Method: a missing, a good and a broken lake are opened
 * ahead, and a sweep that has begun asks for its keys.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keyCheck } from '../../../activities/runtime/key-check.ts'
import { SharedLake } from '../../../activities/runtime/shared-lake.ts'
import { Secret } from '../../../domain/settings.ts'
import { emptyLakeIn, lakeSettingsIn } from '../../support/lake-template.ts'
import { plainAccount } from '../../support/plain-account.ts'
import { tempFolder } from '../../support/temp-lake.ts'

function shared(settings: ReturnType<typeof lakeSettingsIn>): SharedLake {
  const lake = new SharedLake(settings, () => {})
  onTestFinished(() => lake.close())
  return lake
}

test('a missing lake is not made ahead of its use', async () => {
  const settings = lakeSettingsIn(join(tempFolder(), 'lake'))
  const lake = shared(settings)
  await lake.begin()
  await lake.close()
  expect(existsSync(settings.folder)).toBe(false)
})

test('a lake that is opened ahead is open at its first use, and may be closed before that', async () => {
  const settings = emptyLakeIn(tempFolder())
  const lake = shared(settings)
  const first = lake.begin()
  await lake.close()
  await first
  await lake.begin()
  const opening = lake.lake()
  expect(lake.lake()).toBe(opening)
  await expect(lake.connected((open) => Promise.resolve(open))).resolves.toBe(await opening)
})

test('a lake that can not be opened ahead fails at its first use', async () => {
  const settings = lakeSettingsIn(join(tempFolder(), 'lake'))
  mkdirSync(settings.folder)
  writeFileSync(settings.catalog.replace('sqlite:', ''), 'no database')
  const lake = shared(settings)
  await lake.begin()
  await expect(lake.connected(() => Promise.resolve('opened'))).rejects.toMatchObject({
    code: 'lake_unreachable',
  })
})

test('the keys are compared with the lake before a sweep, and not again once it has begun', async () => {
  const folder = tempFolder()
  const settings = plainAccount({ out: join(folder, 'out'), lake: emptyLakeIn(folder) })
  const lake = shared(settings.lake)
  await lake.connected((_lake, connection) =>
    connection.run(`insert into lake.ops.hash_key values ('${settings.account}', 'another')`),
  )
  const keys = { first: new Secret('k'.repeat(32)), later: [] }
  const check = keyCheck(lake, () => keys)
  await expect(check(settings)).rejects.toMatchObject({ code: 'config_invalid' })
  expect(await check(settings, true)).toBe(keys)
})
