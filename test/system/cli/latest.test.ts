import { readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newPlace, newPlaceWithLake, simulate, tieout } from '../../support/built.ts'

const NOW = '2026-10-30T04:15:00Z'
const WORLD = ['--terminals', '1', '--transactions', '300', '--from', '2026-09-10', '--days', '55']
const SEPTEMBER = ['--from', '2026-09-15', '--to', '2026-10-01', '--as-of', NOW]

test('latest follows a report of an old range, a backfill leaves it and says so, and a link without a pack is repaired', async () => {
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

  await said(['report', ...SEPTEMBER])
  const report = latest()
  expect(report).toMatch(/^2026-09-15_2026-10-01\//)
  expect(filled).not.toContain(report)
  expect(await said(['status'])).toContain('2026-09-15 to 2026-10-01, published')

  rmSync(join(place.cwd, 'out', 'default', report), { recursive: true })
  const older = ['--from', '2026-09-12', '--to', '2026-09-20', '--as-of', NOW, '--json']
  const result = JSON.parse(await said(['backfill', ...older])) as { latest?: string }
  expect(result.latest).toBeUndefined()
  expect(latest()).toMatch(/^2026-09-12_2026-09-20\//)
})
