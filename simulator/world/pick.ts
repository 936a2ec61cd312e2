/**
 * The choice of places for discrepancies: some in the last month, for a nightly run, the rest over
 * the whole history.
 */
import { type Batches, type Draft, isPlain } from './draft.ts'
import type { SimulatorOptions } from './options.ts'
import { at, lowerBound, type Random } from './random.ts'
import { DAY_S } from './time.ts'

interface Span {
  start: number
  end: number
}

/**
 * The number of discrepancies of a kind: in proportion to the world, never fewer than the options
 * say.
 */
export function plantCount({ options }: { options: SimulatorOptions }): number {
  const { plantsPerKind, transactions } = options
  return Math.max(plantsPerKind, Math.round((plantsPerKind * transactions) / 200_000))
}

/** Instants for discrepancies; all are old enough for every threshold at the end of the world. */
export function plantInstants(span: Span, count: number, random: Random): number[] {
  const length = span.end - span.start
  const earliest = span.start + length * 0.15
  const latest = span.end - Math.min(9 * DAY_S, length * 0.4)
  const recent = Math.max(earliest, span.end - 30 * DAY_S)
  const recentCount = Math.max(1, Math.round(count * 0.15))
  return Array.from({ length: count }, (_, place) => {
    const [from, to] =
      place < recentCount || recent <= earliest ? [recent, latest] : [earliest, recent]
    return Math.floor(from + random.unit() * (to - from))
  })
}

/** The first suitable plain charge from an instant on; undefined if there is none. */
export function findCharge(
  draft: Draft,
  instant: number,
  suits: (row: number) => boolean,
): number | undefined {
  const { tx, batches } = draft
  const latest = draft.end - 8 * DAY_S
  for (let row = lowerBound(tx.created, instant); row < tx.count; row += 1) {
    if (at(tx.created, row) > latest) return undefined
    if (isPlain(draft, row) && isUnmarked(batches, at(tx.settlement, row)) && suits(row)) return row
  }
  return undefined
}

/** The last suitable plain charge before a row, up to a certain age. */
export function findEarlierCharge(
  draft: Draft,
  before: { row: number; age_s: number },
  suits: (row: number) => boolean,
): number | undefined {
  const { tx, batches } = draft
  const oldest = at(tx.created, before.row) - before.age_s
  for (let row = before.row - 1; row >= 0 && at(tx.created, row) >= oldest; row -= 1) {
    if (isPlain(draft, row) && isUnmarked(batches, at(tx.settlement, row)) && suits(row)) return row
  }
  return undefined
}

const isUnmarked = (batches: Batches, batch: number): boolean =>
  batch >= 0 && at(batches.marked, batch) === 0

/** Excludes a record, and the arithmetic of its batch, from all later discrepancies. */
export function claim(draft: Draft, row: number): void {
  draft.used[row] = 1
  const batch = at(draft.tx.settlement, row)
  if (batch >= 0) draft.batches.marked[batch] = 1
}
