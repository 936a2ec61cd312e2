/** What keeps a lake small and quick: no rows change by it, only the files that hold them. And what forgets a person. */

/** How long what nobody needs any more is kept, in days. */
export interface Retention {
  /** Snapshots of the catalog. Reports read the log of observations and never an old snapshot. */
  snapshots_days: number
  /** Files that no snapshot names: longer than the longest reader, writer or backup takes. */
  files_days: number
}

export const RETENTION: Retention = { snapshots_days: 30, files_days: 2 }

/** Where somebody was erased lately: what still names the files that held them goes sooner. */
export const AFTER_ERASURE: Retention = { snapshots_days: 2, files_days: 2 }

/** What became of the files of a lake. */
export interface Tidied {
  files: { before: number; after: number }
  bytes: { before: number; after: number }
  snapshotsExpired: number
  /** Files that were replaced or given up long enough ago, and are gone now. */
  filesRemoved: number
}

/** A copy of a local lake in a folder of its own, which is a lake itself. */
export interface BackedUp {
  folder: string
  /** Parquet files in it, each as long as the catalog says. */
  files: number
  bytes: number
}

/** The order to cut the transactions of one cardholder loose from whom they stand for. */
export interface ErasureOrder {
  /** One for each time that a person asks, however often it is tried. */
  orderId: string
  account: string
  /** Whose billing identity is meant, in digits. */
  transactionId: string
  actor: string
  reason: string
}

/** What was cut loose, and the act in the audit trail. */
export interface Erased {
  transactions: number
  versions: number
  seq: string
}

/** Maintenance is one at a time: it always runs under this workflow id, whoever asked for it. */
export const MAINTENANCE_ID = 'maintenance'

/** With a folder the lake is copied there, with an erasure somebody is erased, else it is tidied. */
export interface MaintenanceOrder {
  backUpTo?: string
  erase?: ErasureOrder
}

export type Maintained = BackedUp | Erased | Tidied
