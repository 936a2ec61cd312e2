/**
 * Goal: the truth of a world is what its service shows. Method: each settlement and planted fault, found again by a
 * plain reading.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulatorOptions } from '../../../simulator/world/options.ts'
import { type Simulator, startSimulator } from '../../../simulator/service/server.ts'
import { type Truth, type TruthSettlement, writeTruth } from '../../../simulator/world/truth.ts'
import { generateWorld, worldEnd } from '../../../simulator/world/world.ts'
import { isSettled, type Row, walk } from './client.ts'
import { centsOf, readPlainly } from './plain-reading.ts'

const DAY_MS = 86_400_000
const OPTIONS = simulatorOptions({ seed: 3, terminals: 12, transactions: 9000, days: 426 })
const END = worldEnd(OPTIONS)
const daysBefore = (days: number) => new Date(Date.parse(END) - days * DAY_MS).toISOString()

const vault = (row: Row | undefined) => JSON.stringify(row?.vault)

const signed = (row: Row) => {
  const total = centsOf(row.amountTotal) ?? 0n
  return row.action === 'CHARGE' ? total : row.action === 'REFUND' ? -total : 0n
}

describe('at the end of a world', () => {
  let simulator: Simulator
  let truth: Truth
  let transactions: Map<string, Row>
  let settlements: Map<string, Row>
  let settled: TruthSettlement[]
  beforeAll(async () => {
    simulator = await startSimulator(OPTIONS)
    truth = simulator.truth()
    const read = await walk(simulator, 'transactions')
    transactions = new Map(read.rows.map((row) => [row.transactionId ?? '', row]))
    const batches = await walk(simulator, 'settlements')
    settlements = new Map(batches.rows.map((row) => [row.settlementId ?? '', row]))
    settled = truth.settlements
  })
  afterAll(() => simulator.stop())

  const createdOf = (id: string) => (transactions.get(id) ?? settlements.get(id))?.created ?? ''
  const membersOf = ({ members }: TruthSettlement) =>
    members.flatMap((id) => transactions.get(id) ?? [])

  test('the truth lists exactly the settlements that are served', () => {
    expect(settled.map(({ settlementId }) => settlementId).toSorted()).toEqual(
      [...settlements.keys()].toSorted(),
    )
    for (const { settlementId, terminalId, created, status } of settled) {
      expect(settlements.get(settlementId)).toMatchObject({ terminalId, created, status })
    }
  })

  test('a settlement that ties reports the sum of its members, and they are all settled', () => {
    const tying = settled.filter(({ ties }) => ties)
    expect(tying.length).toBeGreaterThan(settled.length * 0.9)
    for (const settlement of tying) {
      const members = membersOf(settlement)
      const sum = members.reduce((all, row) => all + signed(row), 0n)
      const net = String(settlements.get(settlement.settlementId)?.amountNet)
      expect(String(sum)).toBe(settlement.reportedNetCents)
      expect(settlement.trueNetCents).toBe(settlement.reportedNetCents)
      expect(Number(net)).toBe(Number(sum) / 100)
      expect(members.every((row) => isSettled(row))).toBe(true)
      expect(members.every((row) => row.terminalId === settlement.terminalId)).toBe(true)
    }
  })

  test('a settlement that does not tie has a planted fault, and names it', () => {
    const untied = settled.filter(({ ties }) => !ties)
    expect(untied.length).toBeGreaterThan(10)
    for (const { touchedBy } of untied) expect(touchedBy).not.toEqual([])
  })

  test('every settled transaction is in exactly one settlement', () => {
    const members = settled.flatMap((settlement) => settlement.members)
    const flagged = [...transactions.values()]
      .filter((row) => isSettled(row))
      .map((row) => row.transactionId ?? '')
    expect(members.toSorted()).toEqual(flagged.toSorted())
  })

  test('every member was captured between the previous cut-off and its own', () => {
    const before = new Map<string, string>()
    for (const settlement of settled) {
      const last = before.get(settlement.terminalId) ?? ''
      before.set(settlement.terminalId, settlement.cutoff)
      expect(settlement.cutoff <= settlement.created).toBe(true)
      for (const row of membersOf(settlement)) {
        const captured = row.lastModified
        expect(captured > last && captured <= settlement.cutoff).toBe(true)
      }
    }
    const lag_ms = settled.map(({ created, cutoff }) => Date.parse(created) - Date.parse(cutoff))
    expect(Math.max(...lag_ms)).toBeGreaterThan(2 * 3_600_000)
    expect(Math.max(...lag_ms)).toBeLessThanOrEqual(6.5 * 3_600_000)
  })

  test('some settlements come to zero, some are negative, and terminals skip weekends', () => {
    const nets = settled.map(({ trueNetCents }) => BigInt(trueNetCents))
    expect(nets.filter((net) => net === 0n).length).toBeGreaterThan(0)
    expect(nets.filter((net) => net < 0n).length).toBeGreaterThan(0)
    const skipping = simulator.world.terminals.filter(({ skipsWeekends }) => skipsWeekends)
    expect(skipping.length).toBeGreaterThan(0)
    const weekends = settled.filter(
      ({ terminalId, created }) =>
        skipping.some(({ id }) => id === terminalId) &&
        [0, 6].includes(new Date(created).getUTCDay()),
    )
    expect(weekends).toEqual([])
  })

  test('a plain reading of the transactions finds all planted faults, and nothing else', () => {
    const planted = truth.planted
      .filter(({ subjectType }) => subjectType === 'transaction')
      .map(({ code, subjectId }) => `${code} ${subjectId}`)
    expect(readPlainly([...transactions.values()], END)).toEqual(planted.toSorted())
  })

  test('a CERTAIN breach exceeds all charges with its brand and last four digits, and a SUSPECTED one does not', () => {
    const breaches = truth.planted.filter(({ code }) => code === 'REFUND_CEILING_BREACH')
    for (const { cause, subjectId } of breaches) {
      const refund = transactions.get(subjectId)
      const charged = [...transactions.values()]
        .filter((row) => vault(row) === vault(refund) && row.action === 'CHARGE')
        .reduce((all, row) => all + signed(row), 0n)
      expect((refund === undefined ? 0n : -signed(refund)) > charged).toBe(cause === 'CERTAIN')
    }
    expect(new Set(breaches.map(({ cause }) => cause))).toEqual(new Set(['CERTAIN', 'SUSPECTED']))
  })

  test('an AMOUNT_MISMATCH is off by exactly the amount in the truth, for the reason in the truth', () => {
    const mismatches = truth.planted.filter(({ code }) => code === 'AMOUNT_MISMATCH')
    for (const { cause, subjectId, amountCents, transactionIds } of mismatches) {
      const settlement = settled.find(({ settlementId }) => settlementId === subjectId)
      const { trueNetCents = '', reportedNetCents = '' } = settlement ?? {}
      expect(BigInt(trueNetCents) - BigInt(reportedNetCents ?? '')).toBe(BigInt(amountCents))
      const [row] = transactionIds.map((id) => transactions.get(id))
      const amount = row === undefined ? 0n : signed(row)
      const inside = settlement?.members.includes(transactionIds[0] ?? '') === true
      const expected: Record<string, [boolean, bigint[]]> = {
        EXTRA_TRANSACTION: [true, [amount]],
        COUNTED_TWICE: [true, [-amount]],
        MISSING_TRANSACTION: [false, [-amount]],
        REFUND_SIGN: [true, [amount, 2n * amount]],
        CUTOFF_SHIFT: [inside, [amount, -amount]],
        WRONG_TERMINAL: [inside, [amount, -amount]],
      }
      const [within, amounts] = expected[cause] ?? [inside, [BigInt(amountCents)]]
      expect([inside, amounts.map(String)]).toEqual([within, expect.arrayContaining([amountCents])])
      if (cause === 'CUTOFF_SHIFT' || cause === 'WRONG_TERMINAL') {
        const both = mismatches.filter(({ transactionIds: [id] }) => id === transactionIds[0])
        expect(both).toHaveLength(2)
        expect(both.reduce((sum, one) => sum + BigInt(one.amountCents), 0n)).toBe(0n)
      }
    }
  })

  const causes = {
    AMOUNT_MISMATCH: [
      'EXTRA_TRANSACTION',
      'MISSING_TRANSACTION',
      'COUNTED_TWICE',
      'REFUND_SIGN',
      'COMPONENT_EXCLUDED',
      'CUTOFF_SHIFT',
      'WRONG_TERMINAL',
      'RANDOM',
    ],
    PENDING_STALE: ['FOREVER'],
    PENDING_DRIFT: ['WHILE_PENDING', 'AT_COMPLETION'],
    REFUND_CEILING_BREACH: ['CERTAIN', 'SUSPECTED'],
    TOTAL_MISMATCH: ['PARTS'],
    UNSETTLED_AGED: ['NEVER_BATCHED'],
    SETTLED_NOT_CAPTURED: ['HOLD', 'VOID'],
    SETTLED_NOT_APPROVED: ['DECLINED'],
    VERIFY_NONZERO: ['AMOUNT'],
    DUPLICATE_CHARGE: ['NO_INVOICE', 'ONE_INVOICE'],
    AMOUNT_OVER_LIMIT: ['amountBase'],
    QUARANTINED: ['amountTotal', 'created', 'amountNet'],
  }

  test.each(Object.entries(causes))('%s is planted at least three times: %s', (code, expected) => {
    const planted = truth.planted.filter((one) => one.code === code)
    expect(new Set(planted.map(({ cause }) => cause))).toEqual(new Set(expected))
    for (const cause of expected) {
      const group =
        code === 'AMOUNT_MISMATCH' || code === 'REFUND_CEILING_BREACH' || code === 'QUARANTINED'
      const some = planted.filter((one) => !group || one.cause === cause)
      expect(some.length).toBeGreaterThanOrEqual(3)
    }
  })

  test('every kind has a case within the last 35 days, so that a nightly run meets it', () => {
    const since = daysBefore(35)
    const recent = truth.planted.filter(({ subjectId }) => createdOf(subjectId) >= since)
    for (const [code, expected] of Object.entries(causes)) {
      for (const cause of code === 'SETTLED_NOT_CAPTURED' || code === 'DUPLICATE_CHARGE'
        ? []
        : expected) {
        expect(recent.map((one) => `${one.code} ${one.cause}`)).toContain(`${code} ${cause}`)
      }
      expect(recent.map((one) => one.code)).toContain(code)
    }
  })

  test('few records are unreadable, and the truth names the settlements that they affect', () => {
    const unreadable = truth.planted.filter(({ code }) => code === 'QUARANTINED')
    expect(unreadable.length).toBeLessThan(20)
    const disturbed = new Set(unreadable.flatMap(({ touches }) => touches))
    expect(disturbed.size).toBeGreaterThan(0)
    for (const settlement of settled) {
      if (!disturbed.has(settlement.settlementId)) continue
      expect(settlement.ties).toBe(false)
      expect(settlement.touchedBy).toContain('QUARANTINED')
    }
    const nets = [...settlements.values()].map((row) => row.amountNet)
    expect(nets.filter((net) => net === undefined).length).toBeGreaterThan(0)
    expect(nets.filter((net) => /\.\d{3}$/.test(String(net))).length).toBeGreaterThan(0)
  })

  test('the truth is written to a file as one JSON document', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'truth-'))
    try {
      await writeTruth(truth, join(folder, 'truth.json'))
      expect(JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8'))).toEqual(truth)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

test('amounts of pending settlements change from night to night over the last three days', async () => {
  const simulator = await startSimulator(OPTIONS, { now: daysBefore(3) })
  const nights: Map<string, Row>[] = []
  for (const days of [3, 2, 1, 0]) {
    simulator.advanceTo(daysBefore(days))
    const { rows } = await walk(simulator, 'settlements')
    nights.push(new Map(rows.map((row) => [row.settlementId ?? '', row])))
  }
  const changedAt = (night: number) =>
    [...(nights[night - 1]?.values() ?? [])]
      .filter((row) => row.amountNet !== nights[night]?.get(row.settlementId ?? '')?.amountNet)
      .map((row) => {
        expect(row.status).toBe('PENDING')
        return row.settlementId ?? ''
      })
  const drifts = simulator.truth().planted.filter(({ code }) => code === 'PENDING_DRIFT')
  const changed = [1, 2, 3].map(changedAt)
  for (const ids of changed) expect(ids.length).toBeGreaterThan(1)
  expect(changed.flat().toSorted()).toEqual(drifts.map(({ subjectId }) => subjectId).toSorted())
  for (const { subjectId, amountCents } of drifts) {
    const night = changed.findIndex((ids) => ids.includes(subjectId))
    const net = (at: number) => Number(nights[at]?.get(subjectId)?.amountNet)
    expect(Math.round((net(night + 1) - net(night)) * 100)).toBe(Number(amountCents))
  }
  await simulator.stop()
})

test('a settlement planted to stay PENDING is never COMPLETE', async () => {
  const world = generateWorld(OPTIONS)
  const simulator = await startSimulator(OPTIONS, { world, now: '2030-01-01T00:00:00Z' })
  const { rows } = await walk(simulator, 'settlements')
  const pending = rows
    .filter((row) => row.status === 'PENDING')
    .map((row) => row.settlementId ?? '')
  const stale = simulator.truth().planted.filter(({ code }) => code === 'PENDING_STALE')
  expect(pending.toSorted()).toEqual(stale.map(({ subjectId }) => subjectId).toSorted())
  await simulator.stop()
})

test('a planted fault is in the truth only from the instant at which it can be seen', async () => {
  const simulator = await startSimulator(OPTIONS, { now: daysBefore(20) })
  const early = simulator.truth()
  simulator.advanceTo(END)
  const late = simulator.truth()
  expect(early.planted.length).toBeLessThan(late.planted.length)
  expect(late.planted.filter(({ from }) => Date.parse(from) <= Date.parse(early.now))).toEqual(
    early.planted,
  )
  await simulator.stop()
})
