/** The neutral journal, the source of every accounting format. */

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

/** The output format of a file: the text before its entries, each entry, and the text after them. */
export interface Renderer {
  head: string
  /** `rowsBefore` is the number of journal lines rendered before, over all parts. */
  entry(entry: Entry, rowsBefore: number): { text: string; rows: number }
  tail: string
}
