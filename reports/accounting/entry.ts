/** The neutral journal, the source of every accounting format. */
import { Failure } from '../../domain/failure.ts'

export interface EntryLine {
  /** The account of the ledger, such as `1100`. */
  account: string
  accountName: string
  /** Debits plus, credits minus; never zero. */
  amount_cents: bigint
  /** Empty for a line of several terminals. */
  terminalId: string
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

/** The control totals of a file: what a program shows after an import. */
export interface Tally {
  entries: number
  lines: number
  debit_cents: bigint
  credit_cents: bigint
}

export const emptyTally = (): Tally => ({ entries: 0, lines: 0, debit_cents: 0n, credit_cents: 0n })

/** Counts one entry, which has `lines` lines in its file. */
export function count(tally: Tally, entry: Entry, lines: number): void {
  tally.entries += 1
  tally.lines += lines
  for (const { amount_cents } of entry.lines) {
    if (amount_cents > 0n) tally.debit_cents += amount_cents
    else tally.credit_cents -= amount_cents
  }
}

/**
 * Divides an entry that is longer than a file may be at the ends of terminals, which balance by themselves. The parts
 * are numbered: `D-20261118.1`. Other entries stay whole.
 */
export function dividedByTerminal(entry: Entry, maxLines: number): Entry[] {
  const parts: EntryLine[][] = []
  for (const lines of entry.lines.length > maxLines ? byTerminal(entry.lines) : []) {
    const part = parts.at(-1)
    if (part !== undefined && part.length + lines.length <= maxLines) part.push(...lines)
    else parts.push([...lines])
  }
  if (parts.length < 2) return [entry]
  return parts.map((lines, at) => balanced({ ...entry, id: `${entry.id}.${at + 1}`, lines }))
}

function byTerminal(lines: readonly EntryLine[]): EntryLine[][] {
  const terminals = new Map<string, EntryLine[]>()
  for (const line of lines) {
    const known = terminals.get(line.terminalId)
    if (known === undefined) terminals.set(line.terminalId, [line])
    else known.push(line)
  }
  return [...terminals.values()]
}

/** Returns the entry. Throws invariant_broken if it does not sum to zero. */
export function balanced(entry: Entry): Entry {
  const sum = entry.lines.reduce((total, { amount_cents }) => total + amount_cents, 0n)
  if (sum === 0n && entry.lines.length > 0) return entry
  throw new Failure('invariant_broken', `the entry ${entry.id} does not sum to zero`)
}
