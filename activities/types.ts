/** What the workflows may ask of a worker. Types only: this file is read by workflow code. */
import type { BackfillEvent } from '../domain/backfill.ts'
import type { BooksAct, BooksActed } from '../domain/books.ts'
import type { Maintained, MaintenanceOrder } from '../domain/maintenance.ts'
import type { ImportedFile, ImportOrder } from '../domain/import.ts'
import type {
  Certificate,
  ReconcileResult,
  Run,
  RunRequest,
  SweepRequest,
  SweepResult,
  UnknownNames,
} from '../domain/run.ts'

export interface RunStart {
  request: RunRequest
  runId: string
  /** Instant at which the workflow started. */
  startedAt: string
  /** Instant for which a schedule started it; its local date is the business date. */
  scheduledAt?: string
}

export interface Published {
  pack: string
  /** The weakest certificate that the numbers rest on. */
  certificate: Certificate
  /** Absent where there are none. */
  unknownNames?: UnknownNames
  /** Why the webhook was not told; absent where it was, or there is none. */
  webhookFailed?: string
}

/** What all parts of a divided run may know, as text; whatever lands or is decided meanwhile is not theirs. */
export interface PinnedKnowledge {
  knownAt: string
  knownTime: string | null
  isNewest: boolean
  auditSeq: string
  auditSha256: string
  exceptionScan: string
}

export interface ShardPlan {
  knowledge: PinnedKnowledge
  /** The tasks of each round, which may run at the same time. */
  rounds: readonly (readonly ShardTask[])[]
}

export interface ShardTask {
  share: 'card' | 'terminal'
  shard: number
}

/** How far a divided run is: of each round that is done, which attempt at each of its tasks counts. */
export interface ShardsDone {
  knowledge: PinnedKnowledge
  attempts: readonly (readonly number[])[]
}

export interface Activities {
  /** One small request: fails at once where a sweep would fail. */
  checkSource(input: { account: string }): Promise<void>
  /** Fills in what the request leaves open. */
  prepareRun(start: RunStart): Promise<Run>
  /** One bounded segment of a sweep; asked again until it is done. */
  sweepList(request: SweepRequest): Promise<SweepResult>
  /** Fixes what a divided run may know, and says what its tasks are. */
  planShards(run: Run): Promise<ShardPlan>
  /** One task of the round after those that are done; answers with the attempt that made its tables. */
  reconcileShard(run: Run, task: ShardTask, done: ShardsDone): Promise<number>
  /** The whole of it; of a divided run what is left when all rounds are done. */
  reconcile(run: Run, done?: ShardsDone): Promise<ReconcileResult>
  publish(run: Run): Promise<Published>
  /** One file, whole or not at all. */
  importFile(order: ImportOrder): Promise<ImportedFile>
  /** Writes down what became of a backfill, once for each event and instant. */
  recordBackfill(event: BackfillEvent): Promise<void>
  /** Merges, forgets and removes files, or copies them; no row changes by it. */
  maintainLake(order: MaintenanceOrder): Promise<Maintained>
  /** One decision, once. */
  actOnBooks(act: BooksAct): Promise<BooksActed>
}

/** What an activity that takes long says of itself in its heartbeats. */
export interface Heartbeat {
  doing: string
  pages?: number
  records?: number
  requests?: number
}
