/**
 * Settlements as sites for discrepancies: their neighbours, their use so far, and whether another
 * cut-off would give the same wrong amount.
 */
import { membersOf } from './batches.ts'
import { signedCents } from './draft.ts'
import { at, itemAt } from './random.ts'
import { DAY_S } from './time.ts'
import type { World } from './generated-world.ts'

/** The longest time before a settlement's creation at which a cut-off may be searched. */
const TOLERANCE_S = DAY_S
/** Settlements between two planted ones of the same terminal, at least. */
const APART = 2

export interface Site {
  world: World
  /** Settlements of each terminal in order of time. */
  ofTerminal: number[][]
  /** The position of each settlement among its terminal's. */
  ordinal: Int32Array
  taken: Uint8Array
}

export function siteOf(world: World): Site {
  const ofTerminal: number[][] = world.terminals.map(() => [])
  const ordinal = new Int32Array(world.settlements.length)
  for (const [place, settlement] of world.settlements.entries()) {
    const places = itemAt(ofTerminal, settlement.terminal)
    ordinal[place] = places.length
    places.push(place)
  }
  return { world, ofTerminal, ordinal, taken: new Uint8Array(world.settlements.length) }
}

/** The settlement so many steps before or after in the same terminal. */
export function neighbour(site: Site, place: number, steps: number): number | undefined {
  const { terminal } = itemAt(site.world.settlements, place)
  return site.ofTerminal[terminal]?.[at(site.ordinal, place) + steps]
}

/** Returns true if neither the settlement at this place nor its neighbours have a discrepancy. */
export function isFree(site: Site, place: number): boolean {
  const settlement = itemAt(site.world.settlements, place)
  if (settlement.marked || at(site.taken, place) === 1) return false
  for (let steps = -APART; steps <= APART; steps += 1) {
    const adjacent = neighbour(site, place, steps)
    if (adjacent === undefined || at(site.taken, adjacent) === 1) return false
  }
  return true
}

/**
 * The first free and suitable settlement from an instant on, long enough before the end to be
 * COMPLETE by then.
 */
export function findSettlement<Found>(
  site: Site,
  instant: number,
  suits: (place: number) => Found | undefined,
): Found | undefined {
  const { settlements, end } = site.world
  const latest = end - 5 * DAY_S
  let place = settlements.findIndex((settlement) => settlement.created >= instant)
  if (place < 0) return undefined
  for (; place < settlements.length; place += 1) {
    if (itemAt(settlements, place).created > latest) return undefined
    const found = isFree(site, place) ? suits(place) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Returns false if moving one of the settlement's two cut-offs would also give the wrong amount,
 * which would make the cause ambiguous.
 */
export function isTellable(site: Site, place: number, off: bigint): boolean {
  const before = neighbour(site, place, -1)
  if (before === undefined) return false
  const size = Number(off < 0n ? -off : off)
  return !shiftGives(site, before, size) && !shiftGives(site, place, size)
}

/**
 * Returns true if another cut-off changes a settlement's sum by this amount, in either direction.
 */
function shiftGives(site: Site, place: number, size: number): boolean {
  const { world } = site
  const { created } = itemAt(world.settlements, place)
  const after = neighbour(site, place, 1)
  const inside = [...membersOf(world.members, place)].toReversed()
  const behind = after === undefined ? [] : [...membersOf(world.members, after)]
  const isClose = (row: number) => at(world.tx.created, row) > created - TOLERANCE_S
  const early = (row: number) => at(world.tx.created, row) <= created
  return (
    runGives(world, inside, { size, while: isClose }) ||
    runGives(world, behind, { size, while: early })
  )
}

function runGives(
  world: World,
  rows: readonly number[],
  sought: { size: number; while: (row: number) => boolean },
): boolean {
  let sum = 0
  for (const row of rows) {
    if (!sought.while(row)) return false
    sum += signedCents(world.tx, row)
    if (Math.abs(sum) === sought.size) return true
  }
  return false
}
