/** The activities that workflows call. Types only, because workflow code reads this file. */
import type { BackfillEvent, BackfillRecorded } from '../domain/backfill.ts'
import type { BooksAct, BooksActed } from '../domain/books.ts'
import type { Maintained, MaintenanceOrder } from '../domain/maintenance.ts'
import type { Outcome } from '../domain/webhook.ts'
import type { ImportedFile, ImportOrder } from '../domain/import.ts'
import {
  type PreparedRun,
  type Published,
  type ReconcileResult,
  type Run,
  type RunStart,
  type SweepRequest,
  type SweepResult,
} from '../domain/run.ts'

export interface Activities {
  /** Sends one small request, which fails at once if a sweep would fail. */
  checkSource(input: { account: string }): Promise<void>
  /** Fills in the absent parts of the request. */
  prepareRun(start: RunStart): Promise<PreparedRun>
  /** Reads one bounded segment of a sweep; called again until it is done. */
  sweepList(request: SweepRequest): Promise<SweepResult>
  /** Recomputes every settlement and stores the results. */
  reconcile(run: Run): Promise<ReconcileResult>
  publish(run: Run): Promise<Published>
  /** Posts the outcome of a run or a backfill that failed, or is late. Never fails because of the receiver. */
  postOutcome(outcome: Outcome): Promise<void>
  /** Imports one file completely or not at all. */
  importFile(order: ImportOrder): Promise<ImportedFile>
  /** Records an event of a backfill, once for each event and instant. */
  recordBackfill(event: BackfillEvent): Promise<BackfillRecorded>
  /** Merges, deletes or copies files; no row changes. */
  maintainLake(order: MaintenanceOrder): Promise<Maintained>
  /** Records one decision once. */
  actOnBooks(act: BooksAct): Promise<BooksActed>
}
