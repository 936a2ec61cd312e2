/** The refund ceiling, refund by refund. */
import { newest, type Records, type Transaction } from './records.ts'

/** The same time of day twelve calendar months earlier; the 29th of February becomes the 28th. */
function yearBefore(created: bigint): bigint {
  const at = new Date(Number(created / 1000n))
  const month = at.getUTCMonth()
  at.setUTCFullYear(at.getUTCFullYear() - 1)
  if (at.getUTCMonth() !== month) at.setUTCDate(0)
  return BigInt(at.getTime()) * 1000n + (created % 1000n)
}

const movesMoney = ({ settled, approved, status }: Transaction) =>
  settled || (approved && status !== 'VOID')

const sum = (some: readonly Transaction[]) => some.reduce((all, { total }) => all + total, 0n)

/** `REFUND_CEILING_BREACH id CERTAINTY` of each. */
export function breaches(records: Records): string[] {
  const cards = new Map<string, Transaction[]>()
  for (const one of newest(records.transactions)) {
    if (one.coarse === null || !movesMoney(one)) continue
    const card = cards.get(one.coarse)
    if (card === undefined) cards.set(one.coarse, [one])
    else card.push(one)
  }
  return [...cards.values()].flatMap((card) =>
    card
      .filter(({ action }) => action === 'REFUND')
      .flatMap((refund) => {
        const certainty = certaintyOf(refund, card, records)
        return certainty === null ? [] : [`REFUND_CEILING_BREACH ${refund.id} ${certainty}`]
      }),
  )
}

function certaintyOf(refund: Transaction, card: readonly Transaction[], records: Records) {
  const from = yearBefore(refund.created)
  const inWindow = card.filter(({ created }) => created >= from && created <= refund.created)
  const charges = inWindow.filter(({ action }) => action === 'CHARGE')
  const isSame = ({ fine }: Transaction) => fine === refund.fine
  const fine = sum(charges.filter(isSame))
  const refunds = sum(inWindow.filter((one) => one.action === 'REFUND' && isSame(one)))
  if (refund.total <= fine && refunds <= fine) return null
  if (!records.isHistoryCovered) return 'INSUFFICIENT_HISTORY'
  const couldLift = records.unread.some(
    ({ list, created, subject }) =>
      list === 'transactions' &&
      !records.transactions.has(subject) &&
      (created === null || (created >= from && created <= refund.created)),
  )
  return refund.total > sum(charges) && !couldLift ? 'CERTAIN' : 'SUSPECTED'
}
