/** Plants settlements with a wrong amountNet. Each has one of the known causes, or none. */
import { membersOf } from './batches.ts'
import { CHARGE, MALFORMED, REFUND, signedCents } from './draft.ts'
import { plantCount, plantInstants } from './pick.ts'
import { at, type Column, itemAt, type Random } from './random.ts'
import { findSettlement, isFree, isTellable, neighbour, type Site } from './site.ts'
import { DAY_S, NEVER } from './time.ts'

/** The error of an amountNet, and the transactions behind it. */
interface Wrong {
  place: number
  off: number
  transactions: number[]
}

interface Scene {
  site: Site
  random: Random
  /** Declined transactions, and those with the status VOID or HOLD, in the window of a settlement. */
  outsiders: Map<number, number>
}

type Cause = (scene: Scene, place: number, ordinal: number) => Wrong[] | undefined

const CAUSES: Record<string, Cause> = {
  EXTRA_TRANSACTION: leaveOut,
  MISSING_TRANSACTION: countOutsider,
  COUNTED_TWICE: countTwice,
  REFUND_SIGN: mistakeRefund,
  COMPONENT_EXCLUDED: leaveOutComponent,
  CUTOFF_SHIFT: countInNext,
  WRONG_TERMINAL: countElsewhere,
  RANDOM: anything,
}

/** The number of wrong settlements per round: two of the causes make two settlements wrong. */
const SETTLEMENTS_PER_ROUND = Object.keys(CAUSES).length + 2

/** Plants each cause equally often. Together they reach the share of settlements that the options set. */
export function plantMismatches(site: Site, random: Random): void {
  const { world } = site
  const share = world.settlements.length * world.options.mismatchRate
  const count = Math.max(plantCount(world), Math.round(share / SETTLEMENTS_PER_ROUND))
  const scene = { site, random, outsiders: outsidersOf(site) }
  for (const [cause, make] of Object.entries(CAUSES)) {
    for (const [ordinal, instant] of plantInstants(world, count, random).entries()) {
      const wrong = findSettlement(site, instant, (place) =>
        tellable(site, make(scene, place, ordinal)),
      )
      for (const one of wrong ?? []) apply(site, cause, one)
    }
  }
}

function tellable(site: Site, wrong: Wrong[] | undefined): Wrong[] | undefined {
  return wrong?.every(({ place, off }) => off !== 0 && isTellable(site, place, BigInt(off))) ===
    true
    ? wrong
    : undefined
}

function apply({ world, taken }: Site, cause: string, wrong: Wrong): void {
  const settlement = itemAt(world.settlements, wrong.place)
  settlement.reported += BigInt(wrong.off)
  taken[wrong.place] = 1
  world.plants.push({
    code: 'AMOUNT_MISMATCH',
    cause,
    subject: 'settlement',
    transactions: wrong.transactions,
    settlement: wrong.place,
    cents: BigInt(-wrong.off),
    visible: settlement.completeAt,
    touches: [],
  })
}

function outsidersOf({ world }: Site): Map<number, number> {
  const { tx } = world
  const outsiders = new Map<number, number>()
  for (let row = 0; row < tx.count; row += 1) {
    const place = at(tx.settlement, row)
    if (place < 0 || at(tx.member, row) === 1 || at(tx.action, row) !== CHARGE) continue
    const unfit =
      at(tx.approved, row) === 0 ||
      at(tx.voidedAt, row) !== NEVER ||
      at(tx.capturedAt, row) === NEVER
    if (unfit && at(tx.malformed, row) === MALFORMED.no) outsiders.set(place, row)
  }
  return outsiders
}

/** Returns a charge whose amount no other member has, as close as possible to a position in the list of members. */
function nearestCharge({ site }: Scene, rows: Int32Array, wanted: number): number | undefined {
  const { tx } = site.world
  if (rows.length < 4) return undefined
  const suits = (row: number) =>
    at(tx.action, row) === CHARGE &&
    rows.every((other) => other === row || at(tx.total, other) !== at(tx.total, row))
  return [...rows.keys()]
    .toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))
    .map((place) => at(rows, place))
    .find((row) => suits(row))
}

