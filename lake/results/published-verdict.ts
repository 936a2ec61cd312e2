/** Finds the newest published run of a settlement, and decides whether its rows are still up to date. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { ATTRIBUTIONS } from './attribution-rows.ts'
import { hasRows } from '../connection/has-rows.ts'

export interface StoredVerdict {
  runId: string
  terminalId: string
  /** An instant as UTC text. */
  asOf: string
  /** Business dates of the run's range; `to` is excluded. */
  from: string
  to: string
  knownAt: bigint
  /** The newest act of the audit trail that the run knew of. */
  auditSeq: bigint
  configHash: string
  codeVersion: string
  /** The event that turns the settled flag, as the run learned it: `created`, `completed` or `none`. */
  settledEvent: string
}

/** The knowledge and settings that a computation of now would use. */
export interface VerdictQuestion {
  account: string
  settlementId: string
  /** The requested instant. Absent: the run's own instant. */
  asOf?: string
  knownAt: bigint
  /** The newest act of the audit trail. */
  auditSeq: bigint
  configHash: string
  codeVersion: string
}

/**
 * Finds the run with the most knowledge among those whose pack has the settlement. Runs of the requested instant have
 * priority.
 */
export async function findStoredVerdict(
  connection: DuckDBConnection,
  { account, settlementId, asOf }: VerdictQuestion,
): Promise<StoredVerdict | undefined> {
  const reader = await connection.runAndReadAll(
    `select run.run_id as "runId", "terminalId", strftime(run.as_of, '%Y-%m-%dT%H:%M:%S.%fZ') as "asOf",
       run.window_from::varchar as "from", run.window_to::varchar as "to", run.known_at::varchar as "knownAt",
       json_extract_string(run.parameters, '$.audit.seq') as "auditSeq", run.config_hash as "configHash",
       run.code_version as "codeVersion", run.settled_event as "settledEvent"
     from lake.result.settlements as found
     inner join lake.ops.run as run using (run_id)
     inner join lake.ops.publication as published using (run_id)
     where found."settlementId" = $2 and run.account = $1
     order by coalesce(run.as_of = $3::timestamp, false) desc, run.known_at desc, published.published_at desc limit 1`,
    [account, settlementId, asOf ?? null],
  )
  const [row] = reader.getRowObjects() as unknown as (StoredVerdict &
    Record<'auditSeq' | 'knownAt', string>)[]
  return row && { ...row, knownAt: BigInt(row.knownAt), auditSeq: BigInt(row.auditSeq) }
}

/** Returns the reason why the run may differ from a computation of now, or undefined if it can't differ. */
export async function whyNotAsStored(
  connection: DuckDBConnection,
  stored: StoredVerdict,
  question: VerdictQuestion,
): Promise<string | undefined> {
  const { runId, asOf, codeVersion, configHash } = stored
  if (question.asOf !== undefined && Date.parse(question.asOf) !== Date.parse(asOf)) {
    return `run ${runId} is as of ${asOf}`
  }
  if (codeVersion !== question.codeVersion) return `run ${runId} was made by other models`
  if (configHash !== question.configHash) return `settings have changed since run ${runId}`
  return whyOvertaken(connection, stored, question)
}

/** Returns the reason why later knowledge may give another answer than the run, or undefined. */
export async function whyOvertaken(
  connection: DuckDBConnection,
  stored: StoredVerdict,
  question: VerdictQuestion,
): Promise<string | undefined> {
  const { runId, knownAt, auditSeq } = stored
  if (knownAt < question.knownAt && (await hasLanded(connection, stored, question))) {
    return `something has landed since run ${runId}`
  }
  return auditSeq < question.auditSeq && (await wasDecided(connection, stored, question))
    ? `something was decided since run ${runId}`
    : undefined
}

const hasLanded = (
  connection: DuckDBConnection,
  { knownAt }: StoredVerdict,
  question: VerdictQuestion,
) =>
  hasRows(
    connection,
    'from lake.ops.landing where account = $1 and landing_seq > $2 and landing_seq <= $3',
    [question.account, knownAt, question.knownAt],
  )

/**
 * True if a decision since the run may change its answer. Such a decision is about the settlement's terminal, about
 * one of its members, or about a subject that may have no terminal.
 */
const wasDecided = (
  connection: DuckDBConnection,
  { runId, auditSeq, terminalId }: StoredVerdict,
  { account, settlementId }: VerdictQuestion,
) =>
  hasRows(
    connection,
    `from lake.ops.audit where account = $1 and seq > $2
     and (starts_with(action, 'transaction.') or (starts_with(action, 'exception.') and subject in (
       select "exceptionId" from lake.result.exceptions
       where run_id = $3 and ("terminalId" = $4 or "code" = 'QUARANTINED'
         or ("subjectType" = 'transaction' and "subjectId" in (
           select "transactionId"::varchar from ${ATTRIBUTIONS} where run_id = $3 and "settlementId" = $5::bigint))))))`,
    [account, auditSeq, runId, terminalId, settlementId],
  )
