/**
 * Computes the three stages as a careful programmer writes them by hand, row by row:
 * `node bench/run.mjs bench/peers/row-loop.ts FOLDER`. The rows come from the same Parquet as plain objects. Amounts
 * are numbers, because they fit.
 */
import { DuckDBInstance } from '@duckdb/node-api'
import { join } from 'node:path'
import { peakMemory_mb } from './peak-memory.ts'
import { FIRST_WINDOW_DAYS } from './three-stages.ts'

const US_PER_SECOND = 1_000_000
const DAY_US = 86_400 * US_PER_SECOND

interface Settlement {
  terminal: number
  /** Microseconds since 1970, as all instants here. */
  created: number
  reported: number
  net: number
  hasVoid: boolean
}

interface Item {
  id: number
  created: number
  signed: number
}

export async function main(): Promise<number> {
  const [folder = ''] = process.argv.slice(2)
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
  const began_cpu = process.cpuUsage()
  const began_ms = performance.now()
  const settlements = await connection.runAndReadAll(
    `select terminal_id::double, epoch_us(created)::double, reported_cents::double from '${join(folder, 'settlement.parquet')}' order by created, settlement_id`,
  )
  const terminals = byTerminal(settlements.getRows())
  const cards = new Map<string, Item[]>()
  const charges = new Map<string, Item[]>()
  const stream = await connection.stream(
    `select transaction_id::double, terminal_id::double, epoch_us(created)::double, action, status, approved, settled, total_cents::double, fine_key::varchar
     from '${join(folder, 'transaction.parquet')}'`,
  )
  for await (const rows of stream.yieldRows()) {
    for (const row of rows) {
      const [id, terminal, created, action, status, approved, settled, total, key] = row as [
        number,
        number,
        number,
        string,
        string,
        boolean,
        boolean,
        number,
        string | null,
      ]
      const signed = action === 'CHARGE' ? total : action === 'REFUND' ? -total : 0
      if (settled) place(terminals.get(terminal) ?? [], created, signed, status === 'VOID')
      const isGood = approved && status !== 'VOID'
      if (key === null || action === 'VERIFY' || !(settled || isGood)) continue
      const item = { id, created, signed }
      append(cards, key, item)
      if (action === 'CHARGE' && isGood) append(charges, `${key}|${total}`, item)
    }
  }
  const answers = {
    window: windows(terminals),
    ceiling: ceiling(cards),
    duplicates: duplicates(charges),
  }
  const used = process.cpuUsage(began_cpu)
  console.log(
    JSON.stringify({
      // A single pass feeds all three stages, so that only their total time is known.
      stages: { together: (performance.now() - began_ms) / 1000 },
      answers,
      cpu_s: (used.user + used.system) / 1_000_000,
      peak_rss_mb: peakMemory_mb(),
    }),
  )
  return 0
}

function byTerminal(rows: unknown[][]): Map<number, Settlement[]> {
  const terminals = new Map<number, Settlement[]>()
  for (const row of rows) {
    const [terminal, created, reported] = row as [number, number, number]
    append(terminals, terminal, { terminal, created, reported, net: 0, hasVoid: false })
  }
  return terminals
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

/** Adds a settled transaction to the first settlement that was created at or after it. */
function place(settlements: Settlement[], created: number, signed: number, isVoid = false): void {
  let low = 0
  let high = settlements.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((settlements[middle]?.created ?? 0) < created) low = middle + 1
    else high = middle
  }
  const settlement = settlements[low]
  if (settlement === undefined) return
  if (low === 0 && created <= settlement.created - FIRST_WINDOW_DAYS * DAY_US) return
  settlement.net += signed
  settlement.hasVoid ||= isVoid
}

function windows(terminals: Map<number, Settlement[]>): number[] {
  let [off, shifted, hasVoid, cents] = [0, 0, 0, 0]
  for (const settlements of terminals.values()) {
    for (const [at, settlement] of settlements.entries()) {
      if (settlement.hasVoid) hasVoid += 1
      const difference = settlement.net - settlement.reported
      if (difference === 0) continue
      off += 1
      cents += Math.abs(difference)
      const cancels = (other: Settlement | undefined) =>
        other !== undefined && other.net - other.reported === -difference
      if (cancels(settlements[at - 1]) || cancels(settlements[at + 1])) shifted += 1
    }
  }
  return [off, shifted, hasVoid, cents]
}

function ceiling(cards: Map<string, Item[]>): number[] {
  let [count, cents, ids] = [0, 0, 0n]
  for (const items of cards.values()) {
    if (!items.some(({ signed }) => signed < 0)) continue
    items.sort((a, b) => a.created - b.created)
    let [first, last, sum] = [0, 0, 0]
    for (const { id, created, signed } of items) {
      while (last < items.length && (items[last]?.created ?? 0) <= created) {
        sum += items[last]?.signed ?? 0
        last += 1
      }
      const from = yearBefore(created)
      while ((items[first]?.created ?? 0) < from) {
        sum -= items[first]?.signed ?? 0
        first += 1
      }
      if (signed >= 0 || sum >= 0) continue
      count += 1
      cents -= sum
      ids ^= BigInt(id)
    }
  }
  return [count, Number(ids), cents]
}

/** Returns the instant twelve calendar months earlier. The 29th of February becomes the 28th. */
function yearBefore(created_us: number): number {
  const at = new Date(Math.floor(created_us / 1000))
  const day = at.getUTCDate()
  at.setUTCFullYear(at.getUTCFullYear() - 1)
  if (at.getUTCDate() !== day) at.setUTCDate(0)
  return at.getTime() * 1000 + (created_us % 1000)
}

function duplicates(charges: Map<string, Item[]>): number[] {
  let [count, ids] = [0, 0n]
  for (const items of charges.values()) {
    if (items.length < 2) continue
    items.sort((a, b) => a.created - b.created || a.id - b.id)
    for (const [at, item] of items.entries()) {
      const before = items[at - 1]
      if (before === undefined || item.created - before.created > 600 * US_PER_SECOND) continue
      count += 1
      ids ^= BigInt(item.id)
    }
  }
  return [count, Number(ids)]
}
