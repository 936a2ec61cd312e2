/**
 * The commands `backfill status`, `pause`, `resume`, `slow` and `cancel`, for a running backfill.
 */
import type { Client } from '@temporalio/client'
import { recordedBackfillsOf } from '../../queries/list-backfills.ts'
import { backfillsOf, type BackfillProgress } from '../../domain/backfill.ts'
import { Failure } from '../../domain/failure.ts'
import type { Settings } from '../../domain/settings.ts'
import type { RecordedBackfill } from '../../lake/decisions/backfill-log.ts'
import { aborted } from '../../workers/temporal/aborted.ts'
import { isServed, lastingService, withLastingService } from '../../workers/engine.ts'
import { readAccounts, readSettings } from '../../workers/config/settings.ts'
import { actorOf } from '../decide/actor.ts'
import { counted, leftOf, reachedLine, type Reached } from './text.ts'
import type { Context } from '../shell/context.ts'
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
  // Workers of an earlier version do not take the actor's name.
  await handle.executeUpdate<void, [string]>('cancelledBy', { args: [by] }).catch(() => {})
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
    const before = await reachedBy(client, handle)
    await steer({ handle, by })
    return isEnding ? before : reachedBy(client, handle)
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

interface Status {
  account: string
  open: (BackfillProgress & {
    workflowId: string
    requestsSoFar: number
    secondsLeft: number | null
  })[]
  recorded: RecordedBackfill[]
}

export async function statusCommand(context: Context, flags: object): Promise<number> {
  const { json, ...settable } = context.flagsOf(flags)
  const accounts = readAccounts(settable)
  const service = await lastingService(accounts[0])
  const reached = new Map<string, Map<string, Reached>>()
  if (service !== undefined) {
    await withLastingService(accounts[0], context.signal, async (client) => {
      for (const { account } of accounts) reached.set(account, await allReached(client, account))
    })
  }
  return eachAccount(accounts, context, {
    atOnce: 1,
    isJson: json === true,
    work: async (settings) => {
      const recording = recordedBackfillsOf(settings)
      const recorded = await Promise.race([recording, aborted(context.signal)])
      const open = reached.get(settings.account) ?? new Map<string, Reached>()
      const status = statusOf(settings.account, open, recorded)
      return { exit: 0, lines: linesOf(status, open, service !== undefined), json: status }
    },
  })
}

async function allReached(client: Client, account: string): Promise<Map<string, Reached>> {
  const found = new Map<string, Reached>()
  if (!(await isServed(client))) return found
  for (const id of await openBackfills(client, account)) {
    found.set(id, await reachedBy(client, client.workflow.getHandle(id)))
  }
  return found
}

function statusOf(
  account: string,
  open: ReadonlyMap<string, Reached>,
  recorded: RecordedBackfill[],
): Status {
  return {
    account,
    open: [...open].map(([workflowId, reached]) => ({
      workflowId,
      ...reached.progress,
      requestsSoFar: reached.requests,
      secondsLeft: reached.progress.hold === undefined ? (leftOf(reached) ?? null) : null,
    })),
    recorded,
  }
}

const ENDED: readonly string[] = ['DONE', 'CANCELLED']

function linesOf(
  { account, recorded }: Status,
  open: ReadonlyMap<string, Reached>,
  hasService: boolean,
): string[] {
  const isOpen = new Set([...open.values()].map(({ progress }) => progress.runId))
  const earlier = recorded.filter(({ backfillId }) => !isOpen.has(backfillId))
  if (open.size === 0 && earlier.length === 0) return [`no backfill of ${account} is known`]
  return [
    ...[...open.values()].map(reachedLine),
    ...earlier.map((one) => recordedLine(one, hasService)),
  ]
}

function recordedLine(one: RecordedBackfill, hasService: boolean): string {
  const { account, from, to, state, actor, reason, codeVersion, detail } = one
  const changed = `${state.toLowerCase()} ${one.changedAt}${by(one)}`
  const waits = hasService ? '' : typed(', waits for tieout worker or for the same command')
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
