/** The correct balances of each terminal's ledger accounts, from the transactions one by one. */
import { type Attribution, type Place, placeOf, verdictsOf } from './standings.ts'
import { newest, type Records, signed, type Transaction } from './records.ts'

/** Debits less credits in cents, by `terminal account_key`; zero ones are left out. */
export type Balances = Map<string, bigint>

/** The place of every transaction. */
export function placesOf(records: Records, attribution: Attribution, asOf: bigint) {
  const places = new Map<string, Place>()
  for (const [id, versions] of records.transactions) {
    const settlement = records.settlements.get(attribution.get(id) ?? '')?.at(-1)
    places.set(id, placeOf(versions, settlement, { asOf, readFrom: records.readFrom }))
  }
  return places
}

export function balancesOf(records: Records, attribution: Attribution, asOf: bigint): Balances {
  const balances: Balances = new Map()
  const post = (terminal: string, account: string, cents: bigint) => {
    const key = `${terminal} ${account}`
    const sum = (balances.get(key) ?? 0n) + cents
    if (sum === 0n) balances.delete(key)
    else balances.set(key, sum)
  }
  const places = placesOf(records, attribution, asOf)
  for (const one of newest(records.transactions)) {
    const place = places.get(one.id)
    // A voided transaction is posted and reversed.
    if (place === 'NONE' || place === 'VOIDED') continue
    for (const [account, cents] of partsOf(one)) post(one.terminal, account, cents)
  }
  const verdicts = verdictsOf(records, attribution)
  for (const { id, terminal, status, net, created } of newest(records.settlements)) {
    const verdict = verdicts.get(id)
    if (verdict === undefined || status !== 'COMPLETE' || created > asOf) continue
    const relieved = verdict.verdict === 'NO_DATA' ? 0n : (verdict.computed ?? 0n)
    post(terminal, 'cash_in_transit', net)
    post(terminal, 'clearing', -relieved)
    post(terminal, 'suspense', relieved - net)
  }
  return balances
}

function partsOf(one: Transaction): [account: string, cents: bigint][] {
  const sign = one.action === 'CHARGE' ? 1n : -1n
  const part = (cents: bigint | null) => -sign * (cents ?? 0n)
  const known = [one.base, one.tax, one.shipping, one.tip, one.surcharge].reduce<bigint>(
    (all, cents) => all + (cents ?? 0n),
    0n,
  )
  return [
    ['clearing', signed(one)],
    [one.action === 'CHARGE' ? 'sales' : 'refunds', part(one.base)],
    ['tax', part(one.tax)],
    ['shipping', part(one.shipping)],
    ['tips', part(one.tip)],
    ['surcharge', part(one.surcharge)],
    ['unallocated', part(one.total - known)],
  ]
}
