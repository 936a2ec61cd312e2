/**
 * Plants discrepancies of settlements: pending too long, changed while pending, unreadable, or with a wrong amount.
 */
import { membersOf } from './batches.ts'
import { plantMismatches } from './plant-mismatches.ts'
import { plantCount, plantInstants } from './pick.ts'
import { at, itemAt, type Random, randomFrom } from './random.ts'
import { findSettlement, type Site, siteOf } from './site.ts'
import { DAY_S, HOUR_S, midnightBefore, NEVER } from './time.ts'
import type { Settlement, World } from './generated-world.ts'

/** Days before the end of the world. Some settlements change on each of them. */
const DRIFT_DAYS = [3, 2, 1]

/** Plants all kinds. The amountNet of every other settlement is exactly the sum of its members. */
export function plantSettlements(world: World): void {
  const random = randomFrom(world.options.seed, 600)
  const site = siteOf(world)
  const count = plantCount(world)
  noteSpoiled(site)
  if (count > 0) {
    for (const day of DRIFT_DAYS) plantDrifts(site, day, random)
    plantStale(site, count, random)
    plantUnreadable(site, count, random)
  }
  if (world.options.mismatchRate > 0) plantMismatches(site, random)
}

/** Notes that a planted transaction, which is unreadable and settled, also affects its settlement. */
function noteSpoiled({ world, taken }: Site): void {
  for (const plant of world.plants) {
    const row = plant.transactions.at(-1) ?? 0
    if (plant.code !== 'QUARANTINED' || at(world.tx.member, row) === 0) continue
    const place = at(world.tx.settlement, row)
    plant.touches.push(place)
    taken[place] = 1
  }
}

/** Plants settlements that are PENDING at the begin of the day and change their amountNet during it. */
function plantDrifts(site: Site, daysLeft: number, random: Random): void {
  const { world, taken } = site
  const dayBegins = world.end - daysLeft * DAY_S
  const wanted = 3 + random.below(2)
  const fresh = [...world.settlements.entries()].filter(
    ([place, { created, marked }]) =>
      created >= dayBegins - DAY_S && created < dayBegins && !marked && at(taken, place) === 0,
  )
  for (const [ordinal, [place, settlement]] of fresh.slice(0, wanted).entries()) {
    const until = dayBegins + HOUR_S + random.below(22 * HOUR_S)
    const off = BigInt((500 + random.below(30_000)) * (ordinal % 2 === 0 ? 1 : -1))
    settlement.drift = { until, reported: settlement.reported + off }
    settlement.completeAt =
      ordinal % 2 === 0 ? until : until + 6 * HOUR_S + random.below(14 * HOUR_S)
    taken[place] = 1
    const cause = ordinal % 2 === 0 ? 'AT_COMPLETION' : 'WHILE_PENDING'
    record(world, { code: 'PENDING_DRIFT', cause, place, cents: -off, visible: until })
  }
}

/** Plants settlements that stay PENDING for good. */
function plantStale(site: Site, count: number, random: Random): void {
  for (const instant of plantInstants(site.world, count, random)) {
    const place = findSettlement(site, instant, (candidate) => candidate)
    if (place === undefined) continue
    const settlement = claim(site, place)
    settlement.completeAt = NEVER
    const visible = midnightBefore(settlement.created) + 4 * DAY_S
    record(site.world, {
      code: 'PENDING_STALE',
      cause: 'FOREVER',
      place,
      cents: settlement.net,
      visible,
    })
  }
}

/**
 * Plants an amountNet with three decimals, or none. Judged by the sums, the next settlement seems to contain the
 * members of both.
 */
function plantUnreadable(site: Site, count: number, random: Random): void {
  const { world } = site
  for (const [ordinal, instant] of plantInstants(world, Math.min(count, 4), random).entries()) {
    const several = (place: number) =>
      membersOf(world.members, place).length > 1 ? place : undefined
    const place = findSettlement(site, instant, several)
    if (place === undefined) continue
    const settlement = claim(site, place)
    settlement.malformed = ordinal % 2 === 0 ? 'decimals' : 'missing'
    const ordinalHere = at(site.ordinal, place)
    const next = site.ofTerminal[settlement.terminal]?.[ordinalHere + 1]
    record(world, {
      code: 'QUARANTINED',
      cause: 'amountNet',
      place,
      cents: settlement.net,
      visible: settlement.created,
    })
    if (next !== undefined) world.plants.at(-1)?.touches.push(next)
  }
}

function claim(site: Site, place: number): Settlement {
  site.taken[place] = 1
  return itemAt(site.world.settlements, place)
}

function record(
  world: World,
  plant: { code: string; cause: string; place: number; cents: bigint; visible: number },
): void {
  const { place, ...rest } = plant
  world.plants.push({
    ...rest,
    subject: 'settlement',
    settlement: place,
    transactions: [],
    touches: [],
  })
}
