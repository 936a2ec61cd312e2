/** Draws the instants of kills: each barrier at most once, and random moments. */
import { randomInt } from 'node:crypto'
import { itemAt, type Random, randomFrom } from '../../../simulator/world/random.ts'
import type { Kill } from './lane.ts'

/** A seed that is new in each run; the variable repeats a run. */
export const SEED = Number(process.env['TIEOUT_TEST_KILL_SEED'] ?? randomInt(1_000_000_000))

export const random: Random = randomFrom(SEED, 0x6b69)

/** So many items of a list, spread over it from a drawn start. */
export function spread<Item>(list: readonly Item[], count: number): Item[] {
  const start = random.below(list.length)
  const step = list.length / count
  return Array.from({ length: count }, (_, at) =>
    itemAt(list, (start + Math.floor(at * step)) % list.length),
  )
}

/** Barriers that were used, by name, over all commands. */
export const used = new Set<string>()

/** The instant of the next kill of a command whose operations these are. New barriers come first. */
export function drawBarrier(barriers: readonly string[]): Extract<Kill, { at: string }> {
  const fresh = barriers.filter((name) => !used.has(name))
  const name = random.pick(fresh.length > 0 ? fresh : barriers)
  used.add(name)
  const count = barriers.filter((one) => one === name).length
  return { at: `${random.pick(['before', 'after'])} ${1 + random.below(count)} ${name}` }
}

/** A random moment of a command that takes so long. */
export const drawMoment = (elapsed_ms: number): Kill => ({ after_ms: random.below(elapsed_ms) })

export const wordsOf = (kill: Kill): string =>
  'at' in kill ? kill.at : `after ${kill.after_ms} ms`
