/** The activities that workflows call. Types only, because workflow code reads this file. */
import type { BackfillEvent, BackfillRecorded } from '../domain/backfill.ts'
import type { BooksAct, BooksActed } from '../domain/books.ts'
import type { Maintained, MaintenanceOrder } from '../domain/maintenance.ts'
import type { Outcome } from '../domain/webhook.ts'
import type { ImportedFile, ImportOrder } from '../domain/import.ts'
import {
  type Certificate,
  type ReconcileResult,
  type Run,
  type SweepRequest,
  type SweepResult,
  type UnknownNames,
  type PreparedRun,
  type RunStart,
} from '../domain/run.ts'

export interface Published {
  pack: string
  /** The pack that OUT/<account>/latest names, if it is another one: `<from>_<to>/<runId>`. */
  latest?: string
  /** The pack that OUT/<account>/latest named before, if this lake did not publish it. Absent otherwise. */
  foreignLatest?: string
  /** The weakest certificate that the numbers rest on. */
  certificate: Certificate
  /** Absent if there are none. */
  unknownNames?: UnknownNames
  /** The reason why the webhook call failed; absent if it succeeded or is not configured. */
  webhookFailed?: string
}

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
