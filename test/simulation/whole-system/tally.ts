/** The sums over many seeds: what went wrong, and how often each fault and each way out of it happened. */
import { FAULTS } from './faults.ts'

export interface Tally {
  seeds: number
  events: Record<string, number>
  /** COMPLETE settlements that tie, and those of them that the pack calls TIED. */
  shares: { tying: number; tied: number }
  failures: { seed: number; wrong: string[] }[]
}

export const emptyTally = (): Tally => ({
  seeds: 0,
  events: {},
  shares: { tying: 0, tied: 0 },
  failures: [],
})

/** Events that a round of seeds has to meet, or the simulation proves less than it seems to. */
export const MUST_HAPPEN: readonly string[] = [
  ...FAULTS,
  ...['killed-in-sweepList', 'killed-in-reconcile', 'killed-in-publish', 'killed-in-actOnBooks'],
  ...['attempted-again', 'a-transaction-began-again', 'two-decisions-at-once', 'acknowledged'],
  ...['two-runs-at-once', 'a-decision-beside-other-work'],
  ...['refused-approval_refused', 'refused-usage', 'compacted', 'backed-up', 'erased', 'restored'],
]

export function mergeTallies(tallies: readonly Tally[]): Tally {
  const all = emptyTally()
  for (const { seeds, events, shares, failures } of tallies) {
    all.seeds += seeds
    all.shares.tying += shares.tying
    all.shares.tied += shares.tied
    all.failures.push(...failures)
    for (const [event, times] of Object.entries(events)) {
      all.events[event] = (all.events[event] ?? 0) + times
    }
  }
  return all
}

/** The command that runs one seed again. */
export const replay = (seed: number): string => `npm run simulate:system -- --seed ${seed}`
