/**
 * Goal: a world looks like a real account, and has only planted faults. Method: shares and sums over the
 * transactions of a seed.
 */
import { describe, expect, test } from 'vitest'
import { CHARGE, REFUND, signedCents, VERIFY } from '../../../simulator/world/draft.ts'
import { type PartialOptions, simulatorOptions } from '../../../simulator/world/options.ts'
import { groundTruth, truthText } from '../../../simulator/world/truth.ts'
import { generateWorld, worldEnd } from '../../../simulator/world/world.ts'
import { type World } from '../../../simulator/world/generated-world.ts'

const SMALL = { seed: 21, terminals: 10, transactions: 6000, days: 90 }
const make = (changes: PartialOptions = {}) =>
  generateWorld(simulatorOptions({ ...SMALL, ...changes }))
const truthOf = (world: World) =>
  [...truthText(groundTruth(world, worldEnd(world.options)))].join('')
const rowsOf = (world: World) => [...world.tx.created.keys()]
const NEVER = 0xffff_ffff

const about = (value: number, low: number, high: number) => {
  expect(value).toBeGreaterThan(low)
  expect(value).toBeLessThan(high)
}

const lateShare = (of: World) =>
  rowsOf(of).filter((row) => {
    const after = (of.tx.capturedAt[row] ?? 0) - (of.tx.created[row] ?? 0)
    return of.tx.capturedAt[row] !== NEVER && after >= 86_400 && after <= 3 * 86_400
  }).length / of.tx.count

const repeated = (world: World, terminal: number) => {
  const bases = rowsOf(world)
    .filter((row) => world.tx.terminal[row] === terminal)
    .map((row) => world.tx.base[row])
  return 1 - new Set(bases).size / bases.length
}

test('the same seed makes the same world, and another seed another one', () => {
  const [first, again, other] = [make(), make(), make({ seed: 22 })]
  expect(again.tx).toEqual(first.tx)
  expect(again.terminals).toEqual(first.terminals)
  expect(truthOf(again)).toBe(truthOf(first))
  expect(other.tx.total).not.toEqual(first.tx.total)
  expect(truthOf(other)).not.toBe(truthOf(first))
})

test('the switches of the service do not change the world', () => {
  const switched = make({
    settledFlips: 'complete',
    lastModifiedMoves: 'never',
    apiVersion: '2018-06-01',
    limitCap: 10,
  })
  expect(switched.tx).toEqual(make().tx)
})

test.each([
  { terminals: 1, transactions: 1, days: 1 },
  { terminals: 1, transactions: 200, days: 3 },
  { terminals: 3, transactions: 50, days: 30 },
  { terminals: 60, transactions: 500, days: 400 },
])('a world of any size can be made: %o', (size) => {
  const world = make(size)
  expect(world.tx.count).toBe(size.transactions)
  expect(world.terminals).toHaveLength(size.terminals)
  const last = Math.max(...world.tx.created)
  expect(Math.min(...world.tx.created)).toBeGreaterThanOrEqual(world.start)
  expect(last).toBeLessThan(world.end)
})

