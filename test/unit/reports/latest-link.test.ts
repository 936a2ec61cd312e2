import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  firstPack,
  packNameOf,
  pointLatestAt,
  refuseForeignLatest,
} from '../../../reports/pack/latest-link.ts'

const OLD = '2025-02-01_2025-03-01/run-1'
const NEW = '2026-02-01_2026-03-01/run-2'

let account = ''
let latest = ''
beforeEach(() => {
  account = join(mkdtempSync(join(tmpdir(), 'tieout-latest-')), 'demo')
  latest = join(account, 'latest')
  for (const name of [OLD, NEW]) mkdirSync(join(account, name), { recursive: true })
})
afterEach(() => {
  rmSync(join(account, '..'), { recursive: true, force: true })
})

test('the link names a pack by range and run, and moves in both directions', async () => {
  await pointLatestAt(join(account, NEW))
  expect(readlinkSync(latest)).toBe(NEW)
  await pointLatestAt(join(account, OLD))
  await pointLatestAt(join(account, OLD))
  expect([readlinkSync(latest), packNameOf(join(account, OLD))]).toEqual([OLD, OLD])
  expect(readdirSync(account).filter((name) => name.startsWith('.'))).toEqual([])
})

test('the hidden link of a killed attempt at the same run is used, and two attempts at once leave nothing', async () => {
  const hidden = () => readdirSync(account).filter((name) => name.startsWith('.'))
  symlinkSync(NEW, join(account, `.latest.${basename(NEW)}.partial`))
  await pointLatestAt(join(account, NEW))
  expect([readlinkSync(latest), hidden()]).toEqual([NEW, []])
  await Promise.all([1, 2, 3].map(() => pointLatestAt(join(account, OLD))))
  expect([readlinkSync(latest), hidden()]).toEqual([OLD, []])
})

test('a link that names nothing, or nothing of ours, is replaced', async () => {
  symlinkSync('gone', latest)
  await refuseForeignLatest(join(account, NEW))
  await pointLatestAt(join(account, NEW))
  expect(readlinkSync(latest)).toBe(NEW)
})

test('the text file that Windows has instead of a link is ours, and another file is not', async () => {
  writeFileSync(latest, `${NEW}\n`)
  await refuseForeignLatest(join(account, NEW))
  writeFileSync(latest, 'a note')
  await expect(refuseForeignLatest(join(account, NEW))).rejects.toMatchObject({
    code: 'would_overwrite',
  })
})

test('if the link can not be moved, it is as it was, and nothing is beside it', async () => {
  mkdirSync(join(latest, 'of another program'), { recursive: true })
  await expect(pointLatestAt(join(account, NEW))).rejects.toThrow()
  expect(readdirSync(latest)).toEqual(['of another program'])
  expect(readdirSync(account).filter((name) => name.startsWith('.'))).toEqual([])
})

test('the first pack that is there is found', async () => {
  const folders = ['2027-01-01_2027-02-01/gone', NEW, OLD].map((name) => join(account, name))
  expect(await firstPack(folders)).toBe(join(account, NEW))
  expect(await firstPack(folders.slice(0, 1))).toBeUndefined()
})
