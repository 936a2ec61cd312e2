/** The line of totals of listed exceptions, for the command line and the console. */
import { formatCents, grouped, printedCents } from '../domain/cents.ts'
import { countedNoun } from '../domain/headline.ts'
import type { ListedException, Listing } from './list-exceptions.ts'

/** The amount in cents, without its sign; zero if there is none. */
export function sizeOf({ amount }: ListedException): bigint {
  const amount_cents: bigint = printedCents(amount ?? '') ?? 0n
  return amount_cents < 0n ? -amount_cents : amount_cents
}

/**
 * Formats such as `2 exceptions as of 2025-11-02T00:00:00Z, gross difference 252.06 USD, other amounts 12.00 USD`. The
 * line nets nothing, and adds no difference to another amount (R-68). An item with several exceptions counts
 * once, as in the summaries: with its difference, else with its largest amount.
 */
export function totalsLine({ asOf, exceptions }: Listing, currency: string): string {
  const differences = exceptions.filter(({ code }) => code === 'AMOUNT_MISMATCH')
  const differing = new Set(differences.map(subjectOf))
  const others = exceptions.filter((one) => !differing.has(subjectOf(one)))
  return [
    `${countedNoun(exceptions.length, 'exception')} as of ${asOf}`,
    ...sumOf('gross difference', differences, currency),
    ...sumOf('other amounts', largestOfEach(others), currency),
  ].join(', ')
}

const subjectOf = ({ subjectType, subjectId }: ListedException) => `${subjectType} ${subjectId}`

/** The exception with the largest amount of each subject. */
function largestOfEach(exceptions: readonly ListedException[]): ListedException[] {
  const ascending = exceptions.toSorted((one, other) => Number(sizeOf(one) - sizeOf(other)))
  return [...new Map(ascending.map((one) => [subjectOf(one), one])).values()]
}

/** Formats such as `gross difference 252.06 USD`. Empty if no exception has an amount. */
function sumOf(name: string, exceptions: readonly ListedException[], currency: string): string[] {
  if (exceptions.every(({ amount }) => amount === null)) return []
  const sum_cents = exceptions.reduce((sum, one) => sum + sizeOf(one), 0n)
  return [`${name} ${grouped(formatCents(sum_cents))} ${currency}`]
}
