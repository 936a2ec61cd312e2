import { PAYLOAD_REFUSED } from './refused-payload.ts'

interface Consequences {
  /** The exit code of the command line, which prints the remedy. */
  exit: number
  remedy: string
  /** True if Temporal may repeat the activity. */
  retry?: boolean
}

/** The codes of failures. */
export const FAILURES = {
  usage: { exit: 2, remedy: 'tieout --help' },
  config_missing: { exit: 2, remedy: 'set the variable and run the command again' },
  config_invalid: { exit: 2, remedy: 'correct the value and run the command again' },
  payload_refused: { exit: 2, remedy: PAYLOAD_REFUSED.remedy },
  query_refused: { exit: 2, remedy: 'tieout query --dictionary' },
  source_unreachable: {
    exit: 3,
    retry: true,
    remedy: 'check TIEOUT_BASE_URL and the network, then run the same command again',
  },
  source_unauthorized: {
    exit: 3,
    remedy:
      'check TIEOUT_API_USER, TIEOUT_API_PASSWORD and TIEOUT_APPLICATION_KEY, or the variables that the config file names for the account',
  },
  source_refused: { exit: 3, remedy: 'tieout doctor' },
  source_throttled: { exit: 3, retry: true, remedy: 'wait, then run the same command again' },
  source_not_the_service: {
    exit: 3,
    remedy: 'check that TIEOUT_BASE_URL is the address of the payments service',
  },
  page_unreadable: { exit: 3, retry: true, remedy: 'run the same command again' },
  next_foreign: { exit: 3, remedy: 'ask the operator of the service; nothing was sent there' },
  next_loop: { exit: 3, remedy: 'ask the operator of the service' },
  schema_change: { exit: 3, remedy: 'tieout doctor' },
  import_unreadable: { exit: 3, remedy: 'correct the file and run the command again' },
  control_total_failed: { exit: 4, remedy: 'report this line; nothing was published' },
  invariant_broken: { exit: 4, remedy: 'report it with the details below' },
  certificate_too_low: { exit: 4, remedy: 'tieout run, at a less busy hour' },
  pack_altered: {
    exit: 4,
    remedy: 'fetch the pack from where it was published, and find out who changed it',
  },
  pack_unproved: { exit: 4, remedy: 'leave the pack and the lake unchanged, and report this line' },
  trail_broken: {
    exit: 4,
    remedy: 'find out who wrote to the lake; no later decision can be trusted',
  },
  approval_refused: { exit: 5, remedy: 'make a new pack with tieout report, and approve that one' },
  period_closed: { exit: 5, remedy: 'make a new pack with tieout report, and approve that one' },
  close_refused: {
    exit: 5,
    remedy: 'solve the blockers, or close with --accept-open and the reason',
  },
  approval_unconfirmed: {
    exit: 5,
    remedy: 'read the later decisions with tieout exceptions list, then approve with --yes',
  },
  attribution_refused: { exit: 5, remedy: 'tieout explain, to see the records of the settlement' },
  rollback_refused: {
    exit: 5,
    remedy: 'keep the lake as it is, or give --discard-newer to lose what the message counts',
  },
  would_overwrite: { exit: 5, remedy: 'choose another --out' },
  store_unreachable: { exit: 6, retry: true, remedy: 'run the same command again' },
  temporal_unreachable: { exit: 6, remedy: 'tieout doctor' },
  worker_missing: { exit: 6, remedy: 'tieout worker' },
  lake_unreachable: { exit: 6, remedy: 'tieout doctor' },
  lake_outdated: {
    exit: 6,
    remedy: 'tieout upgrade, or use the version of tieout that this lake is of',
  },
  lake_damaged: {
    exit: 6,
    remedy:
      'restore the lake from its last good backup, as docs/operations.md#back-up says, then run the command again',
  },
  lake_lost: { exit: 6, retry: true, remedy: 'run the same command again' },
  lake_locked: { exit: 6, retry: true, remedy: 'wait for the other run to end' },
  extension_missing: { exit: 6, remedy: 'tieout doctor' },
  bug: { exit: 70, remedy: 'report it with the details below' },
} as const satisfies Record<string, Consequences>

export type FailureCode = keyof typeof FAILURES

export const isFailureCode = (text: string): text is FailureCode => Object.hasOwn(FAILURES, text)

/** Returns the code itself if it is one of ours, and `bug` for any other. */
export const failureCode = (code: string): FailureCode => (isFailureCode(code) ? code : 'bug')

/**
 * A failure with a stable code. `what` is one sentence that names record and field. The sentence is printed and
 * stored, so that it must never contain a secret or personal data.
 */
export class Failure extends Error {
  readonly code: FailureCode
  /** The wait before the next attempt, if the other side asked for one. */
  readonly retry_after_ms: number | undefined
  /** The remedy of this failure alone. Absent: the one of its code. */
  readonly ownRemedy: string | undefined
  readonly remedy: string
  /** True if another attempt may help. */
  readonly retry: boolean

  constructor(
    code: FailureCode,
    what: string,
    more: {
      cause?: unknown
      retry_after_ms?: number
      remedy?: string | undefined
      retry?: boolean
    } = {},
  ) {
    super(what, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'Failure'
    this.code = code
    this.retry_after_ms = more.retry_after_ms
    this.ownRemedy = more.remedy
    const { remedy, retry = false }: Consequences = FAILURES[code]
    this.remedy = more.remedy ?? remedy
    this.retry = more.retry ?? retry
  }
}

/** The same failure with another message: its code, its remedy, and whether another attempt may help. */
export const reworded = (failure: Failure, what: string, cause: unknown): Failure =>
  new Failure(failure.code, what, { cause, remedy: failure.ownRemedy, retry: failure.retry })

/** Checks a claim that only a bug can break. Throws bug. */
export function assert(condition: boolean, claim: string): asserts condition {
  if (!condition) throw new Failure('bug', claim)
}
