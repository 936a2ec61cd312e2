/** A generated world: its terminals, transactions and settlements, and the errors that were planted in it. */
import type { SimulatorOptions } from './options.ts'
import type { CardPool } from './cards.ts'
import type { Transactions, Plant } from './draft.ts'
import type { Membership } from './batches.ts'
import type { Terminal } from './terminals.ts'

export interface World {
  options: SimulatorOptions
  /** First instant, and the one at which the world has nothing more to tell, in seconds. */
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
  /** Place of the terminal. */
  terminal: number
  created: number
  /** The true cut-off: what was captured until then is in. */
  cutoff: number
  /** PENDING until then. */
  completeAt: number
  /** The sum of its members, in cents. */
  net: bigint
  /** What amountNet says in the end. */
  reported: bigint
  /** What amountNet says until it changes. */
  drift?: { until: number; reported: bigint }
  /** What is wrong with the text of the record. */
  malformed?: 'decimals' | 'missing'
  /** Something lies in its transactions, so that nothing else may be planted here. */
  marked: boolean
}
