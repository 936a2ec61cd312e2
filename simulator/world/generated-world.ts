/** A generated world: its terminals, transactions and settlements, and the errors that were planted in it. */
import type { SimulatorOptions } from './options.ts'
import type { CardPool } from './cards.ts'
import type { Transactions, Plant } from './draft.ts'
import type { Membership } from './batches.ts'
import type { Terminal } from './terminals.ts'

export interface World {
  options: SimulatorOptions
  /** First instant, and the one after which nothing changes, in seconds. */
  start: number
  end: number
  terminals: Terminal[]
  cards: CardPool
  tx: Transactions
  /** In order of creation. */
  settlements: Settlement[]
  members: Membership
  plants: Plant[]
}

export interface Settlement {
  id: string
  /** Index of the terminal. */
  terminal: number
  created: number
  /** The true cut-off: transactions captured until then are in. */
  cutoff: number
  /** PENDING until then. */
  completeAt: number
  /** The sum of its members, in cents. */
  net: bigint
  /** The final amountNet. */
  reported: bigint
  /** The amountNet until it changes. */
  drift?: { until: number; reported: bigint }
  /** The fault in the text of the record. */
  malformed?: 'decimals' | 'missing'
  /**
   * True if one of its transactions has a planted discrepancy, so that no other may be planted
   * here.
   */
  marked: boolean
}
