/** The checklist for closing an accounting period: blockers, which refuse the close, and notes. */
import { countedNoun } from '../domain/headline.ts'
import type { DuckDBConnection } from '@duckdb/node-api'
import { nextPeriod } from '../domain/books.ts'
import { formatCents, grouped } from '../domain/cents.ts'
import type { Settings } from '../domain/settings.ts'
import { readModel } from '../lake/run/models.ts'
import { sweepStatus } from '../lake/results/status.ts'
import { isThere } from '../lake/connection/open.ts'
import { readLake } from '../lake/connection/read-lake.ts'
import { atNewestRun, listingSql, prepareListing, valuesOf } from './list-exceptions.ts'

export interface CloseItem {
  /** Such as `unexplained difference`. */
  name: string
  isBlocker: boolean
  number: number
  amount: string | null
}

/** Reads the checklist of a period such as `2026-11` from the lake. Empty if there is no lake yet. */
export async function closeChecklist(settings: Settings, period: string): Promise<CloseItem[]> {
  if (!isThere(settings.lake)) return []
  return readLake(settings.lake, (connection) => closeItems(connection, settings, period))
}

/** The same on an open connection, inside of the transaction that closes the period. */
export async function closeItems(
  connection: DuckDBConnection,
  settings: Settings,
  period: string,
): Promise<CloseItem[]> {
  await prepareListing(connection, settings)
  await connection.run('set variable account = $1::varchar', [settings.account])
  const hasRun = await atNewestRun(connection, settings)
  await connection.run(
    `create or replace temp table current_exception as ${hasRun ? listingSql() : NO_EXCEPTION}`,
    hasRun ? valuesOf({}) : [],
  )
  const sweeps = await sweepStatus(connection, settings.account)
  const uncertified = sweeps.filter(
    ({ list, certificate }) => list !== 'terminals' && certificate === 'BEST_EFFORT',
  )
  await connection.run('set variable uncertified_lists = $1::bigint', [uncertified.length])
  const days = [`${period}-01`, `${nextPeriod(period)}-01`]
  const rows = []
  for (const name of ['close_requirement', 'close_item']) {
    const reader = await connection.runAndReadAll(readModel('queries', name).text, days)
    rows.push(...reader.getRowObjectsJson())
  }
  return rows.map((row) => ({
    name: String(row['name']),
    isBlocker: row['is_blocker'] === true,
    number: Number(row['number']),
    amount: row['amount_cents'] === null ? null : formatCents(BigInt(String(row['amount_cents']))),
  }))
}

/** Before the first run. */
const NO_EXCEPTION = 'from lake.result.exceptions limit 0'

/** Formats such as `2 unexplained differences, 1,314.34`. */
export function closeItemWords({ name, number, amount }: CloseItem): string {
  const words = WITHOUT_NUMBER[name]
  if (words !== undefined) return words
  const noun = number === 1 ? name : PLURALS[name]
  const money = amount === null ? '' : `, ${grouped(amount)}`
  return name === 'suspense balance'
    ? `suspense balance of ${grouped(amount ?? '')}, from entries of ${countedNoun(number, 'settlement')}`
    : `${number} ${noun}${money}`
}

const WITHOUT_NUMBER: Readonly<Record<string, string>> = {
  'month not over': 'the month is not over',
  "newest run before the month's end":
    'the newest run shows the state before the end of the month; tieout run, or tieout report with a later --as-of, makes a new one',
}

const PLURALS: Readonly<Record<string, string>> = {
  'unexplained difference': 'unexplained differences',
  'uncertified sweep': 'sweeps are not certified (BEST_EFFORT)',
  'earlier month open': 'earlier months are open',
  'day without an approved pack': 'days without an approved pack',
  'entry without approval': 'entries without approval',
  'explained difference': 'explained differences',
  'waived difference': 'waived differences',
  'other open error': 'other open errors',
  'PENDING settlement': 'PENDING settlements',
}
