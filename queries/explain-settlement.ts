/** Explains why one settlement does or does not tie out, down to its transactions. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { dateIn, addDays } from '../domain/business-day.ts'
import { Failure } from '../domain/failure.ts'
import type { Settings } from '../domain/settings.ts'
import { codeVersion } from '../lake/run/code-version.ts'
import { neededFor, readModels, runModels } from '../lake/run/models.ts'
import { bindInputs } from '../lake/run/bind-inputs.ts'
import { ATTRIBUTIONS } from '../lake/results/attribution-rows.ts'
import { tablesExplained, takeOneSettlement } from '../lake/results/stored-settlement.ts'
import { checkLake } from '../lake/connection/check-lake.ts'
import type { Lake } from '../lake/connection/lake.ts'
import { readLake } from '../lake/connection/read-lake.ts'
import {
  findStoredVerdict,
  whyNotAsStored,
  whyOvertaken,
  type VerdictQuestion,
} from '../lake/results/published-verdict.ts'
import { atOneInstant } from '../lake/connection/transact.ts'
import { type Explanation, explanationOf } from './explanation.ts'
import { prepareRunModels } from '../lake/run/run-all.ts'
import { parametersOf } from '../lake/run/run-variables.ts'
import { knowledgeFor } from '../lake/results/knowledge.ts'
import { type Knowledge } from '../domain/run.ts'

/** The settlement to explain, with the settings of its account. */
export interface ExplainRequest {
  settings: Settings
  settlementId: string
  /** The instant by which ages are judged. Absent: that of the newest published run, or now. */
  asOf?: string
}

/**
 * Explains the settlement from the newest published run. If that run may be out of date, all models run on current
 * knowledge, and `say` receives the reason. Throws usage for an unknown settlement, and lake_damaged.
 */
export async function explainSettlement(
  { settlementId: id, ...of }: ExplainRequest,
  say: (line: string) => void = () => {},
): Promise<Explanation> {
  if (!/^\d{1,19}$/.test(id)) {
    throw new Failure('usage', `${id} is no settlement id`, {
      remedy: 'take an id from settlements.csv of the latest pack',
    })
  }
  // An id is also compared as text, which leading zeros would change.
  const request = { ...of, settlementId: String(BigInt(id)) }
  return readLake(request.settings.lake, (_connection, lake) => explainOn(lake, request, say), say)
}

/** The same on an open lake; the id has no leading zeros. */
export async function explainOn(
  lake: Lake,
  request: ExplainRequest,
  say: (line: string) => void,
): Promise<Explanation> {
  const connection = await lake.connect()
  try {
    // The catalog is opened once. Opening it for each statement would take longer than all the rest.
    const known = await atOneInstant(connection, async () => {
      await refuseUnknown(connection, request)
      const why = await judgeAsStored(connection, request)
      if (why !== undefined) return { why }
      return { explanation: await explanationOf(connection, request.settlementId) }
    })
    if ('explanation' in known) return known.explanation
    say(`everything is computed anew, which takes longer: ${known.why}`)
  } finally {
    connection.closeSync()
  }
  // A new connection has none of the tables that the first attempt left.
  const anew = await lake.connect()
  try {
    await checkLake(lake, anew, READ_ANEW)
    await judgeAnew(anew, request)
    return await explanationOf(anew, request.settlementId)
  } finally {
    anew.closeSync()
  }
}

/** The records and decisions that the models read, as a run checks them. */
const READ_ANEW = { schemas: ['ops', 'seen'] }

/**
 * Takes the settlement from the newest run and computes the evidence. Returns the reason why the stored run can't
 * answer, or undefined.
 */
export const judgeAsStored = (
  connection: DuckDBConnection,
  request: ExplainRequest,
): Promise<string | undefined> =>
  atOneInstant(connection, async () => {
    const { settings, knowledge, question } = await knownOf(connection, request)
    const stored = await findStoredVerdict(connection, question)
    if (stored === undefined) return 'no published run has this settlement'
    const why = await whyNotAsStored(connection, stored, question)
    if (why !== undefined) return why
    await prepareRunModels(connection, { settings, knowledge, run: runOf(settings, stored) })
    return takeOneSettlement(connection, { stored, settlementId: question.settlementId })
  })

/**
 * Runs all models up to the pack's exceptions. The range is that of the run that has the settlement, or else the
 * newest range. Ages are judged as in that run, or as of now if anything has landed or was decided since.
 */
