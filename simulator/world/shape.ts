/** Shapes rare but natural days: settlements of zero, and settlements with more refunds than charges. */
import { type Membership, membership, membersOf } from './batches.ts'
import { copySale, type Draft, INVOICE, isPlain, REFUND } from './draft.ts'
import { findEarlierCharge } from './pick.ts'
import { at, hash32 } from './random.ts'
import { DAY_S } from './time.ts'

/** The share of small batches that become zero: one in this many. The same number becomes negative. */
const ONE_IN = 40

/** Turns some small batches of plain charges into zero and negative ones. */
export function shapeDays(draft: Draft): void {
  const { batches, options } = draft
  const members = membership(draft.tx, batches.created.length)
  for (let batch = 0; batch < batches.created.length; batch += 1) {
    const rows = plainMembers(draft, members, batch)
    if (rows.length < 2 || rows.length > 5) continue
    const draw = hash32(options.seed, batch, 300) % ONE_IN
    if (draw === 0) makeZero(draft, rows)
    if (draw === 1) makeNegative(draft, rows)
  }
}

/** Returns the members if every one is a plain charge, or else none. */
function plainMembers(draft: Draft, members: Membership, batch: number): number[] {
  if (at(draft.batches.marked, batch) === 1) return []
  const rows = [...membersOf(members, batch)]
  return rows.every((row) => isPlain(draft, row)) ? rows : []
}

/** Refunds the first charge in full on the same day. The others are declined. */
function makeZero(draft: Draft, rows: readonly number[]): void {
  const { tx } = draft
  const [charge = 0, refund = 0, ...others] = rows
  copySale(tx, charge, refund)
  tx.action[refund] = REFUND
  tx.invoice[charge] = INVOICE.own
  tx.invoice[refund] = INVOICE.own
  draft.refunded[charge] = 1
  for (const row of others) {
    tx.approved[row] = 0
    tx.member[row] = 0
  }
}

/** Turns the last charge into the refund of an earlier one that is larger than all the others. */
function makeNegative(draft: Draft, rows: readonly number[]): void {
  const { tx } = draft
  const last = rows.at(-1) ?? 0
  const others = rows.slice(0, -1).reduce((sum, row) => sum + at(tx.total, row), 0)
  const larger = (row: number) =>
    at(tx.terminal, row) === at(tx.terminal, last) &&
    at(tx.total, row) > others &&
    !rows.includes(row)
  const earlier = findEarlierCharge(draft, { row: last, age_s: 120 * DAY_S }, larger)
  if (earlier === undefined) return
  draft.refunded[earlier] = 1
  copySale(tx, earlier, last)
  tx.action[last] = REFUND
  tx.invoice[last] = INVOICE.own
}
