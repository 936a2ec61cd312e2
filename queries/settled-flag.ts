/** Determines from the observations which event turns a transaction's settled flag. */
import { addDays, dateIn } from '../domain/business-day.ts'
import type { Settings } from '../domain/settings.ts'
import { neededFor, prepareModels, readModels, runModels } from '../lake/run/models.ts'
import { bindInputs } from '../lake/run/bind-inputs.ts'
import { readLake } from '../lake/connection/read-lake.ts'
import { variablesFor } from '../lake/run/run-variables.ts'
import { knowledgeFor } from '../lake/results/knowledge.ts'

export interface SettledFlag {
  /** The settlement's creation, or its change to COMPLETE. Unknown if no observation tells the two apart. */
  turnsWhen: 'created' | 'complete' | 'unknown'
  /** Number of transactions that were observed unsettled, then settled. */
  seenTurning: number
  /** Number of settlements whose net is the sum of the transactions that this event alone places there. */
  provenSettlements: number
}

/** Reads the lake only. Throws the failures of opening it, such as lake_unreachable if it does not exist yet. */
export async function settledFlag(settings: Settings): Promise<SettledFlag> {
  return readLake(settings.lake, async (connection) => {
    const { account } = settings
    const knowledge = await knowledgeFor(connection, account, undefined)
    const now_ms = Date.now()
    const to = addDays(dateIn(settings.timezone, now_ms), 1)
    const window = { from: addDays(to, -settings.lookbackDays), to }
    const run = { runId: 'doctor', account, window, asOf: new Date(now_ms).toISOString() }
    await prepareModels(connection, variablesFor(settings, run, knowledge))
    const models = neededFor(readModels(), ['settling_event'])
    await bindInputs(connection, models)
    await runModels(connection, models)
    const reader = await connection.runAndReadAll(EVIDENCE)
    const [seen, proven, event] = reader.getRows()[0] ?? []
    const turnsWhen = event === 'created' || event === 'complete' ? event : 'unknown'
    return { turnsWhen, seenTurning: Number(seen), provenSettlements: Number(proven) }
  })
}

/** The event is null if no observation excludes the other one. */
const EVIDENCE = `select
    (select count(*) from flag_observation where unsettled_at > created),
    coalesce(learned.proven_ones, 0),
    case when learned.contradictions < other.contradictions or learned.proven_ones > other.proven_ones
      then case learned.event when 'completed' then 'complete' else learned.event end
    end
  from (select 1)
  left join settling_event as learned on learned.is_learned
  left join settling_event as other on not other.is_learned and other.event <> learned.event
  order by learned.proven_ones desc
  limit 1`
