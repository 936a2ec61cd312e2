import { expect, test } from 'vitest'
import { newPlace, newPlaceWithLake, simulate, startTieout } from '../../support/built.ts'

const NOW = '2026-10-30T04:15:00Z'
const RUN = ['run', '--from', '2026-10-01', '--to', '2026-10-30', '--as-of', NOW]
const WORLD = [
  ...['--terminals', '2', '--transactions', '400', '--from', '2026-09-10', '--days', '55'],
  ...['--now', NOW, '--limit-cap', '50', '--latency-ms', '200'],
]

test('after kill -9, the same command says that it goes on with the run, and how long that may take', async () => {
  const place = newPlaceWithLake(await simulate(WORLD, newPlace()))
  const killed = startTieout(RUN, place)
  await killed.says('sweeping')
  killed.kill('SIGKILL')
  expect((await killed.ended).stderr).not.toContain('goes on')

  const again = startTieout(RUN, place)
  const { code, stderr } = await again.ended
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  expect(stderr).toMatch(
    /^an earlier command began this at \S+Z, and it goes on; if that command was killed, the step that it cut off starts again after at most 60 seconds$/m,
  )
})
