/** One batch of a sweep as it is landed, and what the end of the sweep adds. */
import type { List } from '../../domain/run.ts'
import type { TypedRows } from './typed-rows.ts'

/** One batch of a sweep. */
export interface Landing {
  account: string
  runId: string
  sweepId: string
  list: List
  /** The sweep asks for what this terminal has; absent: for all. */
  terminalId?: string | undefined
  /** Of a list of all these terminals alone were kept; absent: all. */
  only?: readonly string[] | undefined
  /** The service will not give it: nothing else is landed then. */
  refusal?: { status: number; parameter: string | null }
  /** 0, 1, 2 … within the sweep. */
  batch: number
  /** Plain records whose values are text, booleans or null; keys are columns of the list. */
  rows: TypedRows | (Iterable<object> & { readonly length: number })
  rejects: readonly object[]
  /** By which the rejects were judged; absent: the present one. */
  schemaVersion?: number | undefined
  pages: readonly LandedPage[]
  /** What the sweep needs to go on after this batch. */
  state: object
  /** Landing number that stood before anything of the batch was read; absent: nobody else reads the list meanwhile. */
  readSince?: bigint
  /** Instant at which the batch was read, ISO 8601. */
  observedAt: string
  /** Present on the last batch: what the sweep can prove. */
  end?: SweepEnd
}

export interface LandedPage {
  offset: number
  asked: number
  count: number
  firstId: string | null
  lastId: string | null
  bodySha256: string
}

export interface SweepEnd {
  startedSeq: string
  /** The sweep covers what was created after this; null: the whole list. */
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
  /** What it met beyond the known interface, by name and number of records. */
  unknownNames?: Readonly<Record<string, number>> | undefined
}
