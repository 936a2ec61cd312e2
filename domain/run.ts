/**
 * The request, the facts and the result of a run: ids, dates and counts only, for Temporal
 * payloads.
 */

export type List = 'settlements' | 'terminals' | 'transactions'
/** The certificates of sweeps, the strongest first. */
export const CERTIFICATES = ['SNAPSHOT', 'CONTIGUOUS', 'BEST_EFFORT'] as const
export type Certificate = (typeof CERTIFICATES)[number]

/** Dates are business dates, `from` included, `to` not; instants are ISO 8601 with Z. */
export interface Window {
  from: string
  to: string
}

export interface RunRequest {
  account: string
  /** Absent: the configured number of business days before `businessDate`. */
  window?: Window
  /** The local date of the schedule; absent: the local date of `asOf`. */
  businessDate?: string
  asOf?: string
  knownAt?: string
  /** Replaces the configured output folder. */
  out?: string
  /** Replaces the configured CSV profile. */
  csvProfile?: 'machine' | 'excel'
  /** False: use only what has landed. */
  sweep: boolean
  /** The preparer, if known, who may not approve the pack. */
  preparedBy?: string
  minCertificate?: Certificate
}

/** A request with every default filled in, fixed for all steps of the run. */
export interface Run {
  runId: string
  account: string
  window: Window
  asOf: string
  /** True if no instant was requested, and `asOf` is the end of the newest sweep. */
  isAsOfSweep?: true
  /** Landing sequence number, or an instant that maps to the last one before it. */
  knownAt?: string
  out?: string
  csvProfile?: 'machine' | 'excel'
  minCertificate?: Certificate
  preparedBy?: string
  /** True for a chunk of a backfill. */
  isBackfill?: true
}

/** A run with what only its workflow needs. */
export interface PreparedRun extends Run {
  /** A scheduled run is late after this time; absent: no message is posted. */
  lateAfter_ms?: number
}

export interface SweepRequest {
  runId: string
  account: string
  list: List
  /** Settlements are read twice: 1 before the transactions, 2 after them. */
  pass: number
  /** Instant: transactions created since then are read again in any case. */
  since?: string
  /** First business date of a requested range; absent: the nightly range. */
  from?: string
  /** Absent: the pace of a nightly run. */
  pace?: Pace
}

/** The part of a credential's rate that some work may use. */
export interface Pace {
  /** Relative to other work; a nightly run has 1. */
  weight: number
  /** The most requests per second, even without other work. */
  mostPerSecond?: number
}

/** A page that a sweep read. */
export interface SweptPage {
  offset: number
  asked: number
  count: number
  firstId: string | null
  lastId: string | null
  bodySha256: string
}

export interface SweepResult {
  list: List
  pass: number
  done: boolean
  records: number
  newVersions: number
  quarantined: number
  requests: number
  certificate?: Certificate
  /**
   * True if terminals were read one by one, and a second pass reads those that other lists name by
   * then.
   */
  later?: boolean
}

export interface Headline {
  settlements: number
  tied: number
  explained: number
  breaks: number
  pending: number
  noData: number
}

export interface ReconcileResult {
  knownAt: string
  headline: Headline
  /** Open exceptions by code. */
  exceptions: Record<string, number>
  openErrors: number
  openWarnings: number
}

/**
 * The fields and values that the known interface doesn't have: number of records by list and name.
 */
export type UnknownNames = Readonly<Partial<Record<List, Readonly<Record<string, number>>>>>

export interface Published {
  pack: string
  /** The pack that OUT/<account>/latest names, if it is another one: `<from>_<to>/<runId>`. */
  latest?: string
  /** The pack that OUT/<account>/latest named before, if this lake did not publish it. Absent otherwise. */
  foreignLatest?: string
  /** The weakest certificate that the numbers rest on. */
  certificate: Certificate
  /** Absent if there are none. */
  unknownNames?: UnknownNames
  /** The reason why the webhook call failed; absent if it succeeded or is not configured. */
  webhookFailed?: string
}

export type RunResult = Pick<Run, 'runId' | 'account' | 'window' | 'asOf' | 'isAsOfSweep'> &
  ReconcileResult &
  Published

export interface RunStart {
  request: RunRequest
  runId: string
  /** Instant at which the workflow started. */
  startedAt: string
  /** Instant for which a schedule started it; its local date is the business date. */
  scheduledAt?: string
}

/** The progress in the heartbeats of a long activity. */
export interface Heartbeat {
  doing: string
  pages?: number
  records?: number
  requests?: number
  /** The number of records that the last sweep of this list found, or that the first one will find; absent if unknown. */
  expectedRecords?: number
  /** The terminal that is read, counted from 1, and their number; absent for a list of all terminals. */
  terminal?: number
  terminals?: number
  /** The newest wait that the service asked for: duration, end and reason. */
  wait?: string
}

/** The newest act's number and hash. */
export interface AuditHead {
  seq: bigint
  sha256: string
}

export interface Knowledge {
  /** Landing sequence number. */
  knownAt: bigint
  /** Instant of the last landing at or below it; empty for an empty lake. */
  knownTime: string | null
  /** True if it is all that the lake holds. */
  isNewest: boolean
  /** The newest act of the audit trail by then. */
  audit: AuditHead
  /** The newest run by then that scanned for exceptions. */
  exceptionScan: bigint
  /** The id of the run to compare with. Empty if there is none; absent if the run has not determined it yet. */
  previousRun?: string
}
