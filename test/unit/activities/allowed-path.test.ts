import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { anyPath, listedPath } from '../../../activities/runtime/allowed-path.ts'
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