export async function judgeAnew(
  connection: DuckDBConnection,
  request: ExplainRequest,
): Promise<void> {
  const { settings, knowledge, question } = await knownOf(connection, request)
  const stored = await findStoredVerdict(connection, question)
  const isCurrent =
    stored !== undefined && (await whyOvertaken(connection, stored, question)) === undefined
  const asOf = request.asOf ?? (isCurrent ? stored.asOf : new Date().toISOString())
  const to = addDays(dateIn(settings.timezone, Date.parse(asOf)), 1)
  const newest = { from: addDays(to, -settings.lookbackDays), to }
  const { from, to: until } = stored ?? newest
  const run = runOf(settings, { from, to: until, asOf })
  await prepareRunModels(connection, { settings, knowledge, run })
  // The books and the files are not needed. No table is dropped meanwhile, because the evidence reads all of them.
  const needed = neededFor(readModels(), tablesExplained())
  await bindInputs(connection, needed)
  await runModels(connection, needed)
}

/** Returns everything that the lake knows, and the question in the lake's terms. */
async function knownOf(
  connection: DuckDBConnection,
  { settings, settlementId, asOf }: ExplainRequest,
): Promise<{ settings: Settings; knowledge: Knowledge; question: VerdictQuestion }> {
  const knowledge = await knowledgeFor(connection, settings.account, undefined)
  const { configHash } = parametersOf(settings)
  const question = {
    ...{ account: settings.account, settlementId, configHash, codeVersion: codeVersion() },
    ...{ knownAt: knowledge.knownAt, auditSeq: knowledge.audit.seq },
    ...(asOf === undefined ? {} : { asOf }),
  }
  return { settings, knowledge, question }
}

const runOf = (
  settings: Settings,
  of: { runId?: string; from: string; to: string; asOf: string },
) => ({
  ...{ runId: of.runId ?? '', account: settings.account, asOf: of.asOf },
  window: { from: of.from, to: of.to },
})

/** Throws usage for a settlement that no account has, that belongs to another account, or that could not be read. */
async function refuseUnknown(
  connection: DuckDBConnection,
  { settings: { account }, settlementId }: ExplainRequest,
): Promise<void> {
  const reader = await connection.runAndReadAll(
    'select distinct account from lake.seen.settlement_version where settlement_id = try_cast($1 as bigint) order by all',
    [settlementId],
  )
  const accounts = reader.getRows().map(([name]) => String(name))
  if (accounts.includes(account)) return
  const quarantined = await connection.runAndReadAll(
    `select field, reason from lake.seen.quarantine
     where account = $1 and list = 'settlements' and try_cast(subject_id as bigint) = try_cast($2 as bigint)
     order by landing_seq desc, ordinal desc limit 1`,
    [account, settlementId],
  )
  const [unread] = quarantined.getRows()
  if (unread !== undefined) {
    throw new Failure(
      'usage',
      `settlement ${settlementId} was never read well: ${unread.join(' ')}`,
      {
        remedy: 'tieout exceptions list --code QUARANTINED',
      },
    )
  }
  await refuseTransaction(connection, account, settlementId)
  const [other] = accounts
  throw new Failure('usage', `no settlement ${settlementId} is known in account ${account}`, {
    remedy:
      other === undefined
        ? 'take an id from settlements.csv of the latest pack'
        : `tieout --account ${other} explain ${settlementId}`,
  })
}

/** A row for a transaction that the lake has, with its settlement in the newest run that places it. */
const SETTLEMENT_OF = `
  select (
    select placed."settlementId" from ${ATTRIBUTIONS} as placed
    inner join lake.ops.exception_scan as scans on scans.run_id = placed.run_id
    where scans.account = $1 and placed."transactionId" = try_cast($2 as bigint)
    order by scan_seq desc limit 1
  )::varchar
  from lake.seen.transaction_version
  where account = $1 and transaction_id = try_cast($2 as bigint) limit 1`

/** Throws usage for the id of a transaction, and names its settlement. */
async function refuseTransaction(
  connection: DuckDBConnection,
  account: string,
  id: string,
): Promise<void> {
  const reader = await connection.runAndReadAll(SETTLEMENT_OF, [account, id])
  const [row] = reader.getRows()
  if (row === undefined) return
  const [settlement] = row
  const what =
    settlement === null
      ? `${id} is a transaction, and no run has put it into a settlement`
      : `${id} is a transaction of settlement ${String(settlement)}`
  throw new Failure('usage', what, {
    remedy:
      settlement === null
        ? 'tieout exceptions list, which names it if it should be in one'
        : `tieout explain ${String(settlement)}`,
  })
}
