/** What a person may decide about the books, and what comes of it: names, ids and counts only. */

interface Act {
  account: string
  /** Who acts. */
  actor: string
}

/** Closes or reopens an accounting period, such as `2026-11`. */
export interface PeriodAct extends Act {
  kind: 'close' | 'reopen'
  period: string
  reason: string
}

/** A reviewer's sign-off of a pack, tied to the hash of its manifest. */
export interface ApprovalAct extends Act {
  kind: 'approve'
  runId: string
  manifestSha256: string
  /** Hash of the pack's journal.csv, by which the run in the lake is known to be that of the pack. */
  journalSha256: string
  preparedBy: string
  reason: string
}

/** What somebody decides about an exception; `reopen` takes the decision before it back. */
export interface ExceptionAct extends Act {
  kind: 'exception.assign' | 'exception.reopen' | 'exception.resolve' | 'exception.waive'
  exceptionId: string
  reason: string
  /** To whom it is assigned. */
  to?: string
  /** The account, or its key in the chart, to which a resolved variance is cleared, and the day on which that posts. */
  clear?: { to: string; date?: string }
  /** The last day on which a waiver holds. */
  until?: string
}

/** Says in which settlement a transaction is; `release` takes that back. */
export interface AttributionAct extends Act {
  kind: 'transaction.attribute' | 'transaction.release'
  transactionId: string
  reason: string
  /** A settlement's id, or `none`. */
  settlement?: string
}

export type BooksAct = ApprovalAct | AttributionAct | ExceptionAct | PeriodAct

/** What stands in the audit trail afterwards. */
export interface BooksActed {
  seq: string
  sha256: string
  actor: string
  actedAt: string
  /** True where it had been so already, and nothing was added. */
  wasSo: boolean
  /** Of an approval: entries that were exported by it. */
  entries?: number
}

/** What an act is about: a run, a period, an exception. */
export function subjectOf(act: BooksAct): string {
  if ('runId' in act) return act.runId
  if ('transactionId' in act) return act.transactionId
  return 'period' in act ? act.period : act.exceptionId
}

const PERIOD = /^\d{4}-(0[1-9]|1[0-2])$/

export const isPeriod = (text: string): boolean => PERIOD.test(text)
