/** The decisions of people about the books, and their receipts: names, ids and counts only. */

interface Act {
  account: string
  /** The person who decides. */
  actor: string
  /** Makes a repetition of the same order recognisable, even after a later decision. */
  orderId?: string
}

/** Closes or reopens an accounting period, such as `2026-11`. */
export interface PeriodAct extends Act {
  kind: 'close' | 'reopen'
  period: string
  reason: string
  /** The reason for closing with open blockers. */
  acceptOpen?: string
}

/** A reviewer's approval of a pack, tied to the hash of its manifest. */
export interface ApprovalAct extends Act {
  kind: 'approve'
  runId: string
  manifestSha256: string
  preparedBy: string
  reason: string
  /** True if the reviewer knows of the decisions that were made after the pack. */
  acceptsLater?: boolean
  /** The act that the pack's approval.json names, with its hash. Absent if the pack has no such file. */
  earlier?: { auditSeq: string; auditSha256: string }
}

/** A reviewer's refusal of a pack: it is to be corrected and made again. */
export interface RefusalAct extends Act {
  kind: 'refuse'
  runId: string
  manifestSha256: string
  reason: string
}

/** A decision about an exception; `reopen` withdraws the decision before it. */
export interface ExceptionAct extends Act {
  kind: 'exception.assign' | 'exception.reopen' | 'exception.resolve' | 'exception.waive'
  exceptionId: string
  reason: string
  /** The assignee. */
  to?: string
  /** The account, or its key in the chart, that takes a resolved variance, and the posting date. */
  clear?: { to: string; date?: string }
  /** The last day of a waiver. */
  until?: string
  /** The row of the file that asks for the decision, for messages. */
  row?: number
  /** Other cells of that row, in the notation of a spreadsheet. They say what the person decided about. */
  inRow?: { amount: string; code: string; subjectId: string }
}

/** Assigns a transaction to a settlement; `release` withdraws that. */
export interface AttributionAct extends Act {
  kind: 'transaction.attribute' | 'transaction.release'
  transactionId: string
  reason: string
  /** A settlement's id, or `none`. */
  settlement?: string
}

/** Decisions about several exceptions in one transaction: all or nothing, each with an entry of its own. */
export interface ExceptionActs extends Act {
  kind: 'exceptions'
  acts: readonly ExceptionAct[]
}

export type BooksAct =
  | ApprovalAct
  | AttributionAct
  | ExceptionAct
  | ExceptionActs
  | PeriodAct
  | RefusalAct

/** The receipt: the entry of the audit trail. */
export interface BooksActed {
  seq: string
  sha256: string
  actor: string
  actedAt: string
  /** True if the decision existed already, and the lake added nothing. */
  wasSo: boolean
  /** The number of decisions that the lake did not have before, if there are several. */
  recorded?: number
  /** The number of entries that an approval exported. */
  entries?: number
  /** The variance that a resolution clears: the account's key in the chart, and the posting date. */
  clearing?: { amount: string; to: string; date: string }
  /** The words of an approval that was recorded earlier, whatever a later one says. */
  firstApproval?: { preparedBy: string; reason: string }
}

/** The subject of an act: a run, a transaction, a period or an exception. */
export function subjectOf(act: BooksAct): string {
  if ('runId' in act) return act.runId
  if ('transactionId' in act) return act.transactionId
  if ('acts' in act) return `${act.acts.length} exceptions`
  return 'period' in act ? act.period : act.exceptionId
}

/** The months in which a record may lie. */
const PERIOD = /^(19[7-9]|20\d|21\d)\d-(0[1-9]|1[0-2])$/

export const isPeriod = (text: string): boolean => PERIOD.test(text)

/** The month after, such as `2027-01` for `2026-12`. */
export function nextPeriod(period: string): string {
  const [year = 0, month = 0] = period.split('-').map(Number)
  return new Date(Date.UTC(year, month)).toISOString().slice(0, 7)
}
