import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { cacheFolder, scratchInCache } from '../../../lake/connection/cache-folder.ts'
import { ROOT } from '../../house/project-files.ts'
import { tempFolder } from '../../support/temp-lake.ts'

afterEach(() => vi.unstubAllEnvs())

test('TIEOUT_CACHE names the cache; a checkout has its own without it', async () => {
  vi.stubEnv('TIEOUT_CACHE', '/somewhere')
  expect(await cacheFolder()).toBe('/somewhere')
  vi.stubEnv('TIEOUT_CACHE', '')
  expect(await cacheFolder()).toBe(join(ROOT, '.cache'))
})

test('a download gets an empty folder in the cache, which is made with its parents', () => {
  const folder = join(tempFolder(), 'new', 'temporal')
  const scratch = scratchInCache(folder)
  expect(scratch.startsWith(join(folder, 'fetch-'))).toBe(true)
  expect(existsSync(scratch)).toBe(true)
})

test('a cache that can not be written is named with the reason', () => {
  const file = join(tempFolder(), 'file')
  writeFileSync(file, '')
  expect(() => scratchInCache(join(file, 'temporal'))).toThrow(
    `the cache ${join(file, 'temporal')} can't be written: a part of the path is not a folder (ENOTDIR)`,
  )
})
