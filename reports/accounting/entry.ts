/** The neutral journal, as every accounting format is rendered from it. */

export interface EntryLine {
  /** The account of the ledger, such as `1100`. */
  account: string
  accountName: string
  /** Debits plus, credits minus; never zero. */
  amount_cents: bigint
}

/** Lines that sum to zero, with one date and one cause. */
export interface Entry {
  id: string
  /** YYYY-MM-DD */
  date: string
  currency: string
  memo: string
  settlementId: string
  terminalId: string
  source: string
  lines: readonly EntryLine[]
}

/** Ledger account by key, such as `clearing`. */
export type Chart = Readonly<Record<string, { account: string; name: string }>>

/** One format: what stands before the entries of a file, each entry, what stands after them. */
export interface Renderer {
  head: string
  /** `rowsBefore` is the number of journal lines that were rendered before, over all parts. */
  entry(entry: Entry, rowsBefore: number): { text: string; rows: number }
  tail: string
}
