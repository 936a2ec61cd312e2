import type { DuckDBConnection } from '@duckdb/node-api'
import { type Headline, type ReconcileResult, type Run, type Knowledge } from '../../domain/run.ts'
import type { Settings } from '../../domain/settings.ts'
import { codeVersion } from '../../lake/run/code-version.ts'
import { resultsRead } from '../../lake/run/bind-inputs.ts'
import { readModels, runChecks } from '../../lake/run/models.ts'
import { checkLake } from '../../lake/connection/check-lake.ts'
import { refuseRewritten } from '../../lake/maintenance/rewrite.ts'
import { findRun, storeResults } from '../../lake/results/store-run.ts'
import { withScratch } from '../../lake/run/spill-database.ts'
import type { SharedLake } from '../runtime/shared-lake.ts'
import { parametersOf } from '../../lake/run/run-variables.ts'
import { knowledgeOfRun } from '../../lake/results/knowledge.ts'
import { runAllModels, type ModelListener } from '../../lake/run/run-all.ts'

/** The signal that ends the work, and the listener for its progress. */
export interface Working {
  signal?: AbortSignal
  onModelDone?: ModelListener
}

/** Recomputes every settlement from what is known, and stores the contents of the pack. */
export const createReconcile =
  (settings: Settings, shared: SharedLake) =>
  async (run: Run, { signal, onModelDone }: Working = {}): Promise<ReconcileResult> =>
    shared.connected(async (lake, connection) => {
      const earlier = await findRun(connection, run.runId)
      if (earlier !== undefined) return storedResult(earlier)
      onModelDone?.('the files of the lake')
      await checkLake(lake, connection, { results: resultsRead(readModels()) })
      const knowledge = await knowledgeOfRun(connection, run)
      return withScratch(settings.lake, connection, async (scratch) => {
        const { text, configHash } = parametersOf(settings)
        const about = { settings, run, knowledge, scratch }
        await runAllModels(connection, about, onModelDone)
        await runChecks(connection)
        await refuseRewritten(connection, run.account, knowledge.audit.seq)
        const result = await answer(connection, knowledge)
        await storeResults(lake, connection, {
          runId: run.runId,
          account: run.account,
          from: run.window.from,
          to: run.window.to,
          asOf: run.asOf,
          knownAt: knowledge.knownAt,
          knownTime: knowledge.knownTime,
          auditSeq: knowledge.audit.seq,
          configHash,
          parameters: withKnowledge(text, knowledge, await previousRun(connection)),
          codeVersion: codeVersion(),
          headline: JSON.stringify(result),
          recordsExceptions: knowledge.isNewest,
        })
        return result
      })
    }, signal)

/**
 * Adds decisions and earlier findings to the parameters: they change results, though they are no
 * configuration.
 */
function withKnowledge(
  text: string,
  { audit, exceptionScan }: Knowledge,
  previousRun: string | null,
): string {
  return JSON.stringify({
    ...JSON.parse(text),
    audit: { seq: String(audit.seq), sha256: audit.sha256 },
    exceptionScan: String(exceptionScan),
    previousRun,
  })
}

/** The run that the models compared this one with. */
async function previousRun(connection: DuckDBConnection): Promise<string | null> {
  const reader = await connection.runAndReadAll('select run_id from previous_run')
  const runId = reader.getRows()[0]?.[0] ?? null
  return runId === null ? null : String(runId)
}

function storedResult(run: Record<string, unknown>): ReconcileResult {
  const result: ReconcileResult = JSON.parse(String(run['headline']))
  return result
}

async function answer(
  connection: DuckDBConnection,
  knowledge: Knowledge,
): Promise<ReconcileResult> {
  const counts = await connection.runAndReadAll(
    `select columns(*)::double from (
       select count(*) as settlements, count(*) filter (verdict = 'TIED') as tied,
         count(*) filter (verdict = 'EXPLAINED') as explained, count(*) filter (verdict = 'BREAK') as breaks,
         count(*) filter (verdict = 'PENDING') as pending, count(*) filter (verdict = 'NO_DATA') as "noData"
       from pack_settlements)`,
  )
  const [headline] = counts.getRowObjectsJson() as unknown as [Headline]
  const open = await connection.runAndReadAll(
    `select code, severity, count(*)::double as n from pack_exceptions
     where state in ('OPEN', 'ASSIGNED') group by code, severity order by severity, code`,
  )
  const rows = open.getRowObjectsJson() as unknown as {
    code: string
    severity: string
    n: number
  }[]
  const total = (severity: string) =>
    rows.filter((row) => row.severity === severity).reduce((sum, row) => sum + row.n, 0)
  return {
    knownAt: knowledge.knownAt.toString(),
    headline,
    exceptions: Object.fromEntries(rows.map(({ code, n }) => [code, n])),
    openErrors: total('error'),
    openWarnings: total('warning'),
  }
}
