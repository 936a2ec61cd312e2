/** Small random terminals from a seed, on which one or two settlements are off, with a cause or without. */
import { type Random, randomFrom } from '../../../simulator/world/random.ts'
import type { LakeRecords, LakeSettlement, LakeTransaction } from './bulk-lake.ts'

const DAY_S = 86_400
const BEGIN_MS = Date.parse('1990-01-01T00:00:00Z')
/** Settlements of other terminals come into question up to three days away: cases of different slots never meet. */
const SLOT_DAYS = 10

const instantAt = (at_s: number) =>
  new Date(BEGIN_MS + at_s * 1000).toISOString().slice(0, 19).replace('T', ' ')

/** Amounts that meet one another often, sometimes, hardly ever, and so seldom that sets of four tell something. */
const AMOUNTS: Record<string, (random: Random) => number> = {
  equal: (random) => 500 * (1 + random.below(2)),
  small: (random) => 100 * (1 + random.below(8)),
  dense: (random) => 2000 + random.below(1000),
  wide: (random) => 500 + random.below(40_000),
  vast: (random) => 500 + random.below(9_000_000),
}

type Day = LakeTransaction[]

/** The events of a terminal each day before ten in the morning, and its settlements at ten in the evening. */
interface Terminal {
  id: number
  days: Day[]
  settlements: LakeSettlement[]
}

interface Drawing {
  random: Random
  amount: (random: Random) => number
  slot: number
  days: number
}

/** Cut-offs lie up to twelve hours before the evening, where nothing happens: only one way to cut is left. */
const atOf = ({ random, slot }: Drawing, day: number) =>
  instantAt((slot * SLOT_DAYS + day) * DAY_S + 6 * 3600 + random.below(3 * 3600))

const NOT_COUNTED = [
  { settled: false },
  { settled: false, approved: false },
  { settled: false, status: 'VOID' },
  { settled: false, status: 'HOLD' },
] as const

const PARTS = ['tip_cents', 'tax_cents', 'shipping_cents', 'surcharge_cents'] as const

function transactionOf(drawing: Drawing, terminal: number, day: number): LakeTransaction {
  const { random, amount } = drawing
  const kind = random.below(24)
  const cents = kind === 0 ? 0 : amount(random)
  const parts = PARTS.filter(() => random.below(4) === 0).map((part) => [
    part,
    1 + random.below(Math.max(1, Math.floor(cents / 8))),
  ])
  return {
    transaction_id: 0,
    terminal_id: terminal,
    created: atOf(drawing, day),
    signed_cents: random.below(5) === 0 ? -cents : cents,
    ...(kind < 5 ? random.pick(NOT_COUNTED) : {}),
    // A settled transaction counts, whatever its status is.
    ...(kind === 6 ? random.pick([{ status: 'VOID' as const }, { approved: false }]) : {}),
    ...(cents === 0 ? {} : Object.fromEntries(parts)),
  }
}

const isCounted = ({ settled }: LakeTransaction) => settled !== false
const netOf = (day: Day) =>
  day.filter(isCounted).reduce((sum, { signed_cents }) => sum + signed_cents, 0)

function terminalOf(drawing: Drawing, id: number): Terminal {
  const days = Array.from({ length: drawing.days }, (_, day) => {
    const one = transactionOf(drawing, id, day)
    const rest = Array.from({ length: drawing.random.below(6) }, () =>
      transactionOf(drawing, id, day),
    )
    return [{ ...one, settled: true }, ...rest]
  })
  days.flat().forEach((transaction, place) => {
    transaction.transaction_id = id * 100 + place
  })
  const settlements = days.map((day, place): LakeSettlement => {
    const at = (drawing.slot * SLOT_DAYS + place) * DAY_S + 22 * 3600
    const isLast = place === drawing.days - 1
    return {
      settlement_id: id * 10 + place,
      terminal_id: id,
      created: instantAt(at),
      net_cents: netOf(day),
      status: isLast && drawing.random.below(4) === 0 ? 'PENDING' : 'COMPLETE',
    }
  })
  return { id, days, settlements }
}

