/** Makes the batches: each terminal's cut-offs and settlements, and the transactions in them. */
import { batchAt, type Batches, CHARGE, type Draft, VERIFY } from './draft.ts'
import type { SimulatorOptions } from './options.ts'
import { at, hash32, itemAt } from './random.ts'
import type { Terminal } from './terminals.ts'
import { DAY_S, NEVER, weekday } from './time.ts'

/** Late captures and weekends extend the schedule by this many days. */
const AFTER_DAYS = 9
const JITTER_S = 1800

/**
 * Schedules a batch per terminal and day, without weekends if the terminal skips them. Most batches become
 * settlements.
 */
export function scheduleBatches(
  options: SimulatorOptions,
  start: number,
  terminals: readonly Terminal[],
): Batches {
  const created: number[] = []
  const cutoff: number[] = []
  const owner: number[] = []
  const first = [0]
  for (const [index, terminal] of terminals.entries()) {
    for (let day = 0; day < options.days + AFTER_DAYS; day += 1) {
      const place = index * 100_000 + day
      const at_s =
        start + day * DAY_S + terminal.closes_s + (hash32(options.seed, place, 200) % 600)
      if (terminal.skipsWeekends && [0, 6].includes(weekday(at_s))) continue
      created.push(at_s)
      cutoff.push(at_s - terminal.lag_s - (hash32(options.seed, place, 201) % JITTER_S))
      owner.push(index)
    }
    first.push(created.length)
  }
  return {
    created: Uint32Array.from(created),
    cutoff: Uint32Array.from(cutoff),
    terminal: Uint16Array.from(owner),
    first,
    marked: new Uint8Array(created.length),
  }
}

/**
 * Puts each transaction into the batch of its capture, not of its creation, and decides whether it
 * settles there.
 */
export function batchTransactions(draft: Draft): void {
  const { tx, batches, options } = draft
  for (let row = 0; row < tx.count; row += 1) {
    const terminal = at(tx.terminal, row)
    const created = at(tx.created, row)
    const captured = at(tx.capturedAt, row)
    const isOnHold = captured === NEVER
    const batch = batchAt(batches, terminal, isOnHold ? created : captured)
    tx.settlement[row] = batch
    tx.member[row] = isSettled(draft, row) ? 1 : 0
    if (at(tx.voidedAt, row) !== NEVER && batch >= 0) {
      const room = at(batches.cutoff, batch) - created
      tx.voidedAt[row] =
        created + Math.min(room, 60 + (hash32(options.seed, row, 202) % Math.max(1, room)))
    }
    if (!isOnHold && captured > created)
      markBetween(draft, batchAt(batches, terminal, created), batch)
  }
}

function isSettled(draft: Draft, row: number): boolean {
  const { tx, terminals } = draft
  if (at(tx.settlement, row) < 0 || at(tx.approved, row) === 0) return false
  if (at(tx.action, row) === VERIFY) return itemAt(terminals, at(tx.terminal, row)).batchesVerify
  return at(tx.voidedAt, row) === NEVER && at(tx.capturedAt, row) !== NEVER
}

/**
 * Marks batches that a late capture already changes. A planted mismatch there would look the same as the late
 * capture.
 */
function markBetween(draft: Draft, from: number, to: number): void {
  if (from >= 0 && to >= 0) draft.batches.marked.fill(1, from, to + 1)
}

/**
 * The members of each batch in one list, in order of creation. Batch b has the indexes from `start[b]` up to, but
 * without, `start[b + 1]`.
 */
export interface Membership {
  start: Int32Array
  rows: Int32Array
}

/** Sorts members by batch, or by settlement in a finished world. */
export function membership(tx: Draft['tx'], count: number): Membership {
  const start = new Int32Array(count + 1)
  for (let row = 0; row < tx.count; row += 1) {
    if (at(tx.member, row) === 1) {
      const slot = at(tx.settlement, row) + 1
      start[slot] = at(start, slot) + 1
    }
  }
  for (let place = 0; place < count; place += 1)
    start[place + 1] = at(start, place + 1) + at(start, place)
  const next = start.slice()
  const rows = new Int32Array(at(start, count))
  for (let row = 0; row < tx.count; row += 1) {
    if (at(tx.member, row) === 0) continue
    const place = at(tx.settlement, row)
    rows[at(next, place)] = row
    next[place] = at(next, place) + 1
  }
  return { start, rows }
}

export function membersOf(members: Membership, place: number): Int32Array {
  return members.rows.subarray(at(members.start, place), at(members.start, place + 1))
}

/** Returns true for an approved charge, which counts in favour of a refund even with the status HOLD. */
export function isCoveringCharge(draft: Draft, row: number): boolean {
  const { tx } = draft
  return (
    at(tx.action, row) === CHARGE &&
    at(tx.approved, row) === 1 &&
    at(tx.voidedAt, row) === NEVER &&
    at(tx.malformed, row) === 0
  )
}
