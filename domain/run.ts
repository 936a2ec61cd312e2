/** What a run is asked for and what it answers: ids, dates and counts only, so that it fits a Temporal payload. */

export type List = 'settlements' | 'terminals' | 'transactions'
export type Certificate = 'SNAPSHOT' | 'CONTIGUOUS' | 'BEST_EFFORT'

/** Dates are business dates, `from` included, `to` not; instants are ISO 8601 with Z. */
export interface Window {
  from: string
  to: string
}

export interface RunRequest {
  account: string
  /** Without it: the configured number of business days before `businessDate`. */
  window?: Window
  /** The local date of the schedule; without it the local date of `asOf`. */
  businessDate?: string
  asOf?: string
  knownAt?: string
  /** Replaces the configured output folder. */
  out?: string
  /** Replaces the configured one of the CSV files. */
  csvProfile?: 'machine' | 'excel'
  /** False: only what is already landed. */
  sweep: boolean
  /** Who asks for it, where that is known: no reviewer of the pack may be the same. */
  preparedBy?: string
  minCertificate?: Certificate
}

/** A request with every default filled in; fixed for all steps of the run. */
export interface Run {
  runId: string
  account: string
  window: Window
  asOf: string
  /** True if no instant was asked for, and `asOf` is the end of the newest sweep. */
  isAsOfSweep?: true
  /** Landing sequence number, or an instant that maps to the last one before it. */
  knownAt?: string
  out?: string
  csvProfile?: 'machine' | 'excel'
  minCertificate?: Certificate
  preparedBy?: string
}

export interface SweepRequest {
  runId: string
  account: string
  list: List
  /** Settlements are read twice: 1 before the transactions, 2 after them. */
  pass: number
  /** Instant: transactions created since then are read again, whatever is known of them. */
  since?: string
  /** Business date with which the range begins that somebody asked for; absent: what a night reads. */
  from?: string
  /** Absent: the pace of a nightly run. */
  pace?: Pace
}

/** How much of a credential's rate some work may take. */
export interface Pace {
  /** Beside others; a nightly run's is 1. */
  weight: number
  /** Requests per second that it never exceeds, even alone. */
  mostPerSecond?: number
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
  /** Terminals were read one by one: those that other lists name by then are read later, in a second pass. */
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

/** By list and name: in how many records of it the service sent what its interface as it is known doesn't have. */
export type UnknownNames = Readonly<Partial<Record<List, Readonly<Record<string, number>>>>>

export interface RunResult extends ReconcileResult {
  runId: string
  account: string
  window: Window
  asOf: string
  /** True if `asOf` is the end of the newest sweep, as no instant was asked for. */
  isAsOfSweep?: true
  pack: string
  certificate: Certificate
  /** Absent where there are none. */
  unknownNames?: UnknownNames
  /** Why the webhook was not told of the pack; absent where it was, or there is none. */
  webhookFailed?: string
}

export interface RunStart {
  request: RunRequest
  runId: string
  /** Instant at which the workflow started. */
  startedAt: string
  /** Instant for which a schedule started it; its local date is the business date. */
  scheduledAt?: string
}

/** What an activity that takes long says of itself in its heartbeats. */
export interface Heartbeat {
  doing: string
  pages?: number
  records?: number
  requests?: number
  /** The newest wait that the service asked for: how long, until when and why. */
  wait?: string
}

/** The newest act's number and hash. */
export interface AuditHead {
  seq: bigint
  sha256: string
}

export interface Knowledge {
  /** Landing sequence number. */
  known_at: bigint
  /** Instant of the last landing at or below it; empty for an empty lake. */
  known_time: string | null
  /** True when it is all that the lake holds. */
  is_newest: boolean
  /** What was decided about the books by then: the newest act of the audit trail. */
  audit: AuditHead
  /** The newest run that looked for exceptions by then. */
  exceptionScan: bigint
  /** The run that this one is compared with, empty for none; absent where it is still to be found. */
  previousRun?: string
}
