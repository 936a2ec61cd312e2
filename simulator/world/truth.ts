/** The ground truth: the correct result of a reconciliation of this world, as of an instant. */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { membersOf } from './batches.ts'
import { MALFORMED, type Plant } from './draft.ts'
import {
  type Moment,
  reportedAt,
  settledAt,
  settlementStatusAt,
  type SettlementStatus,
  transactionId,
} from './moment.ts'
import type { SimulatorOptions } from './options.ts'
import { at, itemAt } from './random.ts'
import { instantText, NEVER, secondsOf } from './time.ts'
import type { World } from './generated-world.ts'

/** Cents are whole numbers written as text, such as `-1230`. */
export interface TruthSettlement {
  settlementId: string
  terminalId: string
  created: string
  /** Null if it stays PENDING for good. */
  completeAt: string | null
  status: SettlementStatus
  /** Transactions captured until this instant are in. */
  cutoff: string
  /** Transaction ids in order of creation. */
  members: string[]
  /** Sum of the members: charges plus, refunds minus, whatever their status. */
  trueNetCents: string
  /** Null if the record can't be read. */
  reportedNetCents: string | null
  /** True if the reported net is the true one, and no unreadable record prevents the proof. */
  ties: boolean
  /** Codes of the discrepancies in it or in the records around it. */
  touchedBy: string[]
}

export interface Planted {
  code: string
  subjectType: 'settlement' | 'transaction'
  subjectId: string
  terminalId: string
  cause: string
  transactionIds: string[]
  /** For settlements computed minus reported; for a drift the new amount minus the old one. */
  amountCents: string
  /**
   * The first instant at which it can be seen; a PENDING_DRIFT only with an earlier observation.
   */
  from: string
  /** Settlements that it disturbs without being their subject. */
  touches: string[]
}

export interface Truth {
  seed: number
  now: string
  settlements: TruthSettlement[]
  planted: Planted[]
}

/** The truth at an instant: existing settlements and visible discrepancies. */
export function groundTruth(
  world: World,
  now: string,
  options: SimulatorOptions = world.options,
): Truth {
  const moment: Moment = { world, options, now: secondsOf(now) }
  const visible = world.plants.filter((plant) => visibleFrom(moment, plant) <= moment.now)
  const touches = codesBySettlement(moment)
  const settlements: TruthSettlement[] = []
  for (const [place, settlement] of world.settlements.entries()) {
    if (settlement.created > moment.now) break
    settlements.push(describeSettlement(moment, place, touches.get(place) ?? []))
  }
  return {
    seed: world.options.seed,
    now: instantText(moment.now),
    settlements,
    planted: visible.map((plant) => describePlant(moment, plant)),
  }
}

/** Writes it as one JSON document, settlement by settlement. */
export async function writeTruth(truth: Truth, file: string): Promise<void> {
  await pipeline(Readable.from(truthText(truth)), createWriteStream(file))
}

/** The JSON document in pieces of about a line each. */
export function* truthText(truth: Truth): Generator<string> {
  yield `{"seed":${truth.seed},"now":"${truth.now}",\n"settlements":[`
  yield* lines(truth.settlements)
  yield '],\n"planted":['
  yield* lines(truth.planted)
  yield ']}\n'
}

function* lines(items: readonly unknown[]): Generator<string> {
  for (const [place, item] of items.entries())
    yield `${place > 0 ? ',' : ''}\n${JSON.stringify(item)}`
}

function describeSettlement(moment: Moment, place: number, codes: string[]): TruthSettlement {
  const { world } = moment
  const settlement = itemAt(world.settlements, place)
  const reported = settlement.malformed === undefined ? reportedAt(moment, place) : undefined
  const unreadable = codes.includes('QUARANTINED')
  return {
    settlementId: settlement.id,
    terminalId: itemAt(world.terminals, settlement.terminal).id,
    created: instantText(settlement.created),
    completeAt: settlement.completeAt === NEVER ? null : instantText(settlement.completeAt),
    status: settlementStatusAt(moment, place),
    cutoff: instantText(settlement.cutoff),
    members: Array.from(membersOf(world.members, place), (row) => transactionId(world, row)),
    trueNetCents: String(settlement.net),
    reportedNetCents: reported === undefined ? null : String(reported),
    ties: reported === settlement.net && !unreadable,
    touchedBy: codes,
  }
}

/** Codes by settlement: of the discrepancies in itself, in its members, or next to it. */
function codesBySettlement({ world }: Moment): Map<number, string[]> {
  const found = new Map<number, string[]>()
  const touch = (place: number, code: string) => {
    const codes = found.get(place) ?? []
    if (place >= 0 && !codes.includes(code)) found.set(place, [...codes, code])
  }
  for (const plant of world.plants) {
    for (const place of plant.touches) touch(place, plant.code)
    if (plant.subject === 'settlement') touch(plant.settlement, plant.code)
    else touch(ownSettlement(world, plant), plant.code)
  }
  return found
}

/**
 * The settlement of a planted transaction. A malformed one is identified by the settlement that it
 * disturbs.
 */
function ownSettlement({ tx }: World, plant: Plant): number {
  const row = plant.transactions.at(-1) ?? 0
  const counted = at(tx.member, row) === 1 && at(tx.malformed, row) === MALFORMED.no
  return counted ? at(tx.settlement, row) : -1
}

function visibleFrom(moment: Moment, plant: Plant): number {
  if (plant.visible !== 'settled') return plant.visible
  return settledAt(moment, plant.transactions.at(-1) ?? 0)
}

function describePlant(moment: Moment, plant: Plant): Planted {
  const { world } = moment
  const row = plant.transactions.at(-1) ?? 0
  const ofSettlement = plant.subject === 'settlement'
  const settlement = ofSettlement ? itemAt(world.settlements, plant.settlement) : undefined
  const terminal = itemAt(world.terminals, settlement?.terminal ?? at(world.tx.terminal, row))
  return {
    code: plant.code,
    subjectType: plant.subject,
    subjectId: settlement?.id ?? transactionId(world, row),
    terminalId: terminal.id,
    cause: plant.cause,
    transactionIds: plant.transactions.map((each) => transactionId(world, each)),
    amountCents: String(plant.cents),
    from: instantText(visibleFrom(moment, plant)),
    touches: plant.touches.map((place) => itemAt(world.settlements, place).id),
  }
}
