/**
 * The options of a simulated service: the size of its world, and one switch for each behaviour that
 * its interface leaves open.
 */

export type ListName = 'terminals' | 'settlements' | 'transactions'
export type ListOrder = 'created-asc' | 'created-desc' | 'modified-desc' | 'id-asc' | 'shuffled'
export type ApiVersion = '2018-06-01' | '2023-05-16' | '2026-08-21'

export interface SimulatorOptions {
  /** The same seed and sizes make the same world, to the byte. */
  seed: number
  terminals: number
  transactions: number
  /** First day, `YYYY-MM-DD`, from midnight UTC. */
  from: string
  days: number
  credentials: { user: string; password: string; applicationKey: string }
  /** Path of the base address, such as `/v1`; empty for none. */
  basePath: string
  apiVersion: ApiVersion
  /** The event that sets the settled flag of a settlement's members. */
  settledFlips: 'created' | 'complete'
  /** The event that changes lastModified; `settlement` includes capture and void. */
  lastModifiedMoves: 'capture' | 'settlement' | 'never'
  order: Record<ListName, ListOrder>
  /** Largest page; `limitMode` decides the answer to a larger limit. */
  limitCap: number
  limitMode: 'clamp' | 'reject'
  rejectUnknownParameters: boolean
  latency_ms: number
  /** Requests per second before 429; undefined for no limit. */
  ratePerSecond: number | undefined
  /** Share of requests answered with 500. */
  errorRate: number
  /** Share of transactions that stay on HOLD and are captured one to three days later. */
  lateCaptureRate: number
  /** Share of settlements whose amountNet is wrong. */
  mismatchRate: number
  /** Least number of planted discrepancies of each kind; 0 plants none of them. */
  plantsPerKind: number
}

/** Options of a caller: any part, also of `credentials` and `order`. */
export type PartialOptions = Partial<Omit<SimulatorOptions, 'credentials' | 'order'>> & {
  credentials?: Partial<SimulatorOptions['credentials']>
  order?: Partial<SimulatorOptions['order']>
}

export const DEFAULTS: SimulatorOptions = {
  seed: 1,
  terminals: 40,
  transactions: 200_000,
  from: '2025-09-21',
  days: 426,
  credentials: {
    user: 'simulator',
    password: 'simulator-password',
    applicationKey: 'simulator-application-key',
  },
  basePath: '/v1',
  apiVersion: '2026-08-21',
  settledFlips: 'created',
  lastModifiedMoves: 'capture',
  order: { terminals: 'created-asc', settlements: 'created-asc', transactions: 'created-asc' },
  limitCap: 1000,
  limitMode: 'clamp',
  rejectUnknownParameters: false,
  latency_ms: 0,
  ratePerSecond: undefined,
  errorRate: 0,
  lateCaptureRate: 0.001,
  mismatchRate: 0.01,
  plantsPerKind: 3,
}

/** Fills in the defaults. */
export function simulatorOptions(partial: PartialOptions = {}): SimulatorOptions {
  return {
    ...DEFAULTS,
    ...partial,
    credentials: { ...DEFAULTS.credentials, ...partial.credentials },
    order: { ...DEFAULTS.order, ...partial.order },
  }
}
