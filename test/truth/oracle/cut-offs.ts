/**
 * Every way in which a small terminal's transactions can be cut into its settlements, by trying them all.
 * Written from alone; slow and plain on purpose.
 */
export interface Item {
  id: number
  /** Minutes after some midnight. */
  at: number
  cents: number
}

export interface Batch {
  id: number
  at: number
  net: number
}

export interface SmallCase {
  /** The items are in order of time, then of id. */
  items: readonly Item[]
  /** By time. */
  batches: readonly Batch[]
}

/** The position of each item's settlement; the number of settlements stands for none yet. */
export type Assignment = readonly number[]

/** An assignment that the rules allow. */
export interface Choice {
  assignment: Assignment
  tied: ReadonlySet<number>
  /** Made by cuts alone. */
  isCut: boolean
}

const TOLERANCE = 12 * 60
/** Two clocks may differ by this much. */
const SKEW = 2
const NEAR_CUT = 2 * 60
const SHIFT_SPAN = 7 * 24 * 60

/** The possible numbers of items before each cut-off: from the tolerance before created to two minutes after it. */
export function endsOf({ items, batches }: SmallCase): number[][] {
  return batches.map(({ at }) => {
    const least = items.filter((item) => item.at <= at - TOLERANCE).length
    const most = items.filter((item) => item.at <= at + SKEW).length
    return Array.from({ length: most - least + 1 }, (_, i) => least + i)
  })
}

/** All ways to choose an end for each settlement, none before the one before it. */
export function cutsOf(small: SmallCase): number[][] {
  let partial: number[][] = [[]]
  for (const ends of endsOf(small)) {
    partial = partial.flatMap((cuts) =>
      ends.filter((end) => end >= (cuts.at(-1) ?? 0)).map((end) => [...cuts, end]),
    )
  }
  return partial
}

export const assignmentOf = (small: SmallCase, cuts: readonly number[]): Assignment =>
  small.items.map((_, place) => {
    const batch = cuts.findIndex((end) => place < end)
    return batch === -1 ? small.batches.length : batch
  })

/** Computed less reported net of each settlement. */
export function differencesOf({ items, batches }: SmallCase, assignment: Assignment): number[] {
  const sums = batches.map(({ net }) => -net)
  items.forEach(({ cents }, place) => {
    const batch = assignment[place] ?? batches.length
    if (batch < batches.length) sums[batch] = (sums[batch] ?? 0) + cents
  })
  return sums
}

const tiedIn = (differences: readonly number[]) =>
  new Set([...differences.keys()].filter((batch) => differences[batch] === 0))

/**
 * Moves and swaps of up to two items near each cut-off, to the settlement on its other side, that change no sum.
 * The items are those of the two settlements beside the cut-off, or of all.
 */
export function rivalsBySwap(
  small: SmallCase,
  cuts: readonly number[],
  ofAll = false,
): Assignment[] {
  const base = assignmentOf(small, cuts)
  const found: Assignment[] = []
  cuts.forEach((end, batch) => {
    const cutAt = small.items[end - 1]?.at
    if (cutAt === undefined) return
    const near = small.items.flatMap((item, place) =>
      Math.abs(item.at - cutAt) <= NEAR_CUT &&
      (ofAll || [batch, batch + 1].includes(base[place] ?? -1))
        ? [place]
        : [],
    )
    const isBefore = (place: number) => (base[place] ?? 0) <= batch
    const crossed = (places: readonly number[]): Assignment =>
      base.map((at, place) => {
        if (!places.includes(place)) return at
        return isBefore(place) ? batch + 1 : batch
      })
    for (const [i, one] of near.entries()) {
      for (const places of [[one], ...near.slice(i + 1).map((other) => [one, other])]) {
        const moved = places.reduce(
          (sum, place) => sum + (isBefore(place) ? 1 : -1) * (small.items[place]?.cents ?? 0),
          0,
        )
        if (moved === 0) found.push(crossed(places))
      }
    }
  })
  return found
}

/** Moves one item out of order if two differences cancel, but never behind its settlement. */
function shiftsOf(small: SmallCase, base: Assignment): Assignment[] {
  const differences = differencesOf(small, base)
  const found: Assignment[] = []
  small.items.forEach(({ at, cents }, place) => {
    const from = base[place] ?? 0
    small.batches.forEach((batch, to) => {
      const home = small.batches[from]
      if (to === from || home === undefined || cents === 0 || at > batch.at) return
      const isNear = Math.abs(batch.at - home.at) <= SHIFT_SPAN
      if (isNear && differences[from] === cents && differences[to] === -cents) {
        found.push(base.map((held, other) => (other === place ? to : held)))
      }
    })
  })
  return found
}

/**
 * Every assignment under which at least so many settlements tie. An assignment comes from cut-offs alone or two interchangeable items,
 * and, if requested, from one item out of order.
 */
export function choicesOf(
  small: SmallCase,
  { atLeast, withShift, ofAll = false }: { atLeast: number; withShift: boolean; ofAll?: boolean },
): Choice[] {
  return cutsOf(small).flatMap((cuts) => {
    const base = assignmentOf(small, cuts)
    const inOrder = [base, ...rivalsBySwap(small, cuts, ofAll)]
    const all = withShift ? [...inOrder, ...shiftsOf(small, base)] : inOrder
    return all
      .map((assignment) => ({
        assignment,
        isCut: assignment === base,
        tied: tiedIn(differencesOf(small, assignment)),
      }))
      .filter(({ tied }) => tied.size >= atLeast)
  })
}

/** The different sets of items that a settlement holds in those choices, as sorted ids. */
export function setsOf(
  { items }: SmallCase,
  choices: readonly Choice[],
  batch: number,
): Set<string> {
  return new Set(
    choices.map(({ assignment }) =>
      items
        .flatMap(({ id }, place) => (assignment[place] === batch ? [id] : []))
        .sort((a, b) => a - b)
        .join(' '),
    ),
  )
}