function chargeInside(scene: Scene, place: number): number | undefined {
  const rows = membersOf(scene.site.world.members, place)
  return nearestCharge(scene, rows, Math.floor(rows.length / 2))
}

function leaveOut(scene: Scene, place: number): Wrong[] | undefined {
  const row = chargeInside(scene, place)
  if (row === undefined) return undefined
  return [{ place, off: -signedCents(scene.site.world.tx, row), transactions: [row] }]
}

function countTwice(scene: Scene, place: number): Wrong[] | undefined {
  const row = chargeInside(scene, place)
  if (row === undefined) return undefined
  return [{ place, off: signedCents(scene.site.world.tx, row), transactions: [row] }]
}

function countOutsider(scene: Scene, place: number): Wrong[] | undefined {
  const row = scene.outsiders.get(place)
  if (row === undefined) return undefined
  return [{ place, off: at(scene.site.world.tx.total, row), transactions: [row] }]
}

/** Adds a refund instead of subtracting it, or leaves it out, in turn. */
function mistakeRefund({ site }: Scene, place: number, ordinal: number): Wrong[] | undefined {
  const { tx, members } = site.world
  const row = membersOf(members, place).find((member) => at(tx.action, member) === REFUND)
  if (row === undefined) return undefined
  return [{ place, off: at(tx.total, row) * (ordinal % 2 === 0 ? 2 : 1), transactions: [row] }]
}

/** Leaves out one component of all members. At least two transactions must have it. */
function leaveOutComponent({ site }: Scene, place: number, ordinal: number): Wrong[] | undefined {
  const { tx, members } = site.world
  const parts: Column[] = [tx.tip, tx.tax, tx.shipping, tx.surcharge]
  const part = itemAt(parts, ordinal % parts.length)
  const transactions = [...membersOf(members, place)].filter(
    (row) => at(part, row) > 0 && signedCents(tx, row) !== 0,
  )
  if (transactions.length < 2) return undefined
  const sum = transactions.reduce(
    (all, row) => all + Math.sign(signedCents(tx, row)) * at(part, row),
    0,
  )
  return [{ place, off: -sum, transactions }]
}

/** Lets the next settlement count a charge shortly before the cut-off, but not directly at it. */
function countInNext(scene: Scene, place: number): Wrong[] | undefined {
  const { world } = scene.site
  const next = neighbour(scene.site, place, 1)
  if (next === undefined || !isFree(scene.site, next)) return undefined
  const rows = membersOf(world.members, place)
  const row = nearestCharge(scene, rows, rows.length - 3)
  if (row === undefined) return undefined
  const cents = signedCents(world.tx, row)
  const transactions = [row]
  return [
    { place, off: -cents, transactions },
    { place: next, off: cents, transactions },
  ]
}

/** Lets the settlement of another terminal, created at about the same time, count a charge. */
function countElsewhere(scene: Scene, place: number): Wrong[] | undefined {
  const { world } = scene.site
  const { settlements, terminals } = world
  const row = chargeInside(scene, place)
  if (row === undefined) return undefined
  const from = itemAt(settlements, place)
  const type = itemAt(terminals, from.terminal).type
  for (let other = place + 1; other < settlements.length; other += 1) {
    const to = itemAt(settlements, other)
    if (to.created > from.created + DAY_S) return undefined
    const alike = to.terminal !== from.terminal && itemAt(terminals, to.terminal).type === type
    if (!alike || !isFree(scene.site, other)) continue
    const cents = signedCents(world.tx, row)
    return [
      { place, off: -cents, transactions: [row] },
      { place: other, off: cents, transactions: [row] },
    ]
  }
  return undefined
}

/** Changes the net by an amount without an explanation. */
function anything({ site, random }: Scene, place: number): Wrong[] | undefined {
  if (membersOf(site.world.members, place).length < 2) return undefined
  const off = (100 + random.below(90_000)) * (random.below(2) === 0 ? 1 : -1)
  return [{ place, off, transactions: [] }]
}
