/**
 * The contents of both summaries. The models count them from the rows of the files, so that files and summaries
 * agree.
 */
import type { Headline } from '../../domain/run.ts'
import type { PackSource, Row } from './pack-source.ts'
import { TABLES } from './pack-files.ts'

export interface Summary {
  headline: Headline
  /** A row for each verdict, the worst first. */
  verdicts: readonly Row[]
  /** Differences as short, over and gross, in four parts that are never netted. */
  exposures: readonly Row[]
  /** Settlements by certificate. */
  certainties: readonly Row[]
  /** Open items of the range, and older ones. */
  open: readonly Row[]
  /** The first items of the worklist, and how many there are. */
  worklist: readonly Row[]
  controlTotals: readonly Row[]
  days: readonly Row[]
  ageing: readonly Row[]
  codes: readonly Row[]
  terminals: readonly Row[]
  differences: readonly Row[]
  steps: readonly Row[]
  /** The pack that this one is compared with. Undefined for the account's first pack. */
  previous: Row | undefined
  changes: readonly Row[]
  /** Approvals of earlier packs that cover days of this one, the newest first. */
  approvals: readonly Row[]
  /** Versions of the PENDING settlements that need attention. */
  pending: readonly Row[]
  refunds: readonly Row[]
}

/** Reads the small tables of the summaries. */
export async function readSummary(source: PackSource): Promise<Summary> {
  const verdicts = await source.rows('summary_verdict')
  const [previous] = await source.rows('summary_previous')
  return {
    headline: headlineOf(verdicts),
    verdicts,
    exposures: await source.rows('summary_exposure'),
    certainties: await source.rows('summary_certainty'),
    open: await source.rows('summary_open'),
    worklist: await source.rows('summary_worklist'),
    controlTotals: await source.rows(TABLES.controlTotals),
    days: await source.rows('summary_day'),
    ageing: await source.rows('summary_ageing'),
    codes: await source.rows('summary_code'),
    terminals: await source.rows('summary_terminal'),
    differences: await source.rows('summary_difference'),
    steps: await source.rows('summary_step'),
    previous,
    approvals: await source.rows('summary_approval'),
    changes: await source.rows('summary_change'),
    pending: await source.rows('summary_pending'),
    refunds: await source.rows('summary_refund'),
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
