/** The ways in which a service may order its lists and set its flags, each with the goal that holds under it. */
import type { PartialOptions } from '../../../simulator/world/options.ts'
import type { GOAL } from '../../support/ground-truth.ts'

type Switch = [name: string, switches: PartialOptions, goal?: typeof GOAL]

export const SMALL: PartialOptions = { seed: 11, terminals: 6, transactions: 7_000, days: 90 }

/** Arithmetic alone places late captures if nothing but created orders the transactions. */
const NO_EVIDENCE = { tied: 0.99, placed: 0.998 }

/**
 * The two that differ most in their lists. `attributed-truly.test.ts` shows the flags and times of the others, on larger
 * histories.
 */
export const FEW: readonly Switch[] = [
  ['as it comes', {}],
  [
    'lists are in no order, version 2023-05-16',
    {
      order: { terminals: 'shuffled', settlements: 'shuffled', transactions: 'shuffled' },
      apiVersion: '2023-05-16',
    },
  ],
]

/** The form of the answers does not affect the settlements, so two such switches share a world. */
export const OTHERS: readonly Switch[] = [
  [
    'the settled flag flips when the settlement completes, and lastModified moves at settlement',
    { settledFlips: 'complete', lastModifiedMoves: 'settlement' },
    NO_EVIDENCE,
  ],
  ['the settled flag flips when the settlement completes', { settledFlips: 'complete' }],
  ['lastModified moves at settlement, too', { lastModifiedMoves: 'settlement' }, NO_EVIDENCE],
  [
    'lastModified never moves, and nothing is captured late',
    { lastModifiedMoves: 'never', lateCaptureRate: 0 },
  ],
  [
    'lists run backwards, version 2018-06-01',
    {
      order: {
        terminals: 'created-desc',
        settlements: 'created-desc',
        transactions: 'created-desc',
      },
      apiVersion: '2018-06-01',
    },
  ],
  [
    'changed records come first, unknown parameters are refused',
    { order: { transactions: 'modified-desc' }, rejectUnknownParameters: true },
  ],
  [
    'lists run by id, a larger limit is refused',
    {
      order: { settlements: 'id-asc', transactions: 'id-asc' },
      limitCap: 100,
      limitMode: 'reject',
    },
  ],
  ['a page holds no more than 50 records', { limitCap: 50, transactions: 4_000, terminals: 4 }],
]
