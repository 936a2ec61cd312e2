/**
 * The lists of the service at the present moment. Their order is made once per position of the
 * clock, then cut into pages.
 */
import { lastModifiedAt, isSwapped, type Moment, settlementChangedAt } from '../world/moment.ts'
import type { ListName, ListOrder } from '../world/options.ts'
import { at, hash32, itemAt } from '../world/random.ts'

/** Returns the indexes of the records of one list, in its order; of one terminal or of all. */
export type ListReader = (list: ListName, terminal: number | undefined) => Int32Array

/** Answers from memory while the moment lasts. */
export function listsAt(moment: Moment): ListReader {
  const known = new Map<string, Int32Array>()
  const remember = (key: string, make: () => Int32Array) => {
    const places = known.get(key) ?? make()
    known.set(key, places)
    return places
  }
  const whole = (list: ListName) => remember(list, () => order(moment, list))
  return (list, terminal) => {
    if (terminal === undefined) return whole(list)
    return remember(`${list} ${terminal}`, () =>
      whole(list).filter((place) => terminalOf(moment, list, place) === terminal),
    )
  }
}

function terminalOf({ world }: Moment, list: ListName, place: number): number {
  if (list === 'terminals') return place
  if (list === 'settlements') return itemAt(world.settlements, place).terminal
  return at(world.tx.terminal, place)
}

/** Records lie in order of creation, so those that exist are the first ones. */
function existing({ world, now }: Moment, list: ListName): number {
  if (list === 'terminals') return world.terminals.length
  if (list === 'settlements')
    return countUntil(
      world.settlements.length,
      (place) => itemAt(world.settlements, place).created <= now,
    )
  return countUntil(world.tx.count, (row) => at(world.tx.created, row) <= now)
}

function countUntil(length: number, exists: (place: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (exists(middle)) low = middle + 1
    else high = middle
  }
  return low
}

function order(moment: Moment, list: ListName): Int32Array {
  const count = existing(moment, list)
  const inOrder = Int32Array.from({ length: count }, (_, place) => place)
  const make: Record<ListOrder, () => Int32Array> = {
    'created-asc': () => inOrder,
    'created-desc': () => inOrder.toReversed(),
    'id-asc': () => (list === 'transactions' ? byId(moment, inOrder) : inOrder),
    'modified-desc': () => byKey(count, (place) => modifiedAt(moment, list, place)).toReversed(),
    shuffled: () => byKey(count, (place) => hash32(moment.world.options.seed, place, 900)),
  }
  return make[moment.options.order[list]]()
}

/** Sorts indexes by a whole number below 2^32, equal ones by index. */
function byKey(count: number, key: (place: number) => number): Int32Array {
  const span = 2 ** 21
  const keys = Float64Array.from({ length: count }, (_, place) => key(place))
  // A double holds key and index side by side, exactly, if the index has at most 21 bits.
  if (count <= span) {
    const pairs = keys.map((wanted, place) => wanted * span + place).sort()
    return Int32Array.from(pairs, (pair) => pair % span)
  }
  const places = Int32Array.from({ length: count }, (_, place) => place)
  return places.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b)
}

function modifiedAt(moment: Moment, list: ListName, place: number): number {
  if (list === 'terminals') return place
  return list === 'settlements' ? settlementChangedAt(moment, place) : lastModifiedAt(moment, place)
}

/** Exchanges neighbours whose ids are in reverse order; the second of a pair may not exist yet. */
function byId({ world }: Moment, inOrder: Int32Array): Int32Array {
  for (let row = 0; row + 1 < inOrder.length; row += 2) {
    if (!isSwapped(world, row)) continue
    inOrder[row] = row + 1
    inOrder[row + 1] = row
  }
  return inOrder
}
