/** The state of the service at an instant, under the switches for its behaviour. */
import type { SimulatorOptions } from './options.ts'
import { at, hash32, itemAt } from './random.ts'
import { NEVER } from './time.ts'
import type { World } from './generated-world.ts'

export interface Moment {
  world: World
  /** The switches; they may differ from those of the world's creation. */
  options: SimulatorOptions
  /** Seconds. */
  now: number
}

export type TransactionStatus = 'HOLD' | 'CAPTURE' | 'VOID'
export type SettlementStatus = 'PENDING' | 'COMPLETE'

/** The last transactions of a world have ids beyond 2^53. */
const HUGE_IDS = 5

/** Digits. Ids grow with creation, but a few neighbours are in reverse order. */
export function transactionId(world: World, row: number): string {
  const { count } = world.tx
  if (row >= count - HUGE_IDS) return `90071992547409${93 + row - count + HUGE_IDS}`
  const place = isSwapped(world, row) ? row ^ 1 : row
  return String(4_100_000_000 + place * 11 + (hash32(world.options.seed, place, 700) % 11))
}

/** Returns true if a row and its neighbour have exchanged their positions in the order of ids. */
export function isSwapped(world: World, row: number): boolean {
  const pair = row >>> 1
  return (row | 1) < world.tx.count - HUGE_IDS && hash32(world.options.seed, pair, 701) % 64 === 0
}

export function statusAt({ world, now }: Moment, row: number): TransactionStatus {
  if (at(world.tx.voidedAt, row) <= now) return 'VOID'
  return at(world.tx.capturedAt, row) <= now ? 'CAPTURE' : 'HOLD'
}

/** The instant at which the settled flag turns true, in seconds; NEVER if it doesn't. */
export function settledAt({ world, options }: Omit<Moment, 'now'>, row: number): number {
  if (at(world.tx.member, row) === 0) return NEVER
  const settlement = itemAt(world.settlements, at(world.tx.settlement, row))
  return options.settledFlips === 'created' ? settlement.created : settlement.completeAt
}

export function isSettledAt(moment: Moment, row: number): boolean {
  return settledAt(moment, row) <= moment.now
}

export function lastModifiedAt(moment: Moment, row: number): number {
  const { world, options, now } = moment
  const { tx } = world
  const created = at(tx.created, row)
  if (options.lastModifiedMoves === 'never') return created
  const moves = [at(tx.capturedAt, row), at(tx.voidedAt, row)]
  if (options.lastModifiedMoves === 'settlement') moves.push(settledAt(moment, row))
  return moves.reduce((last, move) => (move <= now ? Math.max(last, move) : last), created)
}

export function settlementStatusAt({ world, now }: Moment, place: number): SettlementStatus {
  return itemAt(world.settlements, place).completeAt <= now ? 'COMPLETE' : 'PENDING'
}

/** amountNet in cents, as the settlement reports it at that instant. */
export function reportedAt({ world, now }: Moment, place: number): bigint {
  const { drift, reported } = itemAt(world.settlements, place)
  return drift !== undefined && now < drift.until ? drift.reported : reported
}

/** The instant of the settlement's last change, in seconds. */
export function settlementChangedAt({ world, now }: Moment, place: number): number {
  const { created, completeAt, drift } = itemAt(world.settlements, place)
  const moves = [completeAt, drift?.until ?? created]
  return moves.reduce((last, move) => (move <= now ? Math.max(last, move) : last), created)
}