/** The amount that a cause takes from a reported net: computed less reported grows by it. */
type Cause = (random: Random, terminal: Terminal, day: number) => number

const someOf = (random: Random, list: readonly LakeTransaction[], count: number) => {
  const left = [...list]
  const taken: LakeTransaction[] = []
  while (taken.length < count && left.length > 0)
    taken.push(...left.splice(random.below(left.length), 1))
  return taken
}

/** Members left out, and others of three days around counted. */
const combination =
  (size: number): Cause =>
  (random, { days }, day) => {
    const pieces = [
      ...(days[day] ?? []).filter(isCounted),
      ...days
        .slice(Math.max(0, day - 3), day + 4)
        .flatMap((one) => one.filter((it) => !isCounted(it))),
    ]
    return someOf(random, pieces, size).reduce(
      (sum, one) => sum + (isCounted(one) ? 1 : -1) * one.signed_cents,
      0,
    )
  }

const ofOne =
  (times: number, which: (one: LakeTransaction) => boolean): Cause =>
  (random, { days }, day) =>
    times * (someOf(random, (days[day] ?? []).filter(which), 1)[0]?.signed_cents ?? 0)

const component: Cause = (random, { days }, day) => {
  const part = random.pick(PARTS)
  return (days[day] ?? [])
    .filter(isCounted)
    .reduce((sum, one) => sum + Math.sign(one.signed_cents) * (one[part] ?? 0), 0)
}

export const CAUSES: Readonly<Record<string, Cause>> = {
  extra: ofOne(1, isCounted),
  twice: ofOne(-1, isCounted),
  refund: ofOne(2, (one) => isCounted(one) && one.signed_cents < 0),
  missing: ofOne(-1, (one) => !isCounted(one)),
  component,
  two: combination(2),
  three: combination(3),
  four: combination(4),
  elsewhere: ofOne(1, isCounted),
  any: (random) => (random.below(2) === 0 ? 1 : -1) * (1 + random.below(40_000)),
}

/** The records of many cases: as many days of time as there are slots, so that a few meet one another. */
export function offCases(cases: number, first: number): LakeRecords {
  const terminals = Array.from({ length: cases }, (_, at) => offCase(first + at, cases)).flat()
  return {
    settlements: terminals.flatMap(({ settlements }) => settlements),
    transactions: terminals.flatMap(({ days }) => days.flat()),
  }
}

function offCase(seed: number, slots: number): Terminal[] {
  const random = randomFrom(seed, 78)
  const spread = random.pick(Object.keys(AMOUNTS))
  const drawing: Drawing = {
    random,
    amount: AMOUNTS[spread] ?? (() => 100),
    slot: random.below(slots),
    days: 4 + random.below(3),
  }
  const cause = random.pick(Object.keys(CAUSES))
  const others = cause === 'elsewhere' ? 1 + random.below(2) : 0
  const terminals = Array.from({ length: 1 + others }, (_, n) => terminalOf(drawing, seed * 10 + n))
  const day = random.below(drawing.days)
  const [first, ...rest] = terminals
  if (first === undefined) return []
  const cents = CAUSES[cause]?.(random, first, day) ?? 0
  // A difference of one cent more than a cause is no match.
  takeFrom(first, day, cents + (random.below(12) === 0 ? 1 : 0))
  for (const other of rest) takeFrom(other, random.below(drawing.days), -cents)
  if (random.below(8) === 0) {
    const again = random.below(drawing.days)
    takeFrom(first, again, CAUSES['extra']?.(random, first, again) ?? 0)
  }
  return terminals
}

function takeFrom({ settlements }: Terminal, day: number, cents: number): void {
  const settlement = settlements[day]
  if (settlement !== undefined) settlement.net_cents -= cents
}
