/** Small random terminals with arithmetic that is as ambiguous as possible, from a seed. */
import { type Random, randomFrom } from '../../../simulator/world/random.ts'
import type { LakeRecords } from './bulk-lake.ts'
import type { Batch, Item, SmallCase } from './cut-offs.ts'

const DAY = 24 * 60
const MIDNIGHT_MS = Date.parse('2026-11-01T00:00:00Z')

export const instantAt = (minutes: number) =>
  new Date(MIDNIGHT_MS + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ')

export interface Made extends SmallCase {
  terminal: number
  kind: string
}

type Amounts = (random: Random) => number

/** Amounts that meet one another often, sometimes, or hardly ever. */
const AMOUNTS: Record<string, Amounts> = {
  equal: (random) => 500 * (1 + random.below(2)),
  small: (random) => 100 * (1 + random.below(8)),
  wide: (random) => 500 + random.below(40_000),
}

/** Late enough to straddle the cut-offs, or all over the day. */
const minuteOf = (random: Random, cut: number) =>
  random.below(2) === 0 ? cut - 150 + random.below(300) : cut - DAY + random.below(DAY)

/** The special transactions of a case, beside the ordinary ones. */
const EXTRAS = [
  'none',
  'pair',
  'verify',
  'late',
  'error',
  'twins',
  'ties',
  'late pair',
  'late verify',
  'late twins',
  'late ties',
] as const

function extraItems(kind: string, random: Random, cut: number): Omit<Item, 'id'>[] {
  const near = () => cut - 60 + random.below(120)
  const cents = 100 * (1 + random.below(60))
  switch (kind.replace('late ', '')) {
    case 'pair':
      return [
        { at: near(), cents },
        { at: near(), cents: -cents },
      ]
    case 'verify':
      return [{ at: near(), cents: 0 }]
    case 'twins':
      return [
        { at: cut - 5, cents },
        { at: cut + 5, cents },
      ]
    case 'ties':
      return [
        { at: cut, cents },
        { at: cut, cents: cents + 100 },
      ]
    default:
      return []
  }
}

/** A terminal of two to four days with at most fourteen transactions. */
export function smallCase(seed: number): Made {
  const random = randomFrom(seed, 77)
  const days = 2 + random.below(3)
  const spread = random.pick(['equal', 'small', 'wide'])
  const extra = random.pick(EXTRAS)
  const lag = random.below(6 * 60)
  const cuts = Array.from({ length: days }, (_, day) => (day + 1) * DAY + 30 - lag)
  const amount = AMOUNTS[spread] ?? (() => 100)
  const drawn: Omit<Item, 'id'>[] = []
  const some = 3 + random.below(9)
  for (let i = 0; i < some; i += 1) {
    const sign = random.below(6) === 0 ? -1 : 1
    drawn.push({ at: minuteOf(random, random.pick(cuts)), cents: sign * amount(random) })
  }
  drawn.push(...extraItems(extra, random, random.pick(cuts)))
  const items = drawn
    .filter(({ at }) => at > 0)
    .sort((a, b) => a.at - b.at)
    .map((item, place) => ({ ...item, id: seed * 100 + place }))
  const truth = items.map(({ at }) => cuts.filter((cut) => at > cut).length)
  if (extra.startsWith('late')) {
    const place = random.below(items.length)
    truth[place] = Math.min(days, (truth[place] ?? 0) + 1)
  }
  const batches: Batch[] = cuts.map((cut, day) => ({
    id: seed * 10 + day,
    at: cut + lag,
    net: items.reduce((sum, { cents }, place) => sum + (truth[place] === day ? cents : 0), 0),
  }))
  const wrong = batches[random.below(days)]
  if (extra === 'error' && wrong !== undefined) wrong.net += 100 * (1 + random.below(50))
  return { terminal: seed, kind: `${spread} ${extra}`, items, batches }
}

/** The cases as records of one account, each on a terminal of its own. */
export const recordsOf = (cases: readonly Made[]): LakeRecords => ({
  settlements: cases.flatMap(({ terminal, batches }) =>
    batches.map(({ id, at, net }) => ({
      settlement_id: id,
      terminal_id: terminal,
      created: instantAt(at),
      net_cents: net,
    })),
  ),
  transactions: cases.flatMap(({ terminal, items }) =>
    items.map(({ id, at, cents }) => ({
      transaction_id: id,
      terminal_id: terminal,
      created: instantAt(at),
      signed_cents: cents,
    })),
  ),
})
