/**
 * The commands `backfill status`, `pause`, `resume`, `slow` and `cancel`, for a running backfill.
 */
import type { Client } from '@temporalio/client'
import { recordedBackfillsOf } from '../../queries/list-backfills.ts'
import { backfillsOf, type BackfillProgress } from '../../domain/backfill.ts'
import { Failure } from '../../domain/failure.ts'
import type { Settings } from '../../domain/settings.ts'
import type { RecordedBackfill } from '../../lake/decisions/backfill-log.ts'
import { announced } from '../../workers/temporal/announced.ts'
import { aborted } from '../../workers/temporal/aborted.ts'
import { isServed, lastingService, withLastingService } from '../../workers/engine.ts'
import { readAccounts, readSettings } from '../../workers/config/settings.ts'
import { actorOf } from '../decide/actor.ts'
import { counted, leftOf, reachedLine, type Reached } from './text.ts'
import type { Context } from '../shell/context.ts'
import { NO_ANSWER } from '../shell/goes-on.ts'
import { eachAccount } from '../shell/each-account.ts'
import { rateFlag } from '../shell/number-flag.ts'
import { reachedBy, type BackfillHandle } from './watch.ts'
import { typed } from '../shell/typed-command.ts'

interface Steering {
  handle: BackfillHandle
  by: string
}

type Steer = (steering: Steering) => Promise<unknown>

export interface SteerFlags {
  by?: string
}

/** The updates that need no number. */
const STEERS = {
  pause: ({ handle, by }) =>
    handle.executeUpdate<BackfillProgress, [string]>('pause', { args: [by] }),
  resume: ({ handle, by }) =>
    handle.executeUpdate<BackfillProgress, [string]>('resume', { args: [by] }),
  cancel,
} satisfies Record<string, Steer>

export type SteerVerb = keyof typeof STEERS

async function cancel({ handle, by }: Steering): Promise<void> {
  await handle.executeUpdate<void, [string]>('cancelledBy', { args: [by] })
  await handle.cancel()
  await handle.result().catch(() => {})
}

interface Steered {
  range: string | undefined
  flags: SteerFlags
}

export const steerCommand = (context: Context, verb: SteerVerb, steered: Steered): Promise<void> =>
  steering(context, STEERS[verb], steered)

/** Throws usage for a rate that is no number. */
export async function slowCommand(context: Context, rate: string, steered: Steered): Promise<void> {
  const perSecond = rate === 'full' ? null : rateFlag('the rate', rate)
  const slow: Steer = ({ handle, by }) =>
    handle.executeUpdate<BackfillProgress, [number | null, string]>('slow', {
      args: [perSecond, by],
    })
  await steering(context, slow, steered)
}

async function steering(context: Context, steer: Steer, { range, flags }: Steered): Promise<void> {
  const { json, ...settable } = context.flagsOf(flags)
  const settings = readSettings(settable)
  const by = actorOf(flags.by) ?? ''
  const isEnding = steer === cancel
  const reached = await withLastingService(settings, context.signal, async (client) => {
    await refuseUnserved(client)
    const handle = await chosen(client, settings, range)
    return announced(NO_ANSWER, { say: context.terminal.say, signal: context.signal }, async () => {
      const before = await reachedBy(client, handle)
      await steer({ handle, by })
      return isEnding ? before : reachedBy(client, handle)
    })
  })
  const { account, window } = reached.progress
  const line = isEnding
    ? `${account} ${window.from}..${window.to}: cancelled`
    : reachedLine(reached)
  context.terminal.print(json === true ? JSON.stringify(reached.progress) : line)
}

/** Refuses the command if no worker would answer it. */
async function refuseUnserved(client: Client): Promise<void> {
  if (await isServed(client)) return
  throw new Failure(
    'worker_missing',
    'only a running worker can change a backfill, and no worker is running',
  )
}

/** Finds the backfill that the range names, or the only running one. Throws usage. */
async function chosen(
  client: Client,
  { account }: Settings,
  range: string | undefined,
): Promise<BackfillHandle> {
  const open = await openBackfills(client, account)
  const wanted =
    range === undefined ? open : open.filter((id) => id === `${backfillsOf(account)}${range}`)
  const [only, ...others] = wanted
  if (only !== undefined && others.length === 0) return client.workflow.getHandle(only)
  const named = open.map((id) => id.slice(backfillsOf(account).length)).join(', ')
  const what =
    open.length === 0
      ? `no backfill of ${account} is running`
      : `several backfills are running; name one of them: ${named}`
  throw new Failure('usage', what, { remedy: 'tieout backfill status' })
}

