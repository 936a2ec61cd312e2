/** The terminals of the account: the sales, the batches and the fields of each merchant. */
import type { SimulatorOptions } from './options.ts'
import { hash32, itemAt } from './random.ts'
import { DAY_S, HOUR_S } from './time.ts'

export interface Terminal {
  /** Digits; one lies beyond 2^53. */
  id: string
  nickName: string
  type: 'CARD' | 'ACH'
  enabled: boolean
  accountId: string
  companyDba: string
  companyLegal: string
  merchantNumber: string
  /** Hundredths of a percent; 0 where surcharge is not enabled. */
  surcharge_bp: number
  surchargeTaxable: boolean
  /** ACH codes; empty for cards. */
  acceptance: readonly string[]
  /** The interface shows a single value in one place and an array in another. */
  acceptanceAsArray: boolean
  /** Share of the account's traffic. */
  weight: number
  /** The prices of a subscription, in cents; empty if every sale differs. */
  prices: readonly number[]
  typical_cents: number
  tax_bp: number
  tips: boolean
  ships: boolean
  /** Time of day at which settlements are created. */
  closes_s: number
  /** The time from the batch's cut-off to the settlement. */
  lag_s: number
  skipsWeekends: boolean
  /** True if verifications are batched with the sales. */
  batchesVerify: boolean
}

const TRADES = [
  'Bakery',
  'Bikes',
  'Books',
  'Café',
  'Dental',
  'Fitness',
  'Florist',
  'Garage',
  'Hotel',
  'Music',
  'Optics',
  'Pharmacy',
  'Software',
  'Tools',
  'Toys',
  'Travel',
]
const PLACES = ['North', 'Harbor', 'Central', 'Lakeside', 'Airport', 'Old Town']
const PRICE_LISTS = [
  [999, 1999, 2999, 4999],
  [500, 1000, 1500, 2500],
  [1495, 2995, 9900],
]
const ACCEPTANCE = [['PPD'], ['PPD', 'CCD'], ['PPD', 'CCD', 'WEB'], ['CCD'], ['WEB', 'PPD']]

/** The terminals in order of their ids. */
export function generateTerminals(options: SimulatorOptions): Terminal[] {
  const ranks = Array.from({ length: options.terminals }, (_, index) => index)
  ranks.sort((a, b) => hash32(options.seed, a, 1) - hash32(options.seed, b, 1))
  return ranks.map((rank, index) => terminalOf(options, { index, rank }))
}

/**
 * The weight of a terminal: few are busy, many have little traffic, and one in twenty hardly sells
 * at all.
 */
function weightOf(rank: number, terminals: number): number {
  const share = 1 / (rank + 1) ** 0.7
  return rank >= terminals - Math.ceil(terminals / 20) && terminals > 2 ? share * 0.15 : share
}

function terminalOf(options: SimulatorOptions, place: { index: number; rank: number }): Terminal {
  const { index, rank } = place
  const draw = (purpose: number, limit: number) => hash32(options.seed, index, purpose) % limit
  const ach = index % 5 === 4
  const name = `${itemAt(PLACES, draw(2, PLACES.length))} ${itemAt(TRADES, index % TRADES.length)}`
  const last = index === options.terminals - 1
  return {
    id: last ? `90071992547${41_000 + draw(3, 900)}` : String(1_100_000 + index * 37 + draw(3, 37)),
    nickName: `${name} ${index + 1}`,
    type: ach ? 'ACH' : 'CARD',
    enabled: index % 17 !== 11,
    accountId: uuidOf(options.seed, index),
    companyDba: name,
    companyLegal: `${name} LLC`,
    merchantNumber: String(88_000_000_000 + index * 1013),
    surcharge_bp: !ach && index % 4 === 1 ? 250 + 50 * draw(4, 3) : 0,
    surchargeTaxable: draw(5, 2) === 0,
    acceptance: ach ? itemAt(ACCEPTANCE, Math.floor(index / 5) % ACCEPTANCE.length) : [],
    acceptanceAsArray: Math.floor(index / 5) % 2 === 1,
    weight: weightOf(rank, options.terminals),
    ...selling(index, draw),
    ...batching(index, draw),
  }
}

type Draw = (purpose: number, limit: number) => number

function selling(index: number, draw: Draw) {
  return {
    prices: index % 5 === 3 ? itemAt(PRICE_LISTS, draw(6, PRICE_LISTS.length)) : [],
    typical_cents: 1500 + draw(7, 12_000),
    tax_bp: index % 3 === 2 ? 0 : 500 + 25 * draw(8, 18),
    tips: index % 5 === 0 || index % 5 === 1,
    ships: index % 5 === 2,
  }
}

function batching(index: number, draw: Draw) {
  return {
    closes_s: draw(9, DAY_S),
    lag_s: draw(10, 6 * HOUR_S),
    skipsWeekends: index % 6 === 2 || index % 10 === 9,
    batchesVerify: index % 4 === 2,
  }
}

function uuidOf(seed: number, index: number): string {
  const word = (purpose: number) => hash32(seed, index, purpose).toString(16).padStart(8, '0')
  const [a, b, c, d] = [word(11), word(12), word(13), word(14)]
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`
}
