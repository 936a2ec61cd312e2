/**
 * The duplicates: one card and amount twice within 10 minutes; and look-alikes with two invoice
 * numbers.
 */
import { batchAt, copySale, type Draft, INVOICE, isPlain } from './draft.ts'
import { claim, findCharge, plantInstants } from './pick.ts'
import { at, itemAt, type Random } from './random.ts'

/**
 * Plants duplicates, and half as many look-alikes. Those are not recorded, because finding one
 * would be wrong.
 */
export function plantDuplicates(draft: Draft, count: number, random: Random): void {
  const lookalikes = Math.ceil(count / 2)
  for (const [ordinal, instant] of plantInstants(draft, count, random).entries()) {
    const pair = plantPair(draft, instant, 30 + random.below(570))
    if (pair === undefined) continue
    draft.tx.invoice[pair.earlier] = ordinal % 2 === 0 ? INVOICE.none : INVOICE.own
    draft.tx.invoice[pair.later] = INVOICE.none
    draft.plants.push({
      code: 'DUPLICATE_CHARGE',
      cause: ordinal % 2 === 0 ? 'NO_INVOICE' : 'ONE_INVOICE',
      subject: 'transaction',
      transactions: [pair.earlier, pair.later],
      settlement: -1,
      cents: BigInt(at(draft.tx.total, pair.later)),
      visible: at(draft.tx.created, pair.later),
      touches: [],
    })
  }
  for (const instant of plantInstants(draft, lookalikes, random)) {
    const pair = plantPair(draft, instant, 30 + random.below(570))
    if (pair === undefined) continue
    draft.tx.invoice[pair.earlier] = INVOICE.own
    draft.tx.invoice[pair.later] = INVOICE.own
  }
}

/** Makes the next record after a charge its repetition, and moves its instant closer if needed. */
function plantPair(draft: Draft, instant: number, apart_s: number) {
  const { tx, batches } = draft
  const suits = (row: number): boolean => {
    const later = row + 1
    if (later >= tx.count || !isPlain(draft, later) || !isTellable(draft, row)) return false
    const batch = batchAt(batches, at(tx.terminal, later), closer(draft, row, apart_s))
    return batch === at(tx.settlement, later) && isTellable(draft, later)
  }
  const earlier = findCharge(draft, instant, suits)
  if (earlier === undefined) return undefined
  const later = earlier + 1
  tx.created[later] = closer(draft, earlier, apart_s)
  tx.capturedAt[later] = at(tx.created, later)
  copySale(tx, earlier, later)
  claim(draft, earlier)
  claim(draft, later)
  return { earlier, later }
}

const closer = (draft: Draft, row: number, apart_s: number): number =>
  Math.min(at(draft.tx.created, row + 1), at(draft.tx.created, row) + apart_s)

/**
 * Returns true for a card with amounts that rarely repeat by chance, and without a surcharge that
 * the other terminal may refuse.
 */
function isTellable(draft: Draft, row: number): boolean {
  const terminal = itemAt(draft.terminals, at(draft.tx.terminal, row))
  return (
    terminal.type === 'CARD' && terminal.prices.length === 0 && at(draft.tx.surcharge, row) === 0
  )
}
