/** A random world with cases for and against every rule of one record or of two. */
import { type Random, randomFrom } from '../../../../simulator/world/random.ts'

/** A row of a lake table: cents, ids and instants as numbers and text. */
export type Row = Record<string, string | number | boolean | null>

export interface World {
  transactions: Row[]
  settlements: Row[]
  terminals: Row[]
  unread: Row[]
}

const DAYS = 20
const FIRST_S = Date.parse('2026-11-01T00:00:00Z') / 1000
const DAY_S = 86_400

const instant = (at_s: number) => new Date(at_s * 1000).toISOString().slice(0, 19).replace('T', ' ')

const chance = (random: Random, share: number) => random.unit() < share

/** Every third terminal changes its settings in the landing of most transactions. */
const terminalRows = (random: Random, count: number): Row[] => [
  ...terminalVersions(random, count),
  ...terminalVersions(random, count)
    .filter((_, i) => i % 3 === 0)
    .map((row) => ({ ...row, landing_seq: 3 })),
]

function terminalVersions(random: Random, count: number): Row[] {
  return Array.from({ length: count }, (_, i) => ({
    terminal_id: i + 1,
    type: random.pick(['CARD', 'CARD', 'CARD', 'ACH', 'CARD_ACH']),
    surcharge_enabled: random.pick([true, true, false, null]),
    surcharge_percentage: random.pick(['3.0000', '2.7500', null]),
    acceptance: random.pick(['PPD,WEB', 'CCD', null]),
    // The last one has transactions, and the service doesn't list it.
  })).slice(0, count - 1)
}

function parts(random: Random): Row {
  const part = (share: number, limit: number) =>
    chance(random, share) ? random.below(limit) : random.pick([null, 0])
  const base = random.pick([500, 1000, 1500, 2500, 100 + random.below(40_000)])
  const [tax, shipping, tip] = [part(0.5, 300), part(0.1, 900), part(0.2, 500)]
  const before = base + (tax ?? 0) + (shipping ?? 0) + (tip ?? 0)
  // At the rate, a cent above it, and another cent: only the last one is over.
  const surcharge = chance(random, 0.2)
    ? Math.ceil((before * 3) / 100) + random.below(3)
    : random.pick([null, 0])
  const off = chance(random, 0.02) ? 1 + random.below(30) : 0
  return {
    base_cents: base,
    tax_cents: tax,
    shipping_cents: shipping,
    tip_cents: tip,
    surcharge_cents: surcharge,
    surcharge_percentage: random.pick([null, null, '3.0000']),
    total_cents: before + (surcharge ?? 0) + off,
  }
}

function transaction(random: Random, id: number, terminals: number): Row {
  const isCard = chance(random, 0.85)
  const at = FIRST_S + random.below(DAYS * DAY_S)
  const action = random.pick([
    ...Array.from({ length: 17 }, () => 'CHARGE'),
    'REFUND',
    'REFUND',
    'VERIFY',
  ])
  const amounts = parts(random)
  const isNothing = action === 'VERIFY' && chance(random, 0.8)
  const nothing = {
    base_cents: 0,
    tax_cents: null,
    shipping_cents: null,
    tip_cents: null,
    surcharge_cents: null,
    total_cents: 0,
  }
  return {
    ...amounts,
    ...(isNothing ? nothing : {}),
    transaction_id: id,
    terminal_id: 1 + random.below(terminals),
    action,
    status: random.pick([...Array.from({ length: 18 }, () => 'CAPTURE'), 'HOLD', 'VOID']),
    approved: !chance(random, 0.04),
    created_s: at,
    vault_type: isCard ? 'CARD' : 'ACH',
    ach_type: isCard ? null : random.pick(['PPD', 'CCD', 'WEB', null]),
    account_type: isCard ? random.pick(['VISA', 'MASTERCARD']) : null,
    last_four: isCard ? String(1000 + random.below(30 * terminals)) : null,
    billing_key: random.pick([null, 11, 12]),
    invoice_number: random.pick([null, '', 'A', 'B']),
  }
}

/** The same sale again: up to ten minutes later, on the second, and just after. */
const again = (random: Random, row: Row, id: number): Row => ({
  ...row,
  transaction_id: id,
  created_s: Number(row['created_s']) + random.pick([0, 300, 599, 600, 601]),
  invoice_number: random.pick([null, '', 'A', 'B']),
})

/** A charge on the refund's card a year before, to the second, or a second earlier or later. */
function yearAgo(random: Random, refund: Row, id: number): Row {
  const at = new Date(Number(refund['created_s']) * 1000)
  at.setUTCFullYear(at.getUTCFullYear() - 1)
  return {
    ...refund,
    transaction_id: id,
    action: 'CHARGE',
    status: random.pick(['CAPTURE', 'HOLD', 'VOID']),
    billing_key: random.pick([refund['billing_key'] ?? null, 13]),
    created_s: at.getTime() / 1000 + random.pick([-1, 0, 1]),
  }
}

const TWO_LARGE = [100_000_000, 100_000_001]

