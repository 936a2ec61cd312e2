/** The settings. Secrets are wrapped, so that printing one by mistake reveals nothing. */
import type { AccountingSettings } from './accounting.ts'
import type { BankHolidays } from './bank-days.ts'
import type { Failure } from './failure.ts'
import type { WebhookRules } from './webhook.ts'
import type { ImportList, ImportReading } from './import.ts'

/** Holds a secret; only `reveal` returns it. */
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

/** The keys of an account's hashes. A billing identity is hashed with the first key, then again with each later one. */
export interface KeyRing {
  /** The hashes of records and of their content stay with it. */
  first: Secret
  /** The keys that rotations added, oldest first. */
  later: readonly Secret[]
}

export interface SourceSettings {
  baseUrl: string
  user: string
  password: Secret
  applicationKey: Secret
  /** Paths below the base address. */
  paths: { terminals: string; settlements: string; transactions: string }
  /**
   * Extra query parameters of each list; empty by default, since the service may refuse unknown
   * ones.
   */
  query: Record<string, string>
  /** Extra headers, such as one that selects the version of the interface. */
  headers: Record<string, string>
  /** Records per page at first; halved when the service refuses. */
  pageSize: number
  timeout_ms: number
  /** The time in which a failed request is retried, in milliseconds. After that the run fails. */
  retryBudget_ms: number
  /** True: the base address may be a link-local one. */
  allowLinkLocal?: boolean
}

/** A store that speaks the S3 protocol. */
export interface ObjectStore {
  /** With its scheme; absent: Amazon's public endpoint. */
  endpoint?: string
  region: string
  /** Asked again for each use, since keys may expire or be replaced. */
  keys: () => Promise<StoreKeys>
}

export type OpenStore = () => ObjectStore

/** The keys with which a client signs its requests to a store. */
export interface StoreKeys {
  keyId: Secret
  secretKey: Secret
  sessionToken?: Secret
  /** Absent: no end is known. */
  expiresAt_ms?: number
}

export interface LakeSettings {
  /** `sqlite:…`, or `postgres:…` with libpq's keywords and never a password. */
  catalog: string
  /** Password of a PostgreSQL catalog; absent: libpq finds its own. */
  password?: Secret
  /** The store of `data`, if that is `s3://…`. */
  store?: ObjectStore
  /** Folder or address of the Parquet files; by default below the local folder. */
  data: string
  /** Local folder for scratch files, the hash key and the embedded Temporal server. */
  folder: string
  memoryLimit: string
  threads: number
  /**
   * Versions of transactions from which a run uses a spill file; absent: when they would exceed the
   * memory.
   */
  scratchFrom?: number
}

export interface Thresholds {
  pending_stale_days: number
  unsettled_days: number
  /** The most hours before settlement.created at which a cut-off is searched; absent: 240. */
  cutoff_tolerance_hours?: number | undefined
}

/** The transactions that a nightly run reads. */
export interface SweepRules {
  /**
   * Items that are open for longer are read by whole sweeps only. Otherwise one eternal hold would make every sweep a
   * whole one.
   */
  openDays: number
  /** Transactions newer than this are read again, open or not. */
  lookbackDays: number
  /** A whole sweep is due if the last one is older than this. Whole sweeps audit the partial ones in between. */
  wholeEveryDays: number
}

export const SWEEP_RULES: SweepRules = { openDays: 30, lookbackDays: 7, wholeEveryDays: 7 }

/** The address at which a worker serves its metrics. */
export interface MetricsAddress {
  host: string
  /** 0: any free port. */
  port: number
  /** True if a person chose this address; a worker that can't use it does not start. */
  isAsked: boolean
}

/** The rules of a schedule that the config does not name. */
export const USUAL_SCHEDULE: ScheduleRules = { catchUp_days: 7, jitter_seconds: 60 }

/** The rules for the start of a scheduled night. */
export interface ScheduleRules {
  /** Nights missed within this time are made up, each with its own business date. */
  catchUp_days: number
  /** The longest delay of a night's start. */
  jitter_seconds: number
}

export interface Webhook extends WebhookRules {
  url: Secret
  /** Signs each message; absent: messages have no signature. */
  key?: Secret
}

export interface Settings {
  account: string
  timezone: string
  currency: string
  /** Folder or address of the packs. */
  out: string
  /** The mode of the files of packs in a folder; absent: for the owner alone. */
  packMode?: number
  /** The store of packs at an address; throws config_invalid and config_missing. */
  packStore?: OpenStore
  /** True if no flag, variable or config file names `out`. */
  isOutDefault?: boolean
  source: SourceSettings | undefined
  /** The fault of this account's settings, while other accounts of the same file are valid. */
  trouble?: Failure
  /** Ids of the terminals that the account is limited to; empty: all terminals of the service. */
  terminals: readonly string[]
  lake: LakeSettings
  thresholds: Thresholds
  /** Business days that a run without dates covers. */
  lookbackDays: number
  /** Absent: the defaults. */
  sweeps?: SweepRules
  /** Absent: the Federal Reserve's calendar without changes. */
  bankHolidays?: BankHolidays
  /** Local time of the nightly run, such as 04:15. */
  scheduleAt: string
  /** Absent: the defaults. */
  schedule?: ScheduleRules
  /** Ledger account by key, such as `clearing`. */
  chartOfAccounts: Record<string, { account: string; name: string }>
  /** The settings of the accounting programs' files, by program, already validated. */
  accounting: AccountingSettings
  /** The source of transactions: `list`, the service's own, or `import`, imported files. */
  transactionsFrom?: 'import' | 'list'
  /** The form of the exports of each list. */
  imports?: Readonly<Record<ImportList, ImportReading>>
  /** The keys of the hash that stands for a billing identity; absent: those beside the local catalog. */
  hashKeys: KeyRing | undefined
  /** Folders beside `out` that an order from a shared Temporal may name; whole paths. */
  allowedPaths?: readonly string[]
  /** The key of what Temporal stores; absent: the key beside the local catalog. */
  payloadKey?: Secret | undefined
  /** The receiver of a message for each outcome of a run; usually absent. */
  webhook?: Webhook | undefined
  /** Absent: no metrics are served. */
  metrics?: MetricsAddress
  csvProfile: 'machine' | 'excel'
}
