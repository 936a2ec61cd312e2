/** The plan of a run: what it would read, from where, and how long that takes. Nothing is landed. */
import type { Client } from '@temporalio/client'
import { dayStart } from '../../domain/business-day.ts'
import type { ReadingEstimate } from '../../domain/backfill.ts'
import type { RunRequest, Window } from '../../domain/run.ts'
import { windowOf } from '../../domain/run-window.ts'
import type { Settings } from '../../domain/settings.ts'
import { learnedPace } from '../../queries/learned-rate.ts'
import { estimateReading } from '../../queries/plan-backfill.ts'
import { ensurePayloadKey } from '../../workers/config/settings.ts'
import { lastingService, withLastingService } from '../../workers/engine.ts'
import { aborted } from '../../workers/temporal/aborted.ts'
import type { Context } from '../shell/context.ts'
import { eachAccount } from '../shell/each-account.ts'
import { PACE_OF, rateOf, spanOf } from '../shell/pace-text.ts'

export interface RunPlan {
  account: string
  window: Window
  /** The lists in the order of the sweep. */
  lists: string[]
  /** Instant: transactions created since then are read; null: all of them. */
  since: string | null
  /** Null if the length of the lists is unknown. */
  requests: number | null
  perSecond: number
  paceOf: ReadingEstimate['paceOf']
  seconds: number | null
  out: string
}

/** Prints the plan for each account. Returns the highest exit code. */
export async function planRuns(
  accounts: readonly [Settings, ...Settings[]],
  context: Context,
  { requestOf, isJson }: { requestOf: (settings: Settings) => RunRequest; isJson: boolean },
): Promise<number> {
  const planned = (client?: Client) =>
    eachAccount(accounts, context, {
      atOnce: 1,
      isJson,
      work: async (settings) => {
        const plan = planOf(settings, requestOf(settings), client)
        const found = await Promise.race([plan, aborted(context.signal)])
        return { exit: 0, lines: planLines(found), json: found }
      },
    })
  // Only a running worker knows the current rate; without one the plan uses what the lake holds.
  if ((await lastingService(accounts[0])) === undefined) return planned()
  return withLastingService(accounts[0], context.signal, planned)
}

async function planOf(
  settings: Settings,
  request: RunRequest,
  client: Client | undefined,
): Promise<RunPlan> {
  if (settings.trouble !== undefined) throw settings.trouble
  const { account, timezone } = settings
  const { asOf, out = settings.out } = request
  const window = windowOf(settings, request, asOf === undefined ? Date.now() : Date.parse(asOf))
  const from = request.window === undefined ? {} : { from: dayStart(timezone, window.from) }
  const learned = client && (await learnedPace(client, settings, ensurePayloadKey(settings)))
  const reading = await estimateReading(settings, { ...from, learned })
  const { requests, perSecond, paceOf, since = null } = reading
  const transactions = settings.transactionsFrom === 'list' ? ['transactions'] : []
  return {
    ...{ account, window, since, requests, perSecond, paceOf, out },
    lists: ['terminals', 'settlements', ...transactions, 'settlements'],
    seconds: requests === null ? null : requests / perSecond,
  }
}

function planLines(plan: RunPlan): string[] {
  const { account, window, lists, since, requests, perSecond, paceOf, seconds, out } = plan
  const range = since === null ? '' : ` created since ${since}`
  const read = lists.map((list) => (list === 'transactions' ? `${list}${range}` : list))
  const count =
    requests === null ? 'an unknown number of' : `about ${requests.toLocaleString('en')}`
  const time = seconds === null ? '' : `, ${spanOf(seconds)}`
  return [
    `plan of a run for ${account}, ${window.from} to ${window.to}`,
    `reads ${read.slice(0, -1).join(', ')}, and ${read.at(-1)} again: ${count} requests`,
    `at ${rateOf(perSecond)} (${PACE_OF[paceOf]})${time}`,
    `then reconciles, and writes a pack below ${out}; nothing was landed now`,
  ]
}
