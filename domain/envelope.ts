/**
 * The envelope of each order and answer that goes through Temporal. Its purpose says what the values are for, so that a
 * copy of them serves nothing else. The codec encrypts and authenticates the whole envelope.
 */

export interface Envelope {
  purpose: string
  issuedAt_ms: number
  nonce: string
  values: unknown[]
}

/** An order counts if it was issued within this time of its arrival, by the clock of either machine. */
export const ORDER_VALID_MS = 5 * 60_000

/** Puts values into an envelope, which takes the place of all arguments or of the result. */
export const enclosed = (
  purpose: string,
  values: readonly unknown[],
  more: Pick<Envelope, 'issuedAt_ms' | 'nonce'>,
): [Envelope] => [{ purpose, ...more, values: [...values] }]

/** Returns the envelope if it is the only value and has one of the purposes. */
export function envelopeFor(
  purposes: readonly string[],
  given: readonly unknown[],
): Envelope | undefined {
  const [only, ...others] = given
  if (others.length > 0 || typeof only !== 'object' || only === null) return undefined
  const { purpose, issuedAt_ms, nonce, values } = only as Partial<Envelope>
  const isWhole =
    typeof purpose === 'string' &&
    typeof issuedAt_ms === 'number' &&
    typeof nonce === 'string' &&
    Array.isArray(values)
  return isWhole && purposes.includes(purpose) ? { purpose, issuedAt_ms, nonce, values } : undefined
}

/** Returns true if an order was issued at about the time of its arrival. */
export const isFresh = ({ issuedAt_ms }: Envelope, arrivedAt_ms: number): boolean =>
  Math.abs(arrivedAt_ms - issuedAt_ms) <= ORDER_VALID_MS

/** Purposes of envelopes. A schedule's order starts a workflow again and again, and has no time limit. */
export const PURPOSE = {
  start: (workflowType: string) => `start ${workflowType}`,
  schedule: (workflowType: string) => `schedule ${workflowType}`,
  update: (name: string) => `update ${name}`,
  signal: (name: string) => `signal ${name}`,
  /** Names the run that gives the order, so that it is no order for a run after a reset. */
  activity: (activityType: string, runId: string) => `activity ${activityType} of ${runId}`,
  /** Names the order of the activity. */
  answer: (nonce: string) => `answer to ${nonce}`,
  /** Names the first run of the workflow. */
  result: (runId: string) => `result of ${runId}`,
} as const
