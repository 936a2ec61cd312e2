/**
 * A world in the making: columns of plain integers, one row per transaction or batch, no object per
 * record.
 */
import type { CardPool } from './cards.ts'
import type { SimulatorOptions } from './options.ts'
import { at, lowerBound } from './random.ts'
import type { Terminal } from './terminals.ts'
import { NEVER } from './time.ts'

export const CHARGE = 0
export const REFUND = 1
export const VERIFY = 2

/** The origin of an invoice number. */
export const INVOICE = { none: 0, own: 1, canary: 2 } as const
/** The fault in the text of a record. */
export const MALFORMED = { no: 0, total: 1, created: 2 } as const

/** Rows in order of creation. Amounts are cents, instants are seconds. */
export interface Transactions {
  count: number
  created: Uint32Array
  /** Equal to created, or later if the transaction had the status HOLD first. NEVER while it still has. */
  capturedAt: Uint32Array
  voidedAt: Uint32Array
  terminal: Uint16Array
  action: Uint8Array
  approved: Uint8Array
  card: Int32Array
  base: Int32Array
  tax: Int32Array
  shipping: Int32Array
  tip: Int32Array
  surcharge: Int32Array
  total: Int32Array
  /** The settlement of its window (in a draft, the batch); -1 for none. */
  settlement: Int32Array
  /** 1 if the transaction is settled with that settlement. */
  member: Uint8Array
  invoice: Uint8Array
  malformed: Uint8Array
}

/** Candidates for settlements, by terminal and then in order of time. */
export interface Batches {
  created: Uint32Array
  cutoff: Uint32Array
  terminal: Uint16Array
  /** First batch of each terminal, and one more for the end. */
  first: number[]
  /** 1 for a batch with a planted discrepancy or out of order, where nothing else is planted. */
  marked: Uint8Array
}

/** A planted discrepancy. Its code decides which of the two subjects it has. */
export interface Plant {
  code: string
  cause: string
  subject: 'transaction' | 'settlement'
  /** The transactions involved. The last one is the subject. */
  transactions: number[]
  /** Index of the settlement in the world; -1 if a transaction is the subject. */
  settlement: number
  cents: bigint
  /** The first instant at which it is visible. `settled`: the option for the settled flag decides. */
  visible: number | 'settled'
  /** Settlements whose sums it disturbs without changing their amountNet. */
  touches: number[]
}

export interface Draft {
  options: SimulatorOptions
  start: number
  end: number
  terminals: Terminal[]
  cards: CardPool
  tx: Transactions
  batches: Batches
  /**
   * `refunded` marks charges of refunds. `used` marks records with a planted discrepancy. Both stay unchanged from
   * then on.
   */
  refunded: Uint8Array
  used: Uint8Array
  plants: Plant[]
}

export function emptyTransactions(count: number): Transactions {
  return {
    count,
    created: new Uint32Array(count),
    capturedAt: new Uint32Array(count),
    voidedAt: new Uint32Array(count).fill(NEVER),
    terminal: new Uint16Array(count),
    action: new Uint8Array(count),
    approved: new Uint8Array(count).fill(1),
    card: new Int32Array(count),
    base: new Int32Array(count),
    tax: new Int32Array(count),
    shipping: new Int32Array(count),
    tip: new Int32Array(count),
    surcharge: new Int32Array(count),
    total: new Int32Array(count),
    settlement: new Int32Array(count).fill(-1),
    member: new Uint8Array(count),
    invoice: new Uint8Array(count),
    malformed: new Uint8Array(count),
  }
}

/** The contribution of a transaction to amountNet, in cents. */
export function signedCents(tx: Transactions, row: number): number {
  const action = at(tx.action, row)
  if (action === VERIFY) return 0
  return action === REFUND ? -at(tx.total, row) : at(tx.total, row)
}

export interface Amounts {
  base: number
  tax?: number
  shipping?: number
  tip?: number
  surcharge?: number
}

/** Writes the parts and their exact sum. */
export function setAmounts(tx: Transactions, row: number, amounts: Amounts): void {
  const { base, tax = 0, shipping = 0, tip = 0, surcharge = 0 } = amounts
  tx.base[row] = base
  tx.tax[row] = tax
  tx.shipping[row] = shipping
  tx.tip[row] = tip
  tx.surcharge[row] = surcharge
  tx.total[row] = base + tax + shipping + tip + surcharge
}

/** Copies the amounts and the card. */
export function copySale(tx: Transactions, from: number, to: number): void {
  tx.card[to] = at(tx.card, from)
  setAmounts(tx, to, {
    base: at(tx.base, from),
    tax: at(tx.tax, from),
    shipping: at(tx.shipping, from),
    tip: at(tx.tip, from),
    surcharge: at(tx.surcharge, from),
  })
}

/**
 * Returns true for an approved charge that was captured at once, settled, and is in no other
 * discrepancy.
 */
export function isPlain(draft: Draft, row: number): boolean {
  const { tx } = draft
  return (
    at(tx.action, row) === CHARGE &&
    at(tx.member, row) === 1 &&
    at(tx.approved, row) === 1 &&
    at(tx.capturedAt, row) === at(tx.created, row) &&
    at(tx.voidedAt, row) === NEVER &&
    at(draft.refunded, row) === 0 &&
    at(draft.used, row) === 0
  )
}

/** Returns the batch of a terminal for an instant; -1 after the last. */
export function batchAt(batches: Batches, terminal: number, instant: number): number {
  const first = batches.first[terminal] ?? 0
  const end = batches.first[terminal + 1] ?? first
  const batch = first + lowerBound(batches.cutoff.subarray(first, end), instant)
  return batch < end ? batch : -1
}
