/** The simulated services whose packs are compared, and the nights on which each of them is read. */
import type { PartialOptions } from '../../../simulator/world/options.ts'

export interface PackWorld {
  name: string
  options: PartialOptions
  /** Instants of the runs, in order; the service's clock stands at each of them while it is read. */
  nights: readonly string[]
  /** True if records appear late, change and turn back between the nights. */
  isAltered?: boolean
}

const SIZE: PartialOptions = { terminals: 8, transactions: 4000, days: 60, plantsPerKind: 3 }

/** Three worlds with planted errors, one for each way the settled flag and lastModified may behave, and one over four nights. */
export const PACK_WORLDS: readonly PackWorld[] = [
  { name: 'seed-11', options: { ...SIZE, seed: 11 }, nights: ['2025-11-04T04:15:00Z'] },
  {
    name: 'seed-12',
    options: { ...SIZE, seed: 12, settledFlips: 'complete', lastModifiedMoves: 'never' },
    nights: ['2025-11-04T04:15:00Z'],
  },
  {
    name: 'seed-13',
    options: {
      ...SIZE,
      seed: 13,
      lastModifiedMoves: 'settlement',
      lateCaptureRate: 0.01,
      order: { transactions: 'created-desc' },
    },
    nights: ['2025-11-04T04:15:00Z'],
  },
  {
    name: 'four-nights',
    options: { seed: 21, terminals: 6, transactions: 3000, days: 50, plantsPerKind: 3 },
    nights: [
      '2025-11-03T04:15:00Z',
      '2025-11-04T04:15:00Z',
      '2025-11-05T04:15:00Z',
      '2025-11-06T04:15:00Z',
    ],
    isAltered: true,
  },
]
