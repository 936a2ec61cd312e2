/** The scenario of a seed: the world, the service's behaviour, the nights and the chores in between. */
import { addDays } from '../../../domain/business-day.ts'
import { simulatorOptions, type SimulatorOptions } from '../../../simulator/world/options.ts'
import { itemAt, randomFrom, type Random } from '../../../simulator/world/random.ts'
import { FAULTS, type FaultKind } from './faults.ts'

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
  /** The fault that the first of these activities meets in any case. */
  appointed: Appointed
  /** A second installation goes on from a backup that is taken before the last night. */
  isRestored: boolean
  /** The disk can be filled. */
  hasSmallDisk: boolean
}

export interface Appointed {
  activity: (typeof APPOINTED)[number]
  kind: FaultKind
}

const APPOINTED = ['sweepList', 'reconcile', 'publish', 'actOnBooks'] as const

/** So many seeds in a row appoint every fault to every one of these activities. */
export const ROUND = APPOINTED.length * FAULTS.length

/** The rare chores, by the remainder of the seed. */
const RARE: Readonly<Record<number, Chore>> = { 1: 'compact', 3: 'erase', 5: 'backUp' }

const ORDERS = ['created-asc', 'created-desc', 'modified-desc', 'id-asc'] as const

/**
 * Everything about a run but its course follows from the seed. Most is drawn. The rare things take turns, so that seeds
 * in a row meet all of them.
 */
export function scenarioOf(seed: number): Scenario {
  const random = randomFrom(seed, 71)
  const isRestored = seed % 8 === 0
  const from = `2026-10-${22 + random.below(6)}`
  const order = () => random.pick(ORDERS)
  const world = simulatorOptions({
    ...{ seed, from, days: 12, terminals: 2 + random.below(2) },
    transactions: 40 + random.below(40),
    order: { terminals: 'created-asc', settlements: order(), transactions: order() },
    limitCap: random.pick([1000, 1000, 5 + random.below(20)]),
    settledFlips: random.pick(['created', 'complete']),
    lastModifiedMoves: random.pick(['capture', 'settlement', 'never']),
    errorRate: isRestored ? 0 : random.pick([0, 0, 0.04]),
    lateCaptureRate: random.pick([0, 0.05]),
    mismatchRate: random.pick([0, 0.2]),
    plantsPerKind: random.pick([0, 1]),
  })
  const faulty = random.unit() < 0.15 ? 2 : 1
  const nights = Array.from({ length: faulty + 1 }, (_, night) => {
    const date = addDays(from, 11 - faulty + night)
    return `${date}T04:15:00Z`
  })
  const chores = Array.from({ length: faulty }, () => drawChores(random))
  const rare = RARE[seed % 8]
  if (rare !== undefined) chores[0]?.splice(random.below(3), 0, rare)
  if (isRestored) chores.at(-1)?.push('backUp')
  const appointed: Appointed = {
    activity: itemAt(APPOINTED, seed % APPOINTED.length),
    kind: itemAt(FAULTS, Math.floor(seed / APPOINTED.length) % FAULTS.length),
  }
  return {
    ...{ seed, world, nights, chores, isRestored, appointed },
    faultShare: random.pick([0.2, 0.5]),
    hasSmallDisk: appointed.kind === 'disk-full' || random.unit() < 0.2,
  }
}

const drawChores = ({ below }: Random): Chore[] => Array.from({ length: 2 + below(3) }, () => 'act')
