/** Collects the facts of a whole journal that are needed before its first entry is rendered. */
import { Failure } from '../../domain/failure.ts'
import { count, emptyTally, type Entry, type Tally } from './entry.ts'
import { readEntries } from './read-entries.ts'

export interface AccountFacts {
  account: string
  name: string
  /** Debits minus credits of the whole journal. */
  balance_cents: bigint
  /** Position of the account's last line in the journal, from 0. */
  lastRow: number
}

export interface JournalFacts {
  /** YYYY-MM-DD; empty for a journal without entries. */
  firstDate: string
  lastDate: string
  /** The accounts by their ledger number, in the order of first use. */
  accounts: ReadonlyMap<string, AccountFacts>
  tally: Tally
}

/**
 * Reads a journal once. Throws invariant_broken if it is not in order of date or has two
 * currencies.
 */
export async function journalFacts(path: string): Promise<JournalFacts> {
  const accounts = new Map<string, AccountFacts>()
  let [first, last, row]: [Entry | undefined, Entry | undefined, number] = [undefined, undefined, 0]
  const tally = emptyTally()
  for await (const entries of readEntries(path)) {
    for (const entry of entries) {
      first ??= entry
      refuseDisorder(last ?? first, entry)
      last = entry
      count(tally, entry, entry.lines.length)
      for (const { account, accountName, amount_cents } of entry.lines) {
        const known = accounts.get(account)
        if (known === undefined)
          accounts.set(account, {
            ...{ account, name: accountName, balance_cents: amount_cents, lastRow: row },
          })
        else {
          known.balance_cents += amount_cents
          known.lastRow = row
        }
        row += 1
      }
    }
  }
  return { firstDate: first?.date ?? '', lastDate: last?.date ?? '', accounts, tally }
}

function refuseDisorder(before: Entry, entry: Entry): void {
  if (entry.date < before.date)
    throw new Failure('invariant_broken', `the entry ${entry.id} is not in order of date`)
  if (entry.currency !== before.currency)
    throw new Failure('invariant_broken', `the entry ${entry.id} is in another currency`)
}
