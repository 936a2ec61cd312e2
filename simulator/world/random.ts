/** Repeatable random numbers: everything in a world is a function of its seed. */
import { assert, Failure } from '../../domain/failure.ts'

function mix(value: number): number {
  let hash = value | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return hash ^ (hash >>> 16)
}

/** A whole number below 2^32 from the seed, an index and a purpose. */
export function hash32(seed: number, index: number, purpose: number): number {
  return mix(mix(mix(seed + 0x9e3779b9) + index) + Math.imul(purpose, 0x27d4eb2f)) >>> 0
}

export interface Random {
  /** At least 0, below 1. */
  unit(): number
  /** A whole number from 0, below the limit. */
  below(limit: number): number
  pick<Item>(list: readonly Item[]): Item
}

/** A stream of random numbers; streams of different purposes are independent. */
export function randomFrom(seed: number, purpose: number): Random {
  let drawn = 0
  const unit = () => {
    drawn += 1
    return hash32(seed, drawn, purpose) / 0x1_0000_0000
  }
  const below = (limit: number) => Math.floor(unit() * limit)
  return { unit, below, pick: (list) => itemAt(list, below(list.length)) }
}

/** The item at an index that the caller knows to exist. */
export function itemAt<Item>(list: readonly Item[], place: number): Item {
  const item = list[place]
  assert(item !== undefined, `list of ${list.length} has no place ${place}`)
  return item
}

export type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array

/** The value of a row that the caller knows to exist. */
export function at(column: Column, row: number): number {
  const value = column[row]
  if (value === undefined) throw new Failure('bug', `column of ${column.length} has no row ${row}`)
  return value
}

/** First row whose value is not below the wanted one, in an ascending column. */
export function lowerBound(column: Column, wanted: number): number {
  let [low, high] = [0, column.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(column, middle) < wanted) low = middle + 1
    else high = middle
  }
  return low
}
