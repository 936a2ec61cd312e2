/** What both summaries say, counted from the same rows that the CSVs hold. */
import { parseCents } from '../domain/cents.ts'
import { EXCEPTIONS } from '../domain/exceptions.ts'
import type { Headline } from '../domain/run.ts'
import { TABLES } from './pack-files.ts'
import type { PackSource, Row } from './pack.ts'

export interface Summary {
  headline: Headline
  controlTotals: readonly Row[]
  settlements: readonly Row[]
  exceptions: readonly Row[]
  pending: readonly Row[]
  unsettled: readonly Row[]
  journal: readonly Row[]
  exceptionCounts: readonly { code: string; severity: string; count: number }[]
  ageing: readonly { bucket: string; count: number; cents: bigint }[]
}

const BUCKETS = ['0-1', '2-5', '6-10', '11-30', '>30']

/** Reads the tables of the summaries and counts what they headline. */
export async function readSummary(source: PackSource): Promise<Summary> {
  const settlements = await source.rows(TABLES.settlements)
  const exceptions = await source.rows(TABLES.exceptions)
  const unsettled = await source.rows(TABLES.unsettled)
  return {
    headline: headlineOf(settlements),
    controlTotals: await source.rows(TABLES.controlTotals),
    settlements,
    exceptions,
    pending: await source.rows(TABLES.pending),
    unsettled,
    journal: await source.rows(TABLES.journal),
    exceptionCounts: countExceptions(exceptions),
    ageing: BUCKETS.map((bucket) => ageOf(bucket, unsettled)),
  }
}

/** Settlements by verdict. */
function headlineOf(settlements: readonly Row[]): Headline {
  const count = (verdict: string) => settlements.filter((row) => row['verdict'] === verdict).length
  return {
    settlements: settlements.length,
    tied: count('TIED'),
    explained: count('EXPLAINED'),
    breaks: count('BREAK'),
    pending: count('PENDING'),
    noData: count('NO_DATA'),
  }
}

/** Codes that occur, in the order of the contract, errors first. */
function countExceptions(exceptions: readonly Row[]): Summary['exceptionCounts'] {
  const counts = Object.entries(EXCEPTIONS).map(([code, { severity }]) => ({
    code,
    severity,
    count: exceptions.filter((row) => row['code'] === code).length,
  }))
  const found = counts.filter(({ count }) => count > 0)
  return ['error', 'warning'].flatMap((severity) =>
    found.filter((row) => row.severity === severity),
  )
}

function ageOf(bucket: string, unsettled: readonly Row[]): Summary['ageing'][number] {
  const rows = unsettled.filter((row) => row['bucket'] === bucket)
  const cents = rows.reduce((sum, row) => sum + (parseCents(row['signedAmount'] ?? '') ?? 0n), 0n)
  return { bucket, count: rows.length, cents }
}
