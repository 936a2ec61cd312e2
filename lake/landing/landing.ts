/** The contents of one batch of a sweep, and of its end. */
import type { List, SweptPage } from '../../domain/run.ts'
import type { KeyRing } from '../../domain/settings.ts'
import type { TypedRows } from './typed-rows.ts'

/** A batch of a sweep, with everything that lands with it. */
export interface Landing {
  account: string
  /** The keys of the account's hashes. The hashes in `rows` are made with the first one. Absent: no hash is stored. */
  hashKeys?: KeyRing | undefined
  runId: string
  sweepId: string
  list: List
  /** The requested terminal; absent: all. */
  terminalId?: string | undefined
  /** The only terminals whose records are stored; absent: all. */
  only?: readonly string[] | undefined
  /** The service refuses the list. Nothing else lands in this case. */
  refusal?: { status: number; parameter: string | null }
  /** The number of the batch within the sweep, from 0. */
  batch: number
  /** Rows as `readRecord` makes them. Their keys are columns of the list. */
  rows: TypedRows | (Iterable<object> & { readonly length: number })
  rejects: readonly object[]
  /** The version of the rules for rejects; absent: the present one. */
  schemaVersion?: number | undefined
  pages: readonly SweptPage[]
  /** The state from which the sweep continues after this batch. */
  state: object
  /** Landing number before the batch was read; absent: no other process reads the list. */
  readSince?: bigint
  /** Instant at which the batch was read, ISO 8601. */
  observedAt: string
  /** Present on the last batch: the proof of the sweep. */
  end?: SweepEnd
}

export interface SweepEnd {
  startedSeq: string
  /** The sweep covers records created after this; null: the whole list. */
  coversFrom: string | null
  startedAt: string
  endedAt: string
  pages: number
  records: number
  quarantined: number
  rewinds: number
  requests: number
  throttled: number
  certificate: string
  bodiesSha256: string
  /** Fields and values that the known interface doesn't have, by name and number of records. */
  unknownNames?: Readonly<Record<string, number>> | undefined
}
