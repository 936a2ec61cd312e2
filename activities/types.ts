/** What the workflows may ask of a worker. Types only: this file is read by workflow code. */
import type { BackfillEvent } from '../domain/backfill.ts'
import type { BooksAct, BooksActed } from '../domain/books.ts'
import type { Maintained, MaintenanceOrder } from '../domain/maintenance.ts'
import type { ImportedFile, ImportOrder } from '../domain/import.ts'
import type {
  Certificate,
  ReconcileResult,
  Run,
  SweepRequest,
  SweepResult,
  UnknownNames,
} from '../domain/run.ts'
import { type RunStart } from '../domain/run.ts'

export interface Published {
  pack: string
  /** The weakest certificate that the numbers rest on. */
  certificate: Certificate
  /** Absent where there are none. */
  unknownNames?: UnknownNames
  /** Why the webhook was not told; absent where it was, or there is none. */
  webhookFailed?: string
}

export interface Activities {
  /** One small request: fails at once where a sweep would fail. */
  checkSource(input: { account: string }): Promise<void>
  /** Fills in what the request leaves open. */
  prepareRun(start: RunStart): Promise<Run>
  /** One bounded segment of a sweep; asked again until it is done. */
  sweepList(request: SweepRequest): Promise<SweepResult>
  /** Recomputes every settlement and stores what was found. */
  reconcile(run: Run): Promise<ReconcileResult>
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
