/**
 * Performs `backfill`: reads past business dates again in chunks, at lower priority than the
 * nightly run.
 */
import type { Client } from '@temporalio/client'
import { learnedPace } from '../../queries/learned-rate.ts'
import { estimateReading } from '../../queries/plan-backfill.ts'
import {
  backfillId,
  chunksOf,
  MARGIN_DAYS,
  type BackfillOrder,
  type BackfillResult,
} from '../../domain/backfill.ts'
import { addDays, dateIn, dayStart } from '../../domain/business-day.ts'
import { Failure } from '../../domain/failure.ts'
import type { Settings } from '../../domain/settings.ts'
import { aborted } from '../../workers/temporal/aborted.ts'
import { lastingService, withEngine, withLastingService } from '../../workers/engine.ts'
import { ensurePayloadKey, readAccounts, type Flags } from '../../workers/config/settings.ts'
import { priorityOf, TASK_QUEUE } from '../../workers/temporal/task-queue.ts'
import { outFor } from '../../workers/temporal/connect.ts'
import { searchableBy } from '../../workers/temporal/search-attributes.ts'
import type { backfill } from '../../workflows/backfill.ts'
import { actorOf } from '../decide/actor.ts'
import { wordsOf } from '../../domain/decision-words.ts'
import { planLines, resultLines, type Plan } from './text.ts'
import type { Context } from '../shell/context.ts'
import { saysIfOpen } from '../shell/goes-on.ts'
import { sayingIfElsewhere } from '../shell/interrupted.ts'
import { eachAccount, type Outcome } from '../shell/each-account.ts'
import { instantFlag } from '../shell/instant-flag.ts'
import { rateFlag, wholeNumberFlag } from '../shell/number-flag.ts'
import { CERTIFICATES } from '../run/certificates.ts'
import { windowOf } from '../run/run.ts'
import { reachedBy, watchBackfill, type BackfillHandle, type Watching } from './watch.ts'
import { typed } from '../shell/typed-command.ts'

export interface BackfillFlags extends Flags {
  from?: string
  to?: string
  asOf?: string
  reason?: string
  by?: string
  chunkDays?: string
  rate?: string
  minCertificate?: string
  plan?: boolean
  detach?: boolean
}

/** The backfills of several accounts run one after the other, because all of them share a rate. */
const BACKFILLS_AT_ONCE = 1

export async function backfillCommand(context: Context, given: BackfillFlags): Promise<number> {
  const { json, ...settable } = context.flagsOf(given)
  const flags: BackfillFlags = { ...given, ...settable }
  const isJson = json === true
  const accounts = readAccounts(settable, 'source')
  // The same flags apply to all accounts, so a mistake is reported before anything starts.
  const ids = accounts.map((settings) =>
    backfillId(settings.account, draftOf(settings, flags).window),
  )
  const { terminal, signal } = context
  const each = (work: (settings: Settings) => Promise<Outcome>) =>
    eachAccount(accounts, context, { atOnce: BACKFILLS_AT_ONCE, isJson, work })
  if (flags.plan === true) {
    const planned = (client?: Client) =>
      each(async (settings) => {
        const plan = planOf(await orderOf(settings, flags, { client, signal }))
        return { exit: 0, lines: planLines(plan), json: plan }
      })
    // Only a running worker knows the current rate; without one the plan uses what the lake holds.
    if ((await lastingService(accounts[0])) === undefined) return planned()
    return withLastingService(accounts[0], signal, planned)
  }
  const start = async (settings: Settings, client: Client) => {
    const order = await orderOf(settings, flags, { client, signal })
    for (const line of planLines(planOf(order))) terminal.say(line)
    return started(client, order, terminal.say)
  }
  if (flags.detach === true) {
    return withLastingService(accounts[0], signal, (client) =>
      each(async (settings) => {
        const { workflowId } = await start(settings, client)
        return {
          exit: 0,
          lines: [
            typed(
              `${workflowId} continues in the worker; tieout backfill status shows its progress`,
            ),
          ],
          json: { account: settings.account, workflowId },
        }
      }),
    )
  }
  const isMine = (id: string) => ids.includes(id)
  let isElsewhere = false
  return withEngine(accounts, { owner: 'command', say: terminal.say, signal, isMine }, (engine) =>
    each(async (settings) => {
      const { client, isLasting } = engine
      const handle = await start(settings, client)
      isElsewhere = isLasting
      return outcomeOf(
        await watchBackfill(handle, { client, terminal, isLasting } satisfies Watching),
      )
    }),
  ).catch(sayingIfElsewhere(signal, () => isElsewhere))
}

