/**
 * A world: everything that ever happens at the simulated service, as one fixed timeline. The clock
 * decides how a record looks.
 */
import { batchTransactions, membership, membersOf, scheduleBatches } from './batches.ts'
import { cardPool } from './cards.ts'
import { type Draft, emptyTransactions, signedCents } from './draft.ts'
import type { SimulatorOptions } from './options.ts'
import { plantSettlements } from './plant-settlements.ts'
import { plantTransactions } from './plant-transactions.ts'
import { at, hash32 } from './random.ts'
import { coverRefunds } from './refund-cover.ts'
import { shapeDays } from './shape.ts'
import { generateTerminals } from './terminals.ts'
import { DAY_S, HOUR_S, instantText, secondsOf } from './time.ts'
import { arrivals, generateTraffic } from './traffic.ts'
import { type World, type Settlement } from './generated-world.ts'

/** Makes the world of these options; the switches of the service don't change it. */
export function generateWorld(options: SimulatorOptions): World {
  const draft = startDraft(options)
  generateTraffic(draft)
  batchTransactions(draft)
  shapeDays(draft)
  plantTransactions(draft)
  coverRefunds(draft)
  const world = withSettlements(draft)
  plantSettlements(world)
  return world
}

/** The last instant of a world, such as `2026-11-21T00:00:00Z`, without making it. */
export function worldEnd(options: SimulatorOptions): string {
  return instantText(secondsOf(options.from) + options.days * DAY_S)
}

function startDraft(options: SimulatorOptions): Draft {
  const start = secondsOf(options.from)
  const terminals = generateTerminals(options)
  const tx = emptyTransactions(options.transactions)
  tx.created = arrivals(options, start)
  return {
    options,
    start,
    end: start + options.days * DAY_S,
    terminals,
    cards: cardPool(options.seed, options.transactions),
    tx,
    batches: scheduleBatches(options, start, terminals),
    refunded: new Uint8Array(options.transactions),
    used: new Uint8Array(options.transactions),
    plants: [],
  }
}

/** Turns filled batches into settlements, numbered in order of creation. */
function withSettlements(draft: Draft): World {
  const { tx, batches, options } = draft
  const inBatch = membership(tx, batches.created.length)
  const filled = [...batches.created.keys()].filter((batch) => membersOf(inBatch, batch).length > 0)
  filled.sort((a, b) => at(batches.created, a) - at(batches.created, b) || a - b)
  const settlements = filled.map((batch, place) => settlementOf(draft, batch, place))
  const placeOf = new Int32Array(batches.created.length).fill(-1)
  for (const [place, batch] of filled.entries()) placeOf[batch] = place
  for (let row = 0; row < tx.count; row += 1) {
    const batch = at(tx.settlement, row)
    if (batch >= 0) tx.settlement[row] = at(placeOf, batch)
  }
  const members = membership(tx, settlements.length)
  for (const [place, settlement] of settlements.entries()) {
    for (const row of membersOf(members, place)) settlement.net += BigInt(signedCents(tx, row))
    settlement.reported = settlement.net
  }
  const { start, end, terminals, cards, plants } = draft
  return { options, start, end, terminals, cards, tx, settlements, members, plants }
}

function settlementOf(draft: Draft, batch: number, place: number): Settlement {
  const { batches, options } = draft
  const created = at(batches.created, batch)
  return {
    id: String(81_000_000 + place * 3 + (hash32(options.seed, place, 500) % 3)),
    terminal: at(batches.terminal, batch),
    created,
    cutoff: at(batches.cutoff, batch),
    completeAt: created + 2 * HOUR_S + (hash32(options.seed, place, 501) % (42 * HOUR_S)),
    net: 0n,
    reported: 0n,
    marked: at(batches.marked, batch) === 1,
  }
}
