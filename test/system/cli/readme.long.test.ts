/** Goal: README.md and the help show what the demo prints. Method: the demo in its own size, without the run's id. */
import { realpathSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EXAMPLES } from '../../../cli/shell/examples.ts'
import { newPlace, tieout } from '../../support/built.ts'
import { readProject } from '../../house/project-files.ts'

const RUN_ID = /\d{8}T\d{6}Z-[0-9a-f]{8}/g

test('README.md ends its demo as the demo ends, and the help explains the same settlement', async () => {
  const place = newPlace()
  const { code, stdout } = await tieout(['demo'], place)
  expect(code).toBe(0)
  const printed = stdout
    .replaceAll(`${realpathSync(place.cwd)}/`, '')
    .replaceAll('npx --no-install ', '')
    .replaceAll(RUN_ID, 'RUN')
  const [, end = ''] = /```\n(settlements [^`]+)```/.exec(readProject('README.md')) ?? []
  const lines = end.replaceAll(RUN_ID, 'RUN').split('\n')
  const shown = lines.filter((line) => line.trim() !== '...')
  expect(shown.length).toBeGreaterThan(5)
  for (const line of shown) expect(printed.split('\n')).toContain(line)
  const [, id] = /explain (\d+)/.exec(printed) ?? []
  expect(EXAMPLES['explain']).toEqual([`tieout explain ${id}`])
}, 1_200_000)
