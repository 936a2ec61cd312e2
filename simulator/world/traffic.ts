/**
 * Makes transactions with payers, amounts, terminals and times. Batches and planted discrepancies follow later.
 */
import { CHARGE, copySale, type Draft, INVOICE, REFUND, setAmounts, VERIFY } from './draft.ts'
import type { SimulatorOptions } from './options.ts'
import { at, itemAt, type Random, randomFrom } from './random.ts'
import type { Terminal } from './terminals.ts'
import { DAY_S, HOUR_S, NEVER, weekday } from './time.ts'

const HOUR_WEIGHT = [
  2, 1, 1, 1, 1, 2, 4, 7, 10, 12, 13, 14, 15, 14, 13, 13, 13, 14, 15, 14, 11, 8, 6, 4,
]
const WEEKDAY_WEIGHT = [7, 9, 9, 10, 11, 13, 12]
const SHARE = { verify: 0.01, refund: 0.07, declined: 0.02, voided: 0.01, held: 0.003 }
/** Charges that a refund may choose from, per terminal. */
const RECENT = 128
/** The service's window for duplicates is 600 seconds; natural traffic stays outside it. */
const APART_S = 660

/** Instants of creation in ascending order, by hour of the day and day of the week. */
export function arrivals(options: SimulatorOptions, start: number): Uint32Array {
  const random = randomFrom(options.seed, 100)
  const hours = options.days * 24
  const weight = (hour: number) =>
    itemAt(HOUR_WEIGHT, hour % 24) * itemAt(WEEKDAY_WEIGHT, weekday(start + hour * HOUR_S))
  let whole = 0
  for (let hour = 0; hour < hours; hour += 1) whole += weight(hour)
  const created = new Uint32Array(options.transactions)
  let [done, sum] = [0, 0]
  for (let hour = 0; hour < hours; hour += 1) {
    sum += weight(hour)
    const until = Math.round((options.transactions * sum) / whole)
    const count = until - done
    for (let place = 0; place < count; place += 1) {
      const offset = Math.floor(((place + random.unit()) / count) * HOUR_S)
      created[done + place] = start + hour * HOUR_S + offset
    }
    done = until
  }
  return created
}

interface Scene {
  draft: Draft
  random: Random
  /** The instant of each card's last use. */
  seen: Uint32Array
  /** Recent charges of each terminal, in a ring. */
  recent: Int32Array
  written: Uint32Array
}

/** Fills every column except those of the batches. */
export function generateTraffic(draft: Draft): void {
  const { tx, cards, terminals, options } = draft
  const scene: Scene = {
    draft,
    random: randomFrom(options.seed, 101),
    seen: new Uint32Array(cards.cards + cards.accounts),
    recent: new Int32Array(terminals.length * RECENT),
    written: new Uint32Array(terminals.length),
  }
  const shares = terminalShares(terminals)
  for (let row = 0; row < tx.count; row += 1) {
    tx.terminal[row] = itemAt(shares, scene.random.below(shares.length))
    tx.capturedAt[row] = at(tx.created, row)
    if (scene.random.unit() < 0.8) tx.invoice[row] = INVOICE.own
    fill(scene, row)
    scene.seen[at(tx.card, row)] = at(tx.created, row)
  }
}

/** A table in which each terminal has its share of the slots. */
function terminalShares(terminals: readonly Terminal[]): number[] {
  const whole = terminals.reduce((sum, terminal) => sum + terminal.weight, 0)
  return terminals.flatMap((terminal, index) => {
    const places = Math.max(1, Math.round((terminal.weight / whole) * 8192))
    return Array.from({ length: places }, () => index)
  })
}

function fill(scene: Scene, row: number): void {
  const { draft, random } = scene
  const { tx } = draft
  const terminal = itemAt(draft.terminals, at(tx.terminal, row))
  const action = random.unit()
  if (action < SHARE.verify && terminal.type === 'CARD') {
    tx.action[row] = VERIFY
    tx.card[row] = chooseCard(scene, row)
  } else if (action >= SHARE.refund || !refund(scene, row)) {
    charge(scene, row)
  }
}

