/** The rules of latest are proved in `system/books/latest.test.ts`; here a command says what it did. */
import { readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newPlace, newPlaceWithLake, simulate, tieout } from '../../support/built.ts'

const NOW = '2026-10-30T04:15:00Z'
const WORLD = ['--terminals', '1', '--transactions', '300', '--from', '2026-09-10', '--days', '55']
const SEPTEMBER = ['--from', '2026-09-15', '--to', '2026-10-01', '--as-of', NOW]

test('a backfill of an old range leaves latest as it is, and says so', async () => {
  const place = newPlaceWithLake(await simulate([...WORLD, '--now', NOW], newPlace()))
  const latest = () => readlinkSync(join(place.cwd, 'out', 'default', 'latest'))
  const said = async (args: readonly string[]) => {
    const { code, stdout, stderr } = await tieout(args, place)
    expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' })
    return stdout
  }
  await said(['run', '--from', '2026-10-01', '--to', '2026-10-30', '--as-of', NOW])
  const newest = latest()
  expect(newest).toMatch(/^2026-10-01_2026-10-30\//)

  const filled = await said(['backfill', ...SEPTEMBER])
  expect(filled).toContain(`latest still names ${newest}, whose range ends later`)
  expect(latest()).toBe(newest)
  expect(await said(['status'])).toContain('2026-10-01 to 2026-10-30, published')
})
