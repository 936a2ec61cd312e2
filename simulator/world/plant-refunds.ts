/** Plants refunds above the charges of their card within 12 months, on cards that no other record uses. */
import { addCard, type Contact, type SpecialCard } from './cards.ts'
import { type Draft, INVOICE, REFUND, setAmounts } from './draft.ts'
import { claim, findCharge, findEarlierCharge, plantInstants } from './pick.ts'
import { at, itemAt, type Random } from './random.ts'
import { DAY_S } from './time.ts'

const WITHIN = 40 * DAY_S

/** Plants certain breaches, and breaches that only the holder's name and zip reveal. */
export function plantRefunds(draft: Draft, count: number, random: Random): void {
  for (const [ordinal, instant] of plantInstants(draft, count, random).entries()) {
    plantCertain(draft, ordinal, instant + random.below(DAY_S))
  }
  for (const [ordinal, instant] of plantInstants(draft, count, random).entries()) {
    plantSuspected(draft, ordinal, instant)
  }
}

/** Plants a refund that exceeds all charges with this brand and these last four digits. */
function plantCertain(draft: Draft, ordinal: number, instant: number): void {
  const { tx } = draft
  const card = addCard(draft.cards, specialCard(`0${String(100 + ordinal)}`, 'Certain'))
  const refund = findCharge(draft, instant, (row) => onCard(draft, row))
  if (refund === undefined) return
  claim(draft, refund)
  const charge = findEarlierCharge(draft, { row: refund, age_s: WITHIN }, (row) =>
    onCard(draft, row),
  )
  if (charge !== undefined) {
    claim(draft, charge)
    tx.card[charge] = card
  }
  const charged = charge === undefined ? 0 : at(tx.total, charge)
  const excess = 5000 + 137 * (ordinal + 1)
  turnIntoRefund(draft, refund, { card, cents: charged + excess })
  recordBreach(draft, 'CERTAIN', {
    rows: charge === undefined ? [refund] : [charge, refund],
    excess,
  })
}

/**
 * Plants a breach on two people who share brand and last four digits. A refund to one of them is above that person's
 * own charges, but below the charges of both.
 */
function plantSuspected(draft: Draft, ordinal: number, instant: number): void {
  const { tx } = draft
  const lastFour = `0${String(500 + ordinal)}`
  const refund = findCharge(draft, instant, (row) => onCard(draft, row))
  if (refund === undefined) return
  const before = { row: refund, age_s: WITHIN }
  const own = findEarlierCharge(draft, before, (row) => onCard(draft, row))
  const other = findEarlierCharge(
    draft,
    before,
    (row) => onCard(draft, row) && row !== own && at(tx.total, row) > 1000,
  )
  if (own === undefined || other === undefined) return
  for (const row of [refund, own, other]) claim(draft, row)
  const card = addCard(draft.cards, specialCard(lastFour, 'Suspected'))
  tx.card[own] = card
  tx.card[other] = addCard(draft.cards, specialCard(lastFour, 'Neighbour'))
  const excess = Math.floor(at(tx.total, other) / 2)
  turnIntoRefund(draft, refund, { card, cents: at(tx.total, own) + excess })
  recordBreach(draft, 'SUSPECTED', { rows: [own, refund], excess })
}

function turnIntoRefund(draft: Draft, row: number, refund: { card: number; cents: number }): void {
  const { tx } = draft
  tx.action[row] = REFUND
  tx.card[row] = refund.card
  tx.invoice[row] = INVOICE.own
  setAmounts(tx, row, { base: refund.cents })
}

function recordBreach(
  draft: Draft,
  cause: string,
  breach: { rows: number[]; excess: number },
): void {
  const refund = breach.rows.at(-1) ?? 0
  draft.plants.push({
    code: 'REFUND_CEILING_BREACH',
    cause,
    subject: 'transaction',
    transactions: breach.rows,
    settlement: -1,
    cents: BigInt(breach.excess),
    visible: at(draft.tx.created, refund),
    touches: [],
  })
}

const onCard = (draft: Draft, row: number): boolean =>
  itemAt(draft.terminals, at(draft.tx.terminal, row)).type === 'CARD'

function specialCard(lastFour: string, lastName: string): SpecialCard {
  const billing: Contact = {
    firstName: 'Robin',
    lastName,
    email: `robin.${lastName.toLowerCase()}@mail.example`,
    address: { address: '1 Short Street', city: 'Salem', state: 'OR', country: 'US', zip: '97301' },
  }
  return { type: 'CARD', accountType: 'DISCOVER', lastFour, billing }
}
