/**
 * Maintenance of the lake: compaction, which changes files but no rows, and the erasure of a
 * person.
 */

/** How long unused data stays, in days. */
export interface Retention {
  /** Snapshots of the catalog. Reports use the log of observations and never an old snapshot. */
  snapshots_days: number
  /** Files without a snapshot: longer than the longest reader, writer or backup. */
  files_days: number
}

export const RETENTION: Retention = { snapshots_days: 30, files_days: 2 }

/** The shorter retention after an erasure, for the files that held the person's data. */
export const AFTER_ERASURE: Retention = { snapshots_days: 2, files_days: 2 }

/** The result of compaction. */
export interface Compacted {
  files: { before: number; after: number }
  bytes: { before: number; after: number }
  snapshotsExpired: number
  /** Unused files that were deleted. */
  filesRemoved: number
}

/** A copy of a local lake in a new folder, which is a complete lake. */
export interface BackedUp {
  folder: string
  /** Parquet files in it; each has the length that the catalog says. */
  files: number
  bytes: number
}

/** The order to erase the identity behind a cardholder's transactions. */
export interface ErasureOrder {
  /** One for each order of a person, however often it is retried. */
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

/** The one workflow id of maintenance, so that only one runs at a time. */
export const MAINTENANCE_ID = 'maintenance'

/** A folder orders a copy, an erasure an erasure; with neither, the lake is compacted. */
export interface MaintenanceOrder {
  backUpTo?: string
  erase?: ErasureOrder
}

export type Maintained = BackedUp | Erased | Compacted
