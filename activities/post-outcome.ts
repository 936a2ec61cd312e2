/** Posts the outcome of a run that did not publish, with its counts and amounts if its results are stored. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { postMessage } from '../api/http/webhook.ts'
import { formatCents } from '../domain/cents.ts'
import type { Settings } from '../domain/settings.ts'
import {
  isWithheld,
  outcomeMessage,
  type Counted,
  type Outcome,
  type UnexplainedAmounts,
} from '../domain/webhook.ts'
import { findRun } from '../lake/results/store-run.ts'
import { exposureAt } from '../queries/exposure.ts'
import type { SharedLake } from './runtime/shared-lake.ts'

/** Returns the reason why the message was not delivered; undefined on success and without a webhook. */
export const createPostOutcome =
  (settings: Settings, shared: SharedLake) =>
  async (outcome: Outcome, cancelled: AbortSignal): Promise<string | undefined> => {
    if (settings.webhook === undefined) return undefined
    const counted = isWithheld(outcome) ? await countedIn(settings, shared, outcome) : undefined
    return postMessage(settings.webhook, outcomeMessage(outcome, counted), { cancelled })
  }

/** A message has a minute, of which its delivery needs a part. */
const COUNTED_MS = 15_000

/** The counts of a stored run. Whatever prevents or delays their reading must not prevent the message. */
const countedIn = (
  settings: Settings,
  shared: SharedLake,
  { runId }: Outcome,
): Promise<Counted | undefined> => {
  const counting = shared
    .connected(async (_lake, connection) => {
      const stored = await findRun(connection, runId)
      if (stored === undefined) return undefined
      const found: Counted['found'] = JSON.parse(String(stored['headline']))
      return { found, unexplained: await unexplainedOf(connection, settings, runId) }
    })
    .catch(() => undefined)
  return Promise.race([counting, sleep(COUNTED_MS, undefined, { ref: false })])
}

/** The amounts of a stored run for a message. The lake is their source, because money must not travel through Temporal. */
export async function unexplainedOf(
  connection: DuckDBConnection,
  settings: Settings,
  runId: string,
): Promise<UnexplainedAmounts> {
  const { short_cents, over_cents, gross_cents } = await exposureAt(connection, settings, runId)
  return {
    ...{ currency: settings.currency, short: formatCents(short_cents) },
    ...{ over: formatCents(over_cents), gross: formatCents(gross_cents) },
  }
}
