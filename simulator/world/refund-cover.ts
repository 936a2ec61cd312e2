/**
 * Turns a simulated refund into a charge if it exceeds the charges of its card within 12 months.
 */
import { isCoveringCharge } from './batches.ts'
import { CHARGE, type Draft, INVOICE, REFUND } from './draft.ts'
import { at } from './random.ts'
import { DAY_S } from './time.ts'

/**
 * Charges count for less than 12 months, refunds for more, so that no reading of `12 months` finds
 * a breach.
 */
const CHARGES_S = 363 * DAY_S
const REFUNDS_S = 368 * DAY_S

/** Checks each card that has a refund, over all its transactions in order of time. */
export function coverRefunds(draft: Draft): void {
  const { tx } = draft
  const cards = draft.cards.cards + draft.cards.accounts + draft.cards.special.length
  const next = new Int32Array(tx.count).fill(-1)
  const head = new Int32Array(cards).fill(-1)
  const hasRefund = new Uint8Array(cards)
  for (let row = tx.count - 1; row >= 0; row -= 1) {
    const card = at(tx.card, row)
    next[row] = at(head, card)
    head[card] = row
    if (at(tx.action, row) === REFUND) hasRefund[card] = 1
  }
  for (let card = 0; card < cards; card += 1) {
    if (at(hasRefund, card) === 0) continue
    const rows: number[] = []
    for (let row = at(head, card); row >= 0; row = at(next, row)) rows.push(row)
    coverCard(draft, rows)
  }
}

function coverCard(draft: Draft, rows: readonly number[]): void {
  const { tx, used } = draft
  for (const [place, row] of rows.entries()) {
    if (at(tx.action, row) !== REFUND || at(used, row) === 1) continue
    const now = at(tx.created, row)
    let [charged, refunded] = [0, 0]
    for (const earlier of rows.slice(0, place)) {
      const age_s = now - at(tx.created, earlier)
      if (isCoveringCharge(draft, earlier) && age_s <= CHARGES_S) charged += at(tx.total, earlier)
      if (at(tx.action, earlier) === REFUND && age_s <= REFUNDS_S) refunded += at(tx.total, earlier)
    }
    if (refunded + at(tx.total, row) <= charged) continue
    tx.action[row] = CHARGE
    tx.invoice[row] = INVOICE.own
  }
}
