import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newPlace } from '../../support/built.ts'
import { tieoutHere } from '../../support/command-here.ts'

test('the chart is written with --set, shown as a table or as JSON, and used by config show', async () => {
  const place = newPlace()
  const file = join(place.cwd, 'tieout.yaml')
  writeFileSync(file, '# ours\ntimezone: UTC\n')
  const set = ['--set', 'sales=8400:Revenue', '--set', 'tips=2200']
  const written = await tieoutHere(['chart', ...set, '--json'], place)
  expect([written.code, JSON.parse(written.stdout)]).toMatchObject([
    0,
    {
      file,
      changed: ['sales', 'tips'],
      chart: { sales: { account: '8400', name: 'Revenue' }, tax: { account: '2100' } },
    },
  ])
  expect(readFileSync(file, 'utf8')).toContain('# ours\ntimezone: UTC\n')
  const shown = await tieoutHere(['chart'], place)
  expect(shown.stdout).toMatch(/^sales +8400 +Revenue +income without tax/m)
  expect(shown.stderr).toContain('nothing was changed')
  const settings = await tieoutHere(['config', 'show'], place)
  expect(settings.stdout).toMatch(/chart_of_accounts\.tips\.account +2200 +file/)
  const wrong = await tieoutHere(['chart', '--set', 'sale=1'], place)
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('did you mean sales?')])
})
