/** The scenario of a seed: the world, the service's behaviour, the nights and the chores in between. */
import { addDays } from '../../../domain/business-day.ts'
import { simulatorOptions, type SimulatorOptions } from '../../../simulator/world/options.ts'
import { randomFrom } from '../../../simulator/world/random.ts'

export const CHORES = ['act', 'compact', 'backUp', 'erase'] as const
export type Chore = (typeof CHORES)[number]

export interface Scenario {
  seed: number
  world: SimulatorOptions
  /** Instants of the nights; only the last one meets no fault. */
  nights: string[]
  /** The chores after each night but the last. */
  chores: Chore[][]
  /** The share of activities that meet a fault. */
  faultShare: number
  /** A second installation goes on from a backup that is taken before the last night. */
  isRestored: boolean
  /** The disk can be filled. */
  hasSmallDisk: boolean
}

const ORDERS = ['created-asc', 'created-desc', 'modified-desc', 'id-asc'] as const

/** Everything about a run but its course follows from the seed. */
export function scenarioOf(seed: number): Scenario {
  const random = randomFrom(seed, 71)
  const from = `2026-10-${22 + random.below(6)}`
  const order = () => random.pick(ORDERS)
  const world = simulatorOptions({
    ...{ seed, from, days: 12, terminals: 2 + random.below(2) },
    transactions: 40 + random.below(40),
    order: { terminals: 'created-asc', settlements: order(), transactions: order() },
    limitCap: random.pick([1000, 1000, 5 + random.below(20)]),
    settledFlips: random.pick(['created', 'complete']),
    lastModifiedMoves: random.pick(['capture', 'settlement', 'never']),
    errorRate: random.pick([0, 0, 0.04]),
    lateCaptureRate: random.pick([0, 0.05]),
    mismatchRate: random.pick([0, 0.2]),
    plantsPerKind: random.pick([0, 1]),
  })
  const faulty = random.unit() < 0.2 ? 2 : 1
  const nights = Array.from({ length: faulty + 1 }, (_, night) => {
    const date = addDays(from, 11 - faulty + night)
    return `${date}T04:15:00Z`
  })
  const chores = Array.from({ length: faulty }, () => drawChores(random))
  const isRestored = random.unit() < 0.12
  if (isRestored) chores.at(-1)?.push('backUp')
  return {
    ...{ seed, world, nights, chores, isRestored },
    faultShare: random.pick([0.2, 0.5]),
    hasSmallDisk: random.unit() < 0.3,
  }
}

function drawChores({ unit, below }: ReturnType<typeof randomFrom>): Chore[] {
  const chores: Chore[] = Array.from({ length: 2 + below(3) }, () => 'act')
  if (unit() < 0.1) chores.splice(below(chores.length), 0, 'compact')
  if (unit() < 0.12) chores.splice(below(chores.length), 0, 'backUp')
  if (unit() < 0.1) chores.splice(below(chores.length), 0, 'erase')
  return chores
}