describe('an ordinary world', () => {
  const world = make()
  const { tx } = world
  const share = (holds: (row: number) => boolean) => rowsOf(world).filter(holds).length / tx.count

  test('transactions are in order of creation', () => {
    expect([...tx.created]).toEqual([...tx.created].toSorted((a, b) => a - b))
  })

  test('charges, refunds, verifications, declined transactions, voids and holds have their usual shares', () => {
    about(
      share((row) => tx.action[row] === CHARGE),
      0.88,
      0.95,
    )
    about(
      share((row) => tx.action[row] === REFUND),
      0.04,
      0.08,
    )
    about(
      share((row) => tx.action[row] === VERIFY),
      0.003,
      0.02,
    )
    about(
      share((row) => tx.approved[row] === 0),
      0.01,
      0.03,
    )
    about(
      share((row) => tx.voidedAt[row] !== NEVER),
      0.005,
      0.02,
    )
    about(
      share((row) => tx.capturedAt[row] === NEVER),
      0.001,
      0.01,
    )
  })

  test('the late capture rate is the share of transactions captured one to three days later', () => {
    expect(lateShare(make({ lateCaptureRate: 0 }))).toBe(0)
    expect(lateShare(make({ lateCaptureRate: 0.05 }))).toBeGreaterThan(0.03)
    expect(lateShare(make({ lateCaptureRate: 0.05 }))).toBeLessThan(0.06)
  })

  test('members of all settlements add up to the settled amount', () => {
    const settled = rowsOf(world)
      .filter((row) => tx.member[row] === 1)
      .reduce((sum, row) => sum + BigInt(signedCents(tx, row)), 0n)
    const nets = world.settlements.reduce((sum, { net }) => sum + net, 0n)
    expect(nets).toBe(settled)
  })

  test('an amountNet differs from its members only if that was planted', () => {
    const planted = world.plants
      .filter(({ code }) => code === 'AMOUNT_MISMATCH')
      .map(({ settlement }) => settlement)
    const wrong = [...world.settlements.entries()]
      .filter(([, { net, reported }]) => net !== reported)
      .map(([place]) => place)
    expect(wrong).toEqual(planted.toSorted((a, b) => a - b))
  })

  test('a settlement has members, and a void transaction is none unless that was planted', () => {
    const counts = new Map<number, number>()
    for (const row of rowsOf(world).filter((row) => tx.member[row] === 1)) {
      const place = tx.settlement[row] ?? -1
      counts.set(place, (counts.get(place) ?? 0) + 1)
    }
    expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual([...world.settlements.keys()])
    const voided = rowsOf(world).filter((row) => tx.voidedAt[row] !== NEVER && tx.member[row] === 1)
    const planted = world.plants
      .filter(({ code, cause }) => code === 'SETTLED_NOT_CAPTURED' && cause === 'VOID')
      .flatMap(({ transactions }) => transactions)
    expect(voided).toEqual(planted.toSorted((a, b) => a - b))
  })

  test('some merchants repeat a few prices again and again, and most do not', () => {
    const [subscriptions, others] = [true, false].map((fixed) =>
      [...world.terminals.keys()].filter(
        (place) => (world.terminals[place]?.prices.length ?? 0) > 0 === fixed,
      ),
    )
    expect(subscriptions?.length).toBeGreaterThan(0)
    expect(others?.length).toBeGreaterThan(subscriptions?.length ?? 0)
    for (const place of subscriptions ?? []) expect(repeated(world, place)).toBeGreaterThan(0.4)
    for (const place of others ?? []) expect(repeated(world, place)).toBeLessThan(0.25)
  })

  test('few cards pay often, and many pay rarely', () => {
    const uses = new Map<number, number>()
    for (const card of tx.card) uses.set(card, (uses.get(card) ?? 0) + 1)
    const counts = [...uses.values()].toSorted((a, b) => b - a)
    const top = counts
      .slice(0, Math.ceil(counts.length / 10))
      .reduce((sum, count) => sum + count, 0)
    expect(top / tx.count).toBeGreaterThan(0.25)
  })
})

test('a world without planted faults has no findings', () => {
  const world = make({ plantsPerKind: 0, mismatchRate: 0 })
  expect(world.plants).toEqual([])
  expect(
    world.settlements.every(
      ({ net, reported, malformed }) => net === reported && malformed === undefined,
    ),
  ).toBe(true)
})

test('the mismatch rate is about the share of settlements whose amountNet is wrong', () => {
  const world = make({ mismatchRate: 0.08, days: 200 })
  const wrong = world.settlements.filter(({ net, reported }) => net !== reported).length
  expect(wrong / world.settlements.length).toBeGreaterThan(0.05)
  expect(wrong / world.settlements.length).toBeLessThan(0.1)
})

test('no card is charged twice within 10 minutes by chance, however busy the service is', () => {
  const { tx } = make({ transactions: 20_000, days: 5, plantsPerKind: 0, mismatchRate: 0 })
  const seen = new Map<number, number>()
  const gaps_s = [...tx.card.entries()].flatMap(([row, card]) => {
    const now = tx.created[row] ?? 0
    const before = seen.get(card)
    seen.set(card, now)
    return before === undefined || tx.action[row] !== CHARGE ? [] : [now - before]
  })
  expect(gaps_s.length).toBeGreaterThan(10_000)
  expect(Math.min(...gaps_s)).toBeGreaterThan(600)
})

test('no natural refund over years exceeds the charges of its card within 12 months', () => {
  const { tx } = make({ transactions: 20_000, days: 900, plantsPerKind: 0, mismatchRate: 0 })
  const year_s = 365 * 86_400
  const ofCard = new Map<number, number[]>()
  let refunds = 0
  for (const [row, card] of tx.card.entries()) {
    const rows = [...(ofCard.get(card) ?? []), row]
    ofCard.set(card, rows)
    if (tx.action[row] !== REFUND) continue
    refunds += 1
    const left = rows
      .filter((other) => (tx.created[row] ?? 0) - (tx.created[other] ?? 0) <= year_s)
      .filter((other) => tx.approved[other] === 1 && tx.voidedAt[other] === NEVER)
      .reduce((sum, other) => sum + signedCents(tx, other), 0)
    expect(left).toBeGreaterThanOrEqual(0)
  }
  expect(refunds).toBeGreaterThan(500)
})
