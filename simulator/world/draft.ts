/**
 * A world while it is being made: columns of plain integers, one row per transaction or batch, no
 * object per record.
 */
import type { CardPool } from './cards.ts'
import type { SimulatorOptions } from './options.ts'
import { at, lowerBound } from './random.ts'
import type { Terminal } from './terminals.ts'
import { NEVER } from './time.ts'

export const CHARGE = 0
export const REFUND = 1
export const VERIFY = 2

/** How an invoice number came about. */
export const INVOICE = { none: 0, own: 1, canary: 2 } as const
/** What is wrong with the text of a record. */
export const MALFORMED = { no: 0, total: 1, created: 2 } as const

/** Rows in order of creation. Amounts are cents, instants are seconds. */
export interface Transactions {
  count: number
  created: Uint32Array
  /** Equal to created unless it was held first; NEVER while it stays held. */
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
  /** The settlement whose window it falls into, a batch in a draft; -1 for none. */
  settlement: Int32Array
  /** 1 if it is settled with that settlement. */
  member: Uint8Array
  invoice: Uint8Array
  malformed: Uint8Array
}

/** What may become a settlement: per terminal in order of time, terminal after terminal. */
export interface Batches {
  created: Uint32Array
  cutoff: Uint32Array
  terminal: Uint16Array
  /** First batch of each terminal, and one more for the end. */
  first: number[]
  /** 1 where something was planted, or out of order, so that nothing else is planted there. */
  marked: Uint8Array
}

/** A discrepancy that was planted. Which of the two subjects it has depends on the code. */
export interface Plant {
  code: string
  cause: string
  subject: 'transaction' | 'settlement'
  /** The subject is the last one. */
  transactions: number[]
  /** Place in the world's settlements; -1 for a transaction's. */
  settlement: number
  cents: bigint
  /** When anyone can first see it; `settled` depends on a switch. */
  visible: number | 'settled'
  /** Settlements whose arithmetic it disturbs without changing their amountNet. */
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
   * Charges that a refund refers to, and records that a discrepancy was planted in: left alone
   * from then on.
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

/** What a transaction adds to amountNet, in cents. */
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

/** Copies what was paid and with which card. */
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

/** An approved charge, captured at once, settled, and not yet part of any other story. */
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

/** The batch of a terminal that takes in what happens at an instant; -1 after the last. */
export function batchAt(batches: Batches, terminal: number, instant: number): number {
  const first = batches.first[terminal] ?? 0
  const end = batches.first[terminal + 1] ?? first
  const batch = first + lowerBound(batches.cutoff.subarray(first, end), instant)
  return batch < end ? batch : -1
}