const outcomeOf = (result: BackfillResult): Outcome => ({
  exit: 0,
  lines: resultLines(result),
  json: result,
})

/** Starts the backfill, or continues an interrupted one and retries the step that failed. */
async function started(
  client: Client,
  order: BackfillOrder,
  say: (line: string) => void,
): Promise<BackfillHandle> {
  const workflowId = backfillId(order.account, order.window)
  const isOpen = await saysIfOpen(client, { type: 'backfill', workflowId }, say)
  const handle = await client.workflow.start<typeof backfill>('backfill', {
    taskQueue: TASK_QUEUE,
    workflowId,
    args: [order],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    priority: priorityOf('backfill', order.account),
    ...(await searchableBy(client, order)),
    staticSummary: `Backfill of ${order.account}, ${order.window.from} to ${order.window.to}`,
  })
  if (!isOpen) return handle
  const { progress } = await reachedBy(client, handle)
  say(`continuing the backfill that started at ${progress.startedAt}, with its original settings`)
  if (progress.hold?.failure !== undefined) {
    await handle.executeUpdate('resume', { args: [order.actor ?? ''] })
  }
  return handle
}

type Draft = Omit<BackfillOrder, 'reading'>

/** Reads and checks the flags. Throws usage. */
function draftOf(settings: Settings, flags: BackfillFlags): Draft {
  const { from, to } = flags
  if (from === undefined || to === undefined) {
    throw new Failure('usage', 'a backfill needs --from and --to')
  }
  const today = dateIn(settings.timezone, Date.now())
  const window = windowOf(settings, { from, to }, today) ?? { from, to }
  const since = addDays(window.from, -MARGIN_DAYS)
  return {
    account: settings.account,
    window,
    since: dayStart(settings.timezone, since),
    asOf: flags.asOf === undefined ? new Date().toISOString() : instantFlag('--as-of', flags.asOf),
    ...outFor(settings),
    ...present({
      chunkDays: read(flags.chunkDays, (text) => wholeNumberFlag('--chunk-days', text, 1)),
      perSecond: read(flags.rate, (text) => rateFlag('--rate', text)),
      minCertificate: CERTIFICATES[flags.minCertificate ?? ''],
      reason: read(flags.reason, (text) => wordsOf('--reason', text)),
      actor: actorOf(flags.by),
    }),
  }
}

const read = <T>(flag: string | undefined, reading: (text: string) => T): T | undefined =>
  flag === undefined ? undefined : reading(flag)

/** Leaves out absent fields, so that they take no room in a payload. */
const present = <T extends object>(parts: T) =>
  Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>
  }

async function orderOf(
  settings: Settings,
  flags: BackfillFlags,
  { client, signal }: { client?: Client | undefined; signal: AbortSignal },
): Promise<BackfillOrder> {
  const draft = draftOf(settings, flags)
  const { since, window, perSecond } = draft
  const from = dayStart(settings.timezone, window.from)
  const learned =
    client === undefined
      ? undefined
      : await learnedPace(client, settings, ensurePayloadKey(settings))
  const question = { since, from, learned, ...(perSecond === undefined ? {} : { perSecond }) }
  const reading = estimateReading(settings, question, signal)
  return { ...draft, reading: await Promise.race([reading, aborted(signal)]) }
}

function planOf({ account, window, chunkDays, reading }: BackfillOrder): Plan {
  const { requests, perSecond, paceOf, since = null } = reading
  return {
    ...{ account, window, since, requests, perSecond, paceOf },
    chunks: chunksOf(window, chunkDays),
    seconds: requests === null ? null : requests / perSecond,
  }
}
