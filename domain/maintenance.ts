/**
 * Maintenance of the lake: compaction, which changes files but no rows, and the erasure of a
 * person.
 */

/** The time for which unused data stays, in days. */
export interface Retention {
  /** Snapshots of the catalog. Reports use the log of observations and never an old snapshot. */
  snapshots_days: number
  /** Files without a snapshot. They must stay longer than the longest reader, writer or backup takes. */
  files_days: number
}

export const RETENTION: Retention = { snapshots_days: 30, files_days: 2 }

/** The shorter retention after an erasure or a rotation. Older snapshots still refer to files with the old hashes. */
export const AFTER_REWRITE: Retention = { snapshots_days: 2, files_days: 2 }

/** The result of compaction. */
export interface Compacted {
  files: { before: number; after: number }
  bytes: { before: number; after: number }
  snapshotsExpired: number
  /** Unused files that were deleted. */
  filesRemoved: number
}

/** A copy of a lake in a new folder. The copy is a complete lake. */
export interface BackedUp {
  folder: string
  /** The number of Parquet files in it. Each has the length that the catalog states. */
  files: number
  bytes: number
  /** An account whose hashes were made with another key than the worker has. Absent if there is none. */
  otherKeyOf?: string
}

/** A backup that became the lake again. */
export interface Restored extends BackedUp {
  /** The folder, or the address of the catalog in PostgreSQL without its password. */
  folder: string
  backup: string
  /** The folder with the earlier lake; absent if there was none. */
  before?: string
  /** The acts that the earlier lake has beyond the backup; null if they could not be compared. */
  lost?: LostActs | null
}

/** Acts of the audit trail that a lake has lost, by their kinds. */
export interface LostActs {
  /** All of them. */
  acts: number
  /** Approved packs, whose entries may be in the ledger already. */
  approvals: number
  closes: number
  /** Acts of every other kind. */
  decisions: number
  /** Cardholders whose identity was erased, and whom the lake identifies again. */
  erasures: number
}

/** The order to erase the identity behind a cardholder's transactions. */
export interface ErasureOrder {
  /** The same for every retry of a person's order, and different for each order. */
  orderId: string
  account: string
  /** A transaction of the cardholder, in digits. */
  transactionId: string
  actor: string
  reason: string
}

/** The counts of an erasure, and its act in the audit trail. */
export interface Erased {
  transactions: number
  versions: number
  seq: string
}

/** The order to hash an account's billing hashes again with the keys that were added. */
export interface RotationOrder {
  /** The same for every retry of a person's order, and different for each order. */
  orderId: string
  account: string
  /** The id of all keys that the command was given, so that a worker with other keys refuses. */
  keyId: string
  actor: string
  reason: string
}

/** The result of a rotation. */
export interface Rotated {
  /** The number of keys that the account's hashes are made with; 0 if it has none in the lake. */
  keys: number
  /** The versions with a hash that was changed. */
  versions: number
  /** The act in the audit trail; absent if nothing was to do. */
  seq?: string
}

/** The one workflow id of maintenance, so that only one runs at a time. */
export const MAINTENANCE_ID = 'maintenance'

/**
 * An order for maintenance: a backup if `backUpTo` is present, an erasure if `erase` is present, a rotation if
 * `rotateKey` is present, and otherwise compaction.
 */
export interface MaintenanceOrder {
  backUpTo?: string
  erase?: ErasureOrder
  rotateKey?: RotationOrder
}

export type Maintained = BackedUp | Erased | Rotated | Compacted

/** The contents that a lake has got since an upgrade, and would lose by going back. */
export interface Newer {
  landings: number
  sweeps: number
  runs: number
  packs: number
  /** Acts of the audit trail, with approvals and erasures. */
  acts: number
  /** Approved packs, whose entries count as exported. */
  approvals: number
  /** Cardholders whose identity was erased. */
  erasures: number
  backfillEvents: number
}

/** An upgrade of the lake's schema. */
export interface Upgraded {
  /** The version of tieout. */
  program: string
  /** Schema versions of the lake; equal if nothing was to do. */
  from: number
  to: number
  /** The names of the files that were applied. */
  applied: string[]
  /** The files that were checked afterwards; absent if nothing was to do. */
  files?: number
  bytes?: number
}

/** The way back to the schema from before an upgrade. */
export interface RolledBack {
  from: number
  to: number
  /** The contents that the lake has lost. */
  discarded: Newer
  files: number
  bytes: number
}
