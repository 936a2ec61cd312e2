/** Verdicts, and the standing of each transaction's money. */
import { newest, type Records, type Settlement, signed, type Transaction } from './records.ts'

export interface Verdict {
  verdict: 'TIED' | 'OFF' | 'PENDING' | 'NO_DATA'
  transactions: number
  charges: number
  chargeCents: bigint
  refunds: number
  refundCents: bigint
  /** Null where it is empty. */
  computed: bigint | null
  difference: bigint | null
}

/** The settlement of each transaction, as the models decide. */
export type Attribution = ReadonlyMap<string, string>

export type Place = 'COMPLETE' | 'PENDING' | 'ORPHAN' | 'OPEN' | 'VOIDED' | 'NONE'

/** The verdict on each settlement, from its members one by one. */
export function verdictsOf(records: Records, attribution: Attribution): Map<string, Verdict> {
  const said = new Map<string, Verdict>()
  for (const { id } of newest(records.settlements)) {
    said.set(id, {
      verdict: 'TIED',
      transactions: 0,
      charges: 0,
      chargeCents: 0n,
      refunds: 0,
      refundCents: 0n,
      computed: 0n,
      difference: 0n,
    })
  }
  for (const transaction of newest(records.transactions)) {
    const verdict = said.get(attribution.get(transaction.id) ?? '')
    if (verdict === undefined) continue
    verdict.transactions += 1
    verdict.computed = (verdict.computed ?? 0n) + signed(transaction)
    if (transaction.action === 'CHARGE') {
      verdict.charges += 1
      verdict.chargeCents += transaction.total
    }
    if (transaction.action === 'REFUND') {
      verdict.refunds += 1
      verdict.refundCents += transaction.total
    }
  }
  for (const settlement of newest(records.settlements)) {
    const verdict = said.get(settlement.id)
    if (verdict !== undefined) judge(settlement, verdict, records)
  }
  return said
}

function judge(settlement: Settlement, verdict: Verdict, { readFrom }: Records): void {
  const isRead = settlement.landed <= readFrom
  if (settlement.status !== 'COMPLETE') {
    verdict.verdict = 'PENDING'
    if (verdict.transactions === 0) verdict.computed = null
  } else if (!isRead) {
    verdict.verdict = 'NO_DATA'
    verdict.computed = null
  } else if (verdict.computed !== settlement.net) verdict.verdict = 'OFF'
  verdict.difference = verdict.computed === null ? null : verdict.computed - settlement.net
}

const counts = ({ action }: Transaction) => action === 'CHARGE' || action === 'REFUND'

/** The one place of a transaction at `asOf`, from all its versions; `readFrom` is when its list was last read. */
export function placeOf(
  versions: readonly Transaction[],
  settlement: Settlement | undefined,
  { asOf, readFrom }: { asOf: bigint; readFrom: bigint },
): Place {
  const now = versions.at(-1)
  if (now === undefined || !counts(now) || now.created > asOf) return 'NONE'
  if (settlement !== undefined && settlement.created <= asOf) {
    if (settlement.status !== 'COMPLETE') return 'PENDING'
    if (settlement.landed <= readFrom) return 'COMPLETE'
    // Nothing is counted in a settlement that is not judged yet.
    return now.settled ? 'ORPHAN' : 'OPEN'
  }
  if (now.settled && settlement === undefined) return 'ORPHAN'
  if (now.settled || (now.approved && now.status === 'CAPTURE')) return 'OPEN'
  const wasCaptured = versions.some(({ approved, status }) => approved && status === 'CAPTURE')
  if (!wasCaptured || now.status !== 'VOID') return 'NONE'
  // A version without a time was read before asOf, as was every version of these worlds.
  const isVoid = versions.some(
    ({ status, created, modified }) =>
      status === 'VOID' && created <= asOf && (modified ?? created) <= asOf,
  )
  return isVoid ? 'VOIDED' : 'OPEN'
}