function charge(scene: Scene, row: number): void {
  const { draft, random } = scene
  const { tx } = draft
  tx.action[row] = CHARGE
  tx.card[row] = chooseCard(scene, row)
  const terminal = itemAt(draft.terminals, at(tx.terminal, row))
  setAmounts(tx, row, price(terminal, random))
  const fate = random.unit()
  if (fate < SHARE.declined) tx.approved[row] = 0
  // Batching moves the void before the cut-off; until then any instant but NEVER marks it.
  else if (fate < SHARE.declined + SHARE.voided) tx.voidedAt[row] = at(tx.created, row)
  else if (fate < SHARE.declined + SHARE.voided + SHARE.held) tx.capturedAt[row] = NEVER
  else if (random.unit() < draft.options.lateCaptureRate) {
    tx.capturedAt[row] = at(tx.created, row) + DAY_S + random.below(2 * DAY_S)
  } else remember(scene, row)
}

function remember(scene: Scene, row: number): void {
  const terminal = at(scene.draft.tx.terminal, row)
  const written = at(scene.written, terminal)
  scene.recent[terminal * RECENT + (written % RECENT)] = row
  scene.written[terminal] = written + 1
}

/**
 * Refunds an earlier charge of the same card and terminal, completely or in part. Returns false if
 * there is none.
 */
function refund(scene: Scene, row: number): boolean {
  const { draft, random } = scene
  const { tx } = draft
  const terminal = at(tx.terminal, row)
  const choices = Math.min(at(scene.written, terminal), RECENT)
  const most = choices === 0 ? 0 : 4
  for (let tries = 0; tries < most; tries += 1) {
    const earlier = at(scene.recent, terminal * RECENT + random.below(choices))
    if (!isRefundable(scene, earlier, at(tx.created, row))) continue
    draft.refunded[earlier] = 1
    tx.action[row] = REFUND
    copySale(tx, earlier, row)
    if (random.unit() < 0.3) {
      setAmounts(tx, row, { base: 1 + random.below(at(tx.base, earlier)) })
    }
    return true
  }
  return false
}

function isRefundable(scene: Scene, earlier: number, now: number): boolean {
  const { tx, refunded } = scene.draft
  const age_s = now - at(tx.created, earlier)
  const isUnused = now - at(scene.seen, at(tx.card, earlier)) > APART_S
  return at(refunded, earlier) === 0 && age_s > HOUR_S && age_s < 300 * DAY_S && isUnused
}

/** Chooses a card: few cards are used often, and one that was just used is replaced. */
function chooseCard(scene: Scene, row: number): number {
  const { tx, terminals, cards } = scene.draft
  const ach = itemAt(terminals, at(tx.terminal, row)).type === 'ACH'
  const [first, size] = ach ? [cards.cards, cards.accounts] : [0, cards.cards]
  let place = Math.floor(size * scene.random.unit() ** 2.2)
  const before = at(tx.created, row) - APART_S
  for (let tries = 0; tries < size && at(scene.seen, first + place) >= before; tries += 1) {
    place = (place + 1) % size
  }
  return first + place
}

/** The price of a sale at this merchant. */
function price(terminal: Terminal, random: Random) {
  const base = basePrice(terminal, random)
  const tax = Math.floor((base * terminal.tax_bp + 5000) / 10_000)
  const shipping = terminal.ships ? random.pick([0, 499, 799, 1299]) : 0
  const tip = terminal.tips ? Math.floor((base * random.below(26)) / 100) : 0
  const surcharge = Math.floor(((base + tax + shipping + tip) * terminal.surcharge_bp) / 10_000)
  return { base, tax, shipping, tip, surcharge }
}

function basePrice(terminal: Terminal, random: Random): number {
  if (terminal.prices.length > 0 && random.unit() < 0.8) return random.pick(terminal.prices)
  const bell = random.unit() + random.unit() + random.unit() - 1.5
  const base = Math.round(terminal.typical_cents * Math.exp(1.6 * bell))
  return Math.max(100, base)
}
