/** Why one settlement does or does not tie out, down to its transactions. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { dateIn, addDays } from '../domain/business-day.ts'
import { Failure } from '../domain/failure.ts'
import type { Settings } from '../domain/settings.ts'
import { codeVersion } from '../lake/run/code-version.ts'
import { neededFor, readModels, runModels } from '../lake/run/models.ts'
import { bindInputs } from '../lake/run/bind-inputs.ts'
import { tablesExplained, takeOneSettlement } from '../lake/results/stored-settlement.ts'
import { openLake } from '../lake/connection/open.ts'
import {
  findStoredVerdict,
  whyNotAsStored,
  type VerdictQuestion,
} from '../lake/results/published-verdict.ts'
import { atOneInstant } from '../lake/connection/transact.ts'
import { type Explanation, explanationOf } from './explanation.ts'
import { prepareRunModels } from '../lake/run/run-all.ts'
import { parametersOf } from '../lake/run/run-variables.ts'
import { knowledgeFor } from '../lake/results/knowledge.ts'
import { type Knowledge } from '../domain/run.ts'

/** The settlement to explain, and the settings of its account. */
export interface ExplainRequest {
  settings: Settings
  settlementId: string
  /** The instant by which ages are judged; absent: the newest published run's, or now. */
  asOf?: string
}

/**
 * Answers what the newest published run has of the settlement; where that may be otherwise by now, reconciles all that is known, and `say` hears why. Throws usage when the settlement is unknown.
 */
export async function explainSettlement(
  { settlementId: id, ...of }: ExplainRequest,
  say: (line: string) => void = () => {},
): Promise<Explanation> {
  if (!/^\d{1,19}$/.test(id)) throw new Failure('usage', `${id} is no settlement id`)
  // An id is compared as text, too, which leading zeros would change.
  const request = { ...of, settlementId: String(BigInt(id)) }
  const lake = await openLake(request.settings.lake, { create: false })
  try {
    const connection = await lake.connect()
    await refuseUnknown(connection, request)
    const why = await judgeAsStored(connection, request)
    if (why === undefined) return await explanationOf(connection, request.settlementId)
    say(`everything is computed anew, which takes longer: ${why}`)
    // What is left of it stays on a connection of its own.
    connection.closeSync()
    const anew = await lake.connect()
    await judgeAnew(anew, request)
    return await explanationOf(anew, request.settlementId)
  } finally {
    lake.close()
  }
}

/** Takes what the newest run has, and what tells of it around; answers why that won't do, if it won't. */
export const judgeAsStored = (
  connection: DuckDBConnection,
  request: ExplainRequest,
): Promise<string | undefined> =>
  // The catalog is opened once: to open it for each statement takes longer than all else.
  atOneInstant(connection, async () => {
    const { settings, knowledge, question } = await knownOf(connection, request)
    const stored = await findStoredVerdict(connection, question)
    if (stored === undefined) return 'no published run has this settlement'
    const why = await whyNotAsStored(connection, stored, question)
    if (why !== undefined) return why
    await prepareRunModels(connection, { settings, knowledge, run: runOf(settings, stored) })
    return takeOneSettlement(connection, { stored, settlementId: question.settlementId })
  })

/** Runs all models up to the pack's exceptions; those of the range are that run's which has the settlement, if one has. */
export async function judgeAnew(
  connection: DuckDBConnection,
  request: ExplainRequest,
): Promise<void> {
  const { settings, knowledge, question } = await knownOf(connection, request)
  const asOf = request.asOf ?? new Date().toISOString()
  const to = addDays(dateIn(settings.timezone, Date.parse(asOf)), 1)
  const newest = { from: addDays(to, -settings.lookbackDays), to }
  const { from, to: until } = (await findStoredVerdict(connection, question)) ?? newest
  const run = runOf(settings, { from, to: until, asOf })
  await prepareRunModels(connection, { settings, knowledge, run })
  // What is judged is known before the books and the files. Nothing is dropped on the way: the evidence asks for all of it.
  const needed = neededFor(readModels(), tablesExplained())
  await bindInputs(connection, needed)
  await runModels(connection, needed)
}

/** All that the lake holds, and the question in its terms. */
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

/** Throws usage for one that no account has, that another one has, or that can't be read. */
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
        remedy: 'tieout exceptions list --codes QUARANTINED',
      },
    )
  }
  const [other] = accounts
  throw new Failure('usage', `no settlement ${settlementId} is known in account ${account}`, {
    remedy:
      other === undefined
        ? 'take an id from settlements.csv of the latest pack'
        : `tieout --account ${other} explain ${settlementId}`,
  })
}
