import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { anyPath, listedOut, listedPath } from '../../../activities/runtime/allowed-path.ts'
import { newFolder } from '../../support/lake-template.ts'

const folder = newFolder()
afterAll(() => rmSync(folder, { recursive: true }))
const out = join(folder, 'out')
const imports = join(folder, 'imports')
for (const made of [out, imports, join(folder, 'elsewhere')]) mkdirSync(made)
symlinkSync(join(folder, 'elsewhere'), join(out, 'way-out'))
const settings = { out, allowedPaths: [imports] } as const

test.each([
  out,
  join(out, 'packs', 'october'),
  join(imports, 'october.csv'),
  join(imports, '..a.csv'),
])('an order from a shared Temporal may name %s', (path) => {
  expect(listedPath(path, settings)).toBe(path)
})

test.each([
  ['a folder beside it', join(folder, 'elsewhere')],
  ['a folder whose name begins alike', `${out}-of-a-stranger`],
  ['the folder above', folder],
  ['a way back up', join(out, '..', 'elsewhere')],
  ['a link that leads out', join(out, 'way-out', 'pack')],
  ['a system folder', '/etc/cron.d'],
])('%s is refused', (_what, path) => {
  expect(() => listedPath(path, settings)).toThrow('is outside the folder')
  expect(anyPath(path, settings)).toBe(path)
})

const inStore = { out: 's3://bucket/packs', allowedPaths: [imports, 's3://other/packs/'] } as const

test.each([
  's3://bucket/packs',
  's3://bucket/packs/october',
  's3://other/packs',
  join(imports, 'packs'),
])('an order from a shared Temporal may name %s for a pack', (place) => {
  expect(listedOut(place, inStore)).toBe(place)
})

test.each([
  ['another bucket', 's3://strange/packs'],
  ['a prefix that begins alike', 's3://bucket/packs-of-a-stranger'],
  ['the prefix above', 's3://other'],
  ['a way back up', 's3://bucket/packs/../elsewhere'],
  ['an address of another kind', 'gs://bucket/packs'],
  ['a folder that is not listed', out],
])('%s is refused for a pack', (_what, place) => {
  expect(() => listedOut(place, inStore)).toThrow('is outside')
})

test('an address allows no folder, and a folder no address; imports and backups have no address', () => {
  const above = { out: process.cwd(), allowedPaths: ['/'] }
  expect(() => listedOut('s3://bucket/packs', above)).toThrow('is outside')
  expect(() => listedPath('s3://bucket/packs/x', inStore)).toThrow('is outside')
})
