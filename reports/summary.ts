/** What both summaries say: counted by the models from the rows of the files, so that it can't say anything else. */
import type { Headline } from '../domain/run.ts'
import type { PackSource, Row } from './pack.ts'
import { TABLES } from './pack-files.ts'

/** The first rows of a table, and how many there are. */
export interface Listed {
  rows: readonly Row[]
  count: number
}

export interface Summary {
  headline: Headline
  /** One row per verdict, the worst first. */
  verdicts: readonly Row[]
  controlTotals: readonly Row[]
  days: readonly Row[]
  ageing: readonly Row[]
  codes: readonly Row[]
  terminals: readonly Row[]
  differences: readonly Row[]
  steps: readonly Row[]
  /** The pack that this one is compared with; none if it is the account's first. */
  previous: Row | undefined
  changes: readonly Row[]
  pending: Listed
  refundCeiling: Listed
}

/** Rows of a file that the page lists; the others are in the file. */
const LISTED_ROWS = 100

/** Reads the small tables of the summaries. */
export async function readSummary(source: PackSource): Promise<Summary> {
  const verdicts = await source.rows('summary_verdict')
  const [previous] = await source.rows('summary_previous')
  return {
    headline: headlineOf(verdicts),
    verdicts,
    controlTotals: await source.rows(TABLES.controlTotals),
    days: await source.rows('summary_day'),
    ageing: await source.rows('summary_ageing'),
    codes: await source.rows('summary_code'),
    terminals: await source.rows('summary_terminal'),
    differences: await source.rows('summary_difference'),
    steps: await source.rows('summary_step'),
    previous,
    changes: await source.rows('summary_change'),
    pending: await listed(source, TABLES.pending),
    refundCeiling: await listed(source, TABLES.refundCeiling),
  }
}

function headlineOf(verdicts: readonly Row[]): Headline {
  const count = (word: string) =>
    Number(verdicts.find((row) => row['verdict'] === word)?.['settlements'] ?? 0)
  return {
    settlements: verdicts.reduce((sum, row) => sum + Number(row['settlements']), 0),
    tied: count('TIED'),
    explained: count('EXPLAINED'),
    breaks: count('BREAK'),
    pending: count('PENDING'),
    noData: count('NO_DATA'),
  }
}

async function listed(source: PackSource, table: string): Promise<Listed> {
  const rows: Row[] = []
  let count = 0
  for await (const batch of source.batches(table)) {
    rows.push(...batch.slice(0, LISTED_ROWS - rows.length))
    count += batch.length
  }
  return { rows, count }
}