/** Cut-offs lie six hours or less before the settlement of half past midnight. */
function settle(random: Random, rows: Row[], terminals: number): Row[] {
  const settlements: Row[] = []
  for (let terminal = 1; terminal <= terminals; terminal += 1) {
    const lag = random.below(6 * 3600)
    const own = rows.filter((row) => row['terminal_id'] === terminal)
    for (let day = 1; day < DAYS; day += 1) {
      const created = FIRST_S + day * DAY_S + 1800
      const members = own.filter(({ created_s }) => {
        const at = Number(created_s)
        return at <= created - lag && (day === 1 || at > created - DAY_S - lag)
      })
      const net =
        settleMembers(random, members) + (chance(random, 0.03) ? 1 + random.below(9000) : 0)
      const isLast = day === DAYS - 1
      const row = {
        settlement_id: terminal * 1000 + day,
        terminal_id: terminal,
        created: instant(created),
        status: isLast || chance(random, 0.02) ? 'PENDING' : 'COMPLETE',
        net_cents: net,
        landing_seq: isLast && chance(random, 0.3) ? 6 : 2,
      }
      settlements.push(row)
      if (terminal > 1 && day === 3) {
        settlements.push({ ...row, terminal_id: terminal - 1, landing_seq: 1 })
      }
      if (chance(random, 0.2)) settlements.push(later(random, row))
    }
    // These transactions can be in no settlement.
    const after = own.filter(({ created_s }) => Number(created_s) > FIRST_S + DAYS * DAY_S - 3600)
    for (const row of after) row['settled'] = chance(random, 0.5)
  }
  return settlements
}

/** Another version: another amount, another status, or both. */
const later = (random: Random, row: Row): Row => ({
  ...row,
  net_cents: Number(row['net_cents']) + random.pick([0, 250]),
  status: random.pick(['COMPLETE', 'PENDING']),
  landing_seq: random.pick([4, 7]),
})

function settleMembers(random: Random, members: Row[]): number {
  let net = 0
  for (const row of members) {
    const isFine = row['approved'] === true && row['status'] === 'CAPTURE'
    if (!chance(random, isFine ? 0.98 : 0.05)) continue
    row['settled'] = true
    const total = Number(row['total_cents'])
    net += row['action'] === 'CHARGE' ? total : row['action'] === 'REFUND' ? -total : 0
  }
  return net
}

/** An earlier version: not settled yet, another amount or terminal, captured and not void, or settled and taken back. */
function earlier(random: Random, row: Row): Row {
  const change = random.pick<Row>([
    { settled: false },
    { settled: true },
    { settled: true, tip_cents: 77 },
    { settled: true, terminal_id: 2 },
    { settled: true, tip_cents: row['tip_cents'] ?? 0 },
    { settled: false, status: 'CAPTURE', approved: true },
  ])
  return { ...row, ...change, landing_seq: 1 }
}

/** A later version of some captured transactions: void before the time of the report, or after it. */
function voidedBesideReport(row: Row): Row[] {
  if (row['status'] !== 'CAPTURE') return []
  const day = 20 + (Number(row['transaction_id']) % 4)
  if (day === 20) return []
  return [{ ...row, status: 'VOID', last_modified: `2026-11-${day} 12:00:00`, landing_seq: 4 }]
}

/** Many transactions on some terminals, from a seed. */
export function randomWorld(seed: number, count: number): World {
  const random = randomFrom(seed, 5)
  const terminals = Math.max(4, Math.round(count / 300))
  const rows: Row[] = []
  for (let id = 1; rows.length < count; id += 3) {
    const row = transaction(random, id, terminals)
    rows.push(row)
    if (chance(random, 0.03)) rows.push(again(random, row, id + 1))
    if (row['action'] === 'REFUND' && chance(random, 0.3)) rows.push(yearAgo(random, row, id + 2))
    if (chance(random, 0.001)) row['base_cents'] = random.pick(TWO_LARGE)
  }
  const settlements = settle(random, rows, terminals)
  const [first = {}] = rows
  const future = { created_s: FIRST_S + 400 * DAY_S, settled: false }
  rows.push({ ...first, ...future, transaction_id: 8_000_000_001 })
  settlements.push({
    ...{ settlement_id: 8_000_000_002, terminal_id: 1, created: instant(future.created_s) },
    ...{ status: 'COMPLETE', net_cents: 15_650, landing_seq: 2 },
  })
  const seen = rows.map((row) => ({
    ...row,
    created: instant(Number(row['created_s'])),
    settled: row['settled'] === true,
    landing_seq: 3,
    last_modified: null,
  }))
  return {
    transactions: [
      ...seen.filter(() => chance(random, 0.03)).map((row) => earlier(random, row)),
      ...seen,
      ...seen.filter(({ settled }) => !settled).flatMap(voidedBesideReport),
    ],
    settlements,
    terminals: terminalRows(random, terminals),
    unread: [
      { list: 'transactions', subject_id: '2', terminal_id: 1, created: '2025-11-20 12:00:00' },
      { list: 'settlements', subject_id: '999999', terminal_id: 1, created: '2026-11-05 00:30:00' },
      { list: 'transactions', subject_id: '1', terminal_id: 1, created: '2026-11-05 12:00:00' },
    ],
  }
}
