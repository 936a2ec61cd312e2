/** What a person can set. Secrets are wrapped, so that printing one by mistake prints nothing. */
import type { BankHolidays } from './bank-days.ts'
import type { Failure } from './failure.ts'
import type { ImportList, ImportReading } from './import.ts'

/** Holds a secret; only `reveal` gives it away. */
export class Secret {
  readonly #value: string
  constructor(value: string) {
    this.#value = value
  }
  reveal(): string {
    return this.#value
  }
  toString(): string {
    return '[secret]'
  }
  toJSON(): string {
    return '[secret]'
  }
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[secret]'
  }
}

export interface SourceSettings {
  baseUrl: string
  user: string
  password: Secret
  applicationKey: Secret
  /** Paths below the base address. */
  paths: { terminals: string; settlements: string; transactions: string }
  /** Extra query parameters per list; empty unless the service needs them, since unknown ones may be refused. */
  query: Record<string, string>
  /** Extra headers, such as one that selects the version of the interface. */
  headers: Record<string, string>
  /** Records asked for per page at first; halved when the service refuses. */
  pageSize: number
  timeout_ms: number
  /** How long a request is tried again before the run fails. */
  retryBudget_ms: number
}

/** A store that speaks the S3 protocol. */
export interface ObjectStore {
  /** With its scheme; absent: the public one of Amazon. */
  endpoint?: string
  region: string
  keyId: Secret
  secretKey: Secret
  sessionToken?: Secret
}

export interface LakeSettings {
  /** `sqlite:…`, or `postgres:…` with libpq's keywords and never a password. */
  catalog: string
  /** Of a catalog in PostgreSQL; absent: libpq finds its own. */
  password?: Secret
  /** Where `data` lies, if that is `s3://…`. */
  store?: ObjectStore
  /** Where the Parquet lies; under the local folder by default. */
  data: string
  /** Local folder for scratch files, the hash key and the embedded Temporal server. */
  folder: string
  memoryLimit: string
  threads: number
  /** From how many versions of transactions on a run puts tables into a file; absent: from where they won't fit into memory. */
  scratchFrom?: number
}

export interface Thresholds {
  pending_stale_days: number
  unsettled_days: number
  /** The most hours before settlement.created at which a cut-off is looked for; absent: 240. */
  cutoff_tolerance_hours?: number | undefined
}

/** What a night reads of the transactions. */
export interface SweepRules {
  /** Items open for longer are read by whole sweeps only, or one eternal hold would make every night a whole one. */
  openDays: number
  /** What is newer than this is read again, open or not. */
  lookbackDays: number
  /** A whole sweep, the audit of the ones between, is due when the last one is older. */
  wholeEveryDays: number
}

/** Where a worker serves its metrics. */
export interface MetricsAddress {
  host: string
  /** 0: any that is free. */
  port: number
  /** Somebody asked for this address: a worker that can't have it doesn't start. */
  isAsked: boolean
}

/** When a night that is due begins. */
export interface ScheduleRules {
  /** Nights that were missed for up to so long are made up for, each with its own business date. */
  catchUp_days: number
  /** A night begins so much after its time at most. */
  jitter_seconds: number
}

export interface Settings {
  account: string
  timezone: string
  currency: string
  out: string
  source: SourceSettings | undefined
  /** Why this account can't be asked for, where the other accounts of the same file can. */
  trouble?: Failure
  /** Ids of the terminals that the account is limited to; empty: all that the service lists. */
  terminals: readonly string[]
  lake: LakeSettings
  thresholds: Thresholds
  /** Business days that a run without dates covers. */
  lookbackDays: number
  /** Absent: the usual ones. */
  sweeps?: SweepRules
  /** Absent: the Federal Reserve's calendar as it is. */
  bankHolidays?: BankHolidays
  /** Local time of the nightly run, such as 04:15. */
  scheduleAt: string
  /** Absent: the usual ones. */
  schedule?: ScheduleRules
  /** Ledger account by key, such as `clearing`. */
  chartOfAccounts: Record<string, { account: string; name: string }>
  /** What is said of the accounting programs' files, by program; checked when it was read. */
  accounting: Readonly<Record<string, object | undefined>>
  /** Where transactions come from: `list`, the service's own, or `import`, the files that were imported. */
  transactionsFrom?: 'import' | 'list'
  /** How the exports of each list are to be read. */
  imports?: Readonly<Record<ImportList, ImportReading>>
  /** Key of the hash that stands for a billing identity. */
  hashKey: Secret | undefined
  /** Where a line is posted when a pack was published; usually nowhere. */
  webhook?: Secret | undefined
  /** Absent: none are served. */
  metrics?: MetricsAddress
  csvProfile: 'machine' | 'excel'
}
