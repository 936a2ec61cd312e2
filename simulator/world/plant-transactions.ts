/**
 * Discrepancies of single transactions. Each is recorded, so that a test can compare them with the
 * findings.
 */
import { CANARY_CARD } from './canaries.ts'
import { addCard } from './cards.ts'
import { type Draft, INVOICE, MALFORMED, type Plant, setAmounts, VERIFY } from './draft.ts'
import { plantDuplicates } from './plant-duplicates.ts'
import { plantRefunds } from './plant-refunds.ts'
import { claim, findCharge, plantCount, plantInstants } from './pick.ts'
import { at, itemAt, type Random, randomFrom } from './random.ts'
import { DAY_S, midnightBefore, NEVER } from './time.ts'

interface Kind {
  code: string
  count: number
  suits: (draft: Draft, row: number) => boolean
  /** Changes the record and describes the discrepancy. */
  apply: (draft: Draft, row: number, ordinal: number) => Pick<Plant, 'cause' | 'cents' | 'visible'>
}

/**
 * Plants every kind that concerns one transaction, duplicates, refunds above their ceiling, and
 * the canaries.
 */
export function plantTransactions(draft: Draft): void {
  const count = plantCount(draft)
  if (count === 0) return
  const random = randomFrom(draft.options.seed, 400)
  for (const kind of kinds(count, random)) plantKind(draft, kind, random)
  plantDuplicates(draft, count, random)
  plantRefunds(draft, count, random)
  plantCanaries(draft, random)
}

/** Records a discrepancy that one transaction shows by itself. */
function record(draft: Draft, plant: Omit<Plant, 'subject' | 'settlement' | 'touches'>): void {
  draft.plants.push({ ...plant, subject: 'transaction', settlement: -1, touches: [] })
}

function plantKind(draft: Draft, kind: Kind, random: Random): void {
  for (const [ordinal, instant] of plantInstants(draft, kind.count, random).entries()) {
    const row = findCharge(draft, instant, (candidate) => kind.suits(draft, candidate))
    if (row === undefined) continue
    claim(draft, row)
    record(draft, { code: kind.code, transactions: [row], ...kind.apply(draft, row, ordinal) })
  }
}

const onCard = (draft: Draft, row: number): boolean =>
  itemAt(draft.terminals, at(draft.tx.terminal, row)).type === 'CARD'
const total = (draft: Draft, row: number): bigint => BigInt(at(draft.tx.total, row))
const created = (draft: Draft, row: number): number => at(draft.tx.created, row)
const anywhere = (): boolean => true

function kinds(count: number, random: Random): Kind[] {
  const malformed = Math.min(count, 4)
  return [
    { code: 'TOTAL_MISMATCH', count, suits: anywhere, apply: shiftTotal(random) },
    { code: 'UNSETTLED_AGED', count, suits: anywhere, apply: leaveUnsettled },
    { code: 'SETTLED_NOT_CAPTURED', count, suits: anywhere, apply: uncapture },
    { code: 'SETTLED_NOT_APPROVED', count, suits: anywhere, apply: disapprove },
    { code: 'VERIFY_NONZERO', count, suits: onCard, apply: verify },
    { code: 'AMOUNT_OVER_LIMIT', count, suits: onCard, apply: enlarge(random) },
    { code: 'QUARANTINED', count: malformed, suits: onCard, apply: spoilTotal },
    { code: 'QUARANTINED', count: malformed, suits: anywhere, apply: spoilCreated },
  ]
}

/** amountTotal is not the sum of its parts; the settlement counts amountTotal. */
function shiftTotal(random: Random): Kind['apply'] {
  return (draft, row, ordinal) => {
    const off = (1 + random.below(500)) * (ordinal % 2 === 0 ? 1 : -1)
    const shift = at(draft.tx.total, row) + off > 0 ? off : -off
    draft.tx.total[row] = at(draft.tx.total, row) + shift
    return { cause: 'PARTS', cents: BigInt(shift), visible: created(draft, row) }
  }
}

function leaveUnsettled(draft: Draft, row: number) {
  draft.tx.member[row] = 0
  const visible = midnightBefore(created(draft, row)) + 6 * DAY_S
  return { cause: 'NEVER_BATCHED', cents: total(draft, row), visible }
}

/** Settled and counted, although it is on hold or void. */
function uncapture(draft: Draft, row: number, ordinal: number) {
  const { tx, batches } = draft
  const hold = ordinal % 2 === 0
  if (hold) tx.capturedAt[row] = NEVER
  else
    tx.voidedAt[row] = Math.min(
      created(draft, row) + 900,
      at(batches.cutoff, at(tx.settlement, row)),
    )
  return { cause: hold ? 'HOLD' : 'VOID', cents: total(draft, row), visible: 'settled' as const }
}

function disapprove(draft: Draft, row: number) {
  draft.tx.approved[row] = 0
  return { cause: 'DECLINED', cents: total(draft, row), visible: 'settled' as const }
}

function verify(draft: Draft, row: number) {
  const { tx, terminals } = draft
  tx.action[row] = VERIFY
  tx.member[row] = itemAt(terminals, at(tx.terminal, row)).batchesVerify ? 1 : 0
  setAmounts(tx, row, { base: 100 })
  return { cause: 'AMOUNT', cents: 100n, visible: created(draft, row) }
}

/** Above 1,000,000.00; all but one in four were declined. */
function enlarge(random: Random): Kind['apply'] {
  return (draft, row, ordinal) => {
    setAmounts(draft.tx, row, { base: 100_000_001 + random.below(50_000_000) })
    if (ordinal % 4 !== 3) decline(draft, row)
    return { cause: 'amountBase', cents: total(draft, row), visible: created(draft, row) }
  }
}

function decline(draft: Draft, row: number): void {
  draft.tx.approved[row] = 0
  draft.tx.member[row] = 0
}

/**
 * `1,234.00`: the second one is settled, so that it affects one settlement; the first has a
 * canary's contact.
 */
function spoilTotal(draft: Draft, row: number, ordinal: number) {
  const { tx } = draft
  setAmounts(tx, row, { base: 123_400 })
  tx.malformed[row] = MALFORMED.total
  if (ordinal !== 1) decline(draft, row)
  if (ordinal === 0) tx.card[row] = addCard(draft.cards, CANARY_CARD)
  return { cause: 'amountTotal', cents: 123_400n, visible: created(draft, row) }
}

/** An instant without its Z. */
function spoilCreated(draft: Draft, row: number) {
  draft.tx.malformed[row] = MALFORMED.created
  decline(draft, row)
  return { cause: 'created', cents: total(draft, row), visible: created(draft, row) }
}

/**
 * Personal strings on ordinary sales over the whole history; one has a card number as invoice
 * number.
 */
function plantCanaries(draft: Draft, random: Random): void {
  const card = addCard(draft.cards, CANARY_CARD)
  for (const [ordinal, instant] of plantInstants(draft, 6, random).entries()) {
    const row = findCharge(draft, instant, (candidate) => onCard(draft, candidate))
    if (row === undefined) continue
    claim(draft, row)
    draft.tx.card[row] = card
    draft.tx.invoice[row] = ordinal < 2 ? INVOICE.canary : INVOICE.own
  }
}
