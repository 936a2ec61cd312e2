import { afterAll, beforeAll, expect, test } from 'vitest'
import { COMMANDS } from './commands.ts'
import { drawBarrier, drawMoment, SEED, spread, wordsOf } from './draw.ts'
import { type Lane, makeLane, removeTemplates } from './lane.ts'

/** Two drawn commands are killed at an operation and at a random moment. The long test kills them all. */
const CHOSEN = spread(COMMANDS, 2).map(({ name }) => name)

let lane: Lane
beforeAll(async () => {
  console.log(
    `kills of seed ${SEED}: TIEOUT_TEST_KILL_SEED=${SEED} npx vitest run test/system/kills`,
  )
  lane = await makeLane()
})
afterAll(() => removeTemplates(lane))

test.each(CHOSEN)(
  '%s that is killed and given again leaves what it leaves undisturbed',
  async (name) => {
    const { barriers, elapsed_ms } = await lane.undisturbed(name)
    for (const kill of [drawBarrier(barriers), drawMoment(elapsed_ms)]) {
      const { wasKilled, wrong } = await lane.kill(name, kill)
      expect(wrong, wordsOf(kill)).toEqual([])
      if ('at' in kill) expect(wasKilled, wordsOf(kill)).toBe(true)
    }
  },
)
