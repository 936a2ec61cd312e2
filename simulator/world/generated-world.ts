/** A generated world: its terminals, transactions and settlements, and the planted discrepancies. */
import type { SimulatorOptions } from './options.ts'
import type { CardPool } from './cards.ts'
import type { Transactions, Plant } from './draft.ts'
import type { Membership } from './batches.ts'
import type { Terminal } from './terminals.ts'

export interface World {
  options: SimulatorOptions
  /** The first instant, and the one after which nothing changes, in seconds. */
  start: number
  end: number
  terminals: Terminal[]
  cards: CardPool
  tx: Transactions
  /** The settlements, in order of creation. */
  settlements: Settlement[]
  members: Membership
  plants: Plant[]
}

export interface Settlement {
  id: string
  /** Index of the terminal. */
  terminal: number
  created: number
  /** The true cut-off. Transactions that were captured up to this time are members. */
  cutoff: number
  /** The status is PENDING until this time. */
  completeAt: number
  /** The sum of its members, in cents. */
  net: bigint
  /** The final amountNet. */
  reported: bigint
  /** A different amountNet, which the settlement has until `until`. */
  drift?: { until: number; reported: bigint }
  /** The fault in the text of the record. */
  malformed?: 'decimals' | 'missing'
  /** True if one of its transactions has a planted discrepancy. No other may be planted in this settlement. */
  marked: boolean
}