async function openBackfills(client: Client, account: string): Promise<string[]> {
  const ids: string[] = []
  const query = `WorkflowType = 'backfill' and ExecutionStatus = 'Running'`
  for await (const { workflowId } of client.workflow.list({ query })) {
    if (workflowId.startsWith(backfillsOf(account))) ids.push(workflowId)
  }
  return ids.sort()
}

/** The running backfills of an account, by their workflow ids. Only a worker can say what they have reached. */
interface Open {
  reached: ReadonlyMap<string, Reached>
  waiting: readonly string[]
}

const NONE: Open = { reached: new Map(), waiting: [] }

interface Status {
  account: string
  open: (BackfillProgress & {
    workflowId: string
    requestsSoFar: number
    secondsLeft: number | null
  })[]
  /** The workflow ids of running backfills that wait for a worker. */
  waiting: readonly string[]
  recorded: RecordedBackfill[]
}

export async function statusCommand(context: Context, flags: object): Promise<number> {
  const { json, ...settable } = context.flagsOf(flags)
  const accounts = readAccounts(settable)
  const service = await lastingService(accounts[0])
  const running = new Map<string, Open>()
  if (service !== undefined) {
    await withLastingService(accounts[0], context.signal, async (client) => {
      for (const { account } of accounts)
        running.set(account, await openOf(client, account, context))
    })
  }
  return eachAccount(accounts, context, {
    atOnce: 1,
    isJson: json === true,
    work: async (settings) => {
      const recording = recordedBackfillsOf(settings)
      const recorded = await Promise.race([recording, aborted(context.signal)])
      const open = running.get(settings.account) ?? NONE
      const status = statusOf(settings.account, open, recorded)
      const isWaiting = service === undefined || open.waiting.length > 0
      return { exit: 0, lines: linesOf(status, open, isWaiting), json: status }
    },
  })
}

async function openOf(
  client: Client,
  account: string,
  { terminal, signal }: Context,
): Promise<Open> {
  const ids = await openBackfills(client, account)
  if (!(await isServed(client))) return { ...NONE, waiting: ids }
  const reached = new Map<string, Reached>()
  for (const id of ids) {
    const ask = () => reachedBy(client, client.workflow.getHandle(id))
    reached.set(id, await announced(NO_ANSWER, { say: terminal.say, signal }, ask))
  }
  return { ...NONE, reached }
}

function statusOf(
  account: string,
  { reached, waiting }: Open,
  recorded: RecordedBackfill[],
): Status {
  return {
    account,
    open: [...reached].map(([workflowId, one]) => ({
      workflowId,
      ...one.progress,
      requestsSoFar: one.requests,
      secondsLeft: one.progress.hold === undefined ? (leftOf(one) ?? null) : null,
    })),
    waiting,
    recorded,
  }
}

const ENDED: readonly string[] = ['DONE', 'CANCELLED']

function linesOf(
  { account, recorded }: Status,
  { reached, waiting }: Open,
  isWaiting: boolean,
): string[] {
  const isOpen = new Set([...reached.values()].map(({ progress }) => progress.runId))
  const earlier = recorded.filter(({ backfillId }) => !isOpen.has(backfillId))
  const begun = new Set(
    earlier.filter(({ state }) => !ENDED.includes(state)).map(({ from, to }) => `${from}..${to}`),
  )
  // A backfill that no worker has begun yet has no record.
  const unbegun = waiting
    .map((id) => id.slice(backfillsOf(account).length))
    .filter((range) => !begun.has(range))
  const lines = [
    ...[...reached.values()].map(reachedLine),
    ...unbegun.map((range) => typed(`${account} ${range}: waits for tieout worker`)),
    ...earlier.map((one) => recordedLine(one, isWaiting)),
  ]
  return lines.length === 0 ? [`no backfill of ${account} is known`] : lines
}

function recordedLine(one: RecordedBackfill, isWaiting: boolean): string {
  const { account, from, to, state, actor, reason, codeVersion, detail } = one
  const changed = `${state.toLowerCase()} ${one.changedAt}${by(one)}`
  const waits = isWaiting ? typed(', waits for tieout worker or for the same command') : ''
  const how = ENDED.includes(state)
    ? `${changed}, ${counted(Number(detail['newVersions'] ?? 0), 'new version')}`
    : `${changed}${waits}`
  const who = actor === null ? '' : `, by ${actor}`
  const why = reason === null ? '' : `, because: ${reason}`
  return `${account} ${from}..${to}: ${how}${who}${why}, code ${codeVersion}`
}

/** The person who paused, resumed, slowed or cancelled the backfill; empty for automatic steps. */
function by({ state, changedBy }: RecordedBackfill): string {
  const isSomebodys = ['PAUSED', 'RESUMED', 'SLOWED', 'CANCELLED'].includes(state)
  return isSomebodys && changedBy !== null ? ` by ${changedBy}` : ''
}
