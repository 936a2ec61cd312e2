/**
 * The contents of both summaries. The models count them from the rows of the files, so that files and summaries
 * agree.
 */
import { assert } from '../../domain/failure.ts'
import type { Headline } from '../../domain/run.ts'
import type { PackSource, Row } from './pack-source.ts'
import { TABLES } from './pack-files.ts'

export interface Summary {
  headline: Headline
  /** A row for each verdict, the worst first. */
  verdicts: readonly Row[]
  /** Differences as short, over and gross, in five parts that are never netted. */
  exposures: readonly Row[]
  /** Settlements by certificate. */
  certainties: readonly Row[]
  /** Open items of the range, older ones, later ones, and all. */
  open: readonly Row[]
  /** The first items of the worklist, of settlements and others, and how many of each there are. */
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

/** Reads the rows of the summaries. */
export async function readSummary(source: PackSource): Promise<Summary> {
  const parts = summaryParts(await source.rows('summary'))
  const rowsOf = (part: string) => parts.get(part) ?? []
  const verdicts = rowsOf('verdict')
  return {
    headline: headlineOf(verdicts),
    verdicts,
    exposures: rowsOf('exposure'),
    certainties: rowsOf('certainty'),
    open: rowsOf('open'),
    worklist: rowsOf('worklist'),
    controlTotals: await source.rows(TABLES.controlTotals),
    days: rowsOf('day'),
    ageing: rowsOf('ageing'),
    codes: rowsOf('code'),
    terminals: rowsOf('terminal'),
    differences: rowsOf('difference'),
    steps: rowsOf('step'),
    previous: rowsOf('previous')[0],
    approvals: rowsOf('approval'),
    changes: rowsOf('change'),
    pending: rowsOf('pending'),
    refunds: rowsOf('refund'),
  }
}

/** Returns the rows of each part of the summaries. The model `pack_summary` names the parts. */
export function summaryParts(summary: readonly Row[]): Map<string, Row[]> {
  const parts = new Map<string, Row[]>()
  for (const { part, cells } of summary) {
    assert(typeof part === 'string' && typeof cells === 'string', 'a row has a part and cells')
    const rows = parts.get(part) ?? []
    rows.push(JSON.parse(cells))
    parts.set(part, rows)
  }
  return parts
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
