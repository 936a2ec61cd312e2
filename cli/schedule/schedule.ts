/**
 * The command `schedule`: manages the nightly run as a Temporal Schedule in the business time zone.
 */
import type { Client } from '@temporalio/client'
import { setTimeout as sleep } from 'node:timers/promises'
import { addDays, dateIn, instantsOf, timeOfDay, withLocalTime } from '../../domain/business-day.ts'
import { Failure } from '../../domain/failure.ts'
import type { RunRequest } from '../../domain/run.ts'
import { type Settings, USUAL_SCHEDULE } from '../../domain/settings.ts'
import { withLastingService } from '../../workers/engine.ts'
import { readAccounts } from '../../workers/config/settings.ts'
import { searchableBy } from '../../workers/temporal/search-attributes.ts'
import { priorityOf, TASK_QUEUE } from '../../workers/temporal/task-queue.ts'
import type { Context } from '../shell/context.ts'
import { eachAccount } from '../shell/each-account.ts'
import { applyMaintenance, nextMaintenance } from './maintenance-schedule.ts'
import { nextOf, nightlyIdOf, putSchedule } from './temporal-schedule.ts'

/** The state of the schedule. The answer of --json has the next maintenance of the lake beside it. */
interface ScheduleState {
  scheduleId: string
  timezone: string
  paused: boolean
  nextRun: string | null
  /** The newest stands last; `scheduledFor` decides the business date. */
  recentRuns: { scheduledFor: string; startedAt: string; workflowId: string }[]
}

type Act = (client: Client, settings: Settings) => Promise<unknown>

const handleOf = (client: Client, settings: Settings) =>
  client.schedule.getHandle(nightlyIdOf(settings.account))

/** Each zone shows all its yearly clock changes within this many days. */
const DAYS_AHEAD = 400

/** A triggered run may need this long to appear among the recent ones. */
const APPEARS_MS = 10_000

/** The acts of the subcommands. */
const ACTS = {
  apply,
  show: () => Promise.resolve(),
  pause: (client, settings) => handleOf(client, settings).pause('paused by tieout schedule pause'),
  resume: (client, settings) =>
    handleOf(client, settings).unpause('resumed by tieout schedule resume'),
  trigger,
} satisfies Record<string, Act>

export type ScheduleVerb = keyof typeof ACTS

/** Performs the act for every account, and shows the state of each schedule. Returns the exit code. */
export async function scheduleCommand(
  context: Context,
  verb: ScheduleVerb,
  flags: object,
): Promise<number> {
  const { json, ...settable } = context.flagsOf(flags)
  const accounts = readAccounts(settable)
  return withLastingService(accounts[0], context.signal, async (client) => {
    const maintained = async () => {
      if (verb === 'apply') await applyMaintenance(client, accounts[0])
      return nextMaintenance(client)
    }
    // Once for all accounts, and not before one schedule stands: a refused apply changes nothing.
    let maintenance: Promise<string | undefined> | undefined
    const worst = await eachAccount(accounts, context, {
      atOnce: 1,
      isJson: json === true,
      work: async (settings) => {
        const state = await stateAfter(ACTS[verb], client, settings)
        const next = (await (maintenance ??= maintained())) ?? null
        return { exit: 0, lines: linesOf(state), json: { ...state, nextMaintenance: next } }
      },
    })
    const next = json === true ? undefined : await (maintenance ?? nextMaintenance(client))
    if (next !== undefined) {
      const shown = withLocalTime(next, accounts[0].timezone)
      context.terminal.print(`next maintenance of the lake ${shown}`)
    }
    return worst
  })
}

async function stateAfter(act: Act, client: Client, settings: Settings): Promise<ScheduleState> {
  try {
    await act(client, settings)
    return await stateOf(client, settings)
  } catch (error) {
    throw await explained(error, settings)
  }
}

/**
 * Refuses a time that a night skips or has twice, since its run would be missed or doubled. Throws
 * config_invalid.
 */
function refuseUnevenTime({ timezone, scheduleAt }: Settings): void {
  const today = dateIn(timezone, Date.now())
  for (let day = 0; day < DAYS_AHEAD; day += 1) {
    const date = addDays(today, day)
    const times = instantsOf(timezone, date, scheduleAt).length
    if (times === 1) continue
    const what = times === 0 ? 'is skipped' : 'comes twice'
    throw new Failure(
      'config_invalid',
      `schedule.at ${scheduleAt} ${what} in ${timezone} on ${date}, when the clocks change`,
      { remedy: 'set schedule.at to a time that occurs once every night, such as 04:15' },
    )
  }
}

async function apply(client: Client, settings: Settings): Promise<void> {
  refuseUnevenTime(settings)
  const scheduleId = nightlyIdOf(settings.account)
  const { catchUp_days, jitter_seconds } = settings.schedule ?? USUAL_SCHEDULE
  const request: RunRequest = { account: settings.account, sweep: true }
  const spec = {
    calendars: [{ ...timeOfDay(settings.scheduleAt), comment: 'nightly run' }],
    timezone: settings.timezone,
    jitter: `${jitter_seconds} seconds` as const,
  }
  const action = {
    type: 'startWorkflow' as const,
    workflowType: 'nightly',
    taskQueue: TASK_QUEUE,
    workflowId: scheduleId,
    args: [request],
    priority: priorityOf('nightly', settings.account),
    ...(await searchableBy(client, settings)),
    staticSummary: `Nightly run for ${settings.account}`,
  }
  const policies = {
    // Nights that fall due during another run or an outage of Temporal wait for each other; none is
    // dropped.
    overlap: 'BUFFER_ALL' as const,
    catchupWindow: `${catchUp_days} days` as const,
    pauseOnFailure: false,
  }
  await putSchedule(client, { scheduleId, spec, action, policies })
}

/** Starts a run and waits until it appears. */
async function trigger(client: Client, settings: Settings): Promise<void> {
  const handle = handleOf(client, settings)
  const before = (await handle.describe()).info.numActionsTaken
  await handle.trigger()
  const deadline_ms = Date.now() + APPEARS_MS
  while ((await handle.describe()).info.numActionsTaken === before && Date.now() < deadline_ms) {
    await sleep(200)
  }
}

async function stateOf(client: Client, settings: Settings): Promise<ScheduleState> {
  const described = await handleOf(client, settings).describe()
  const { info, spec, state } = described
  return {
    scheduleId: nightlyIdOf(settings.account),
    timezone: spec.timezone ?? 'UTC',
    paused: state.paused,
    nextRun: state.paused ? null : (nextOf(described) ?? null),
    recentRuns: info.recentActions.map(({ scheduledAt, takenAt, action }) => ({
      scheduledFor: nominal(action.workflow.workflowId) ?? scheduledAt.toISOString(),
      startedAt: takenAt.toISOString(),
      workflowId: action.workflow.workflowId,
    })),
  }
}

/**
 * The instant of the night, which Temporal appends to the workflow id; `scheduledAt` includes the
 * jitter.
 */
function nominal(workflowId: string): string | undefined {
  const instant = /-(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)Z$/.exec(workflowId)?.[1]
  return instant === undefined ? undefined : `${instant}.000Z`
}

/** The lines for a person, with the times on the clocks of the schedule's zone. */
export function linesOf(state: ScheduleState): string[] {
  const local = (instant: string) => withLocalTime(instant, state.timezone)
  return [
    `${state.scheduleId}, time zone ${state.timezone}${state.paused ? ', paused' : ''}`,
    `next run ${state.nextRun === null ? 'none' : local(state.nextRun)}`,
    ...state.recentRuns.map(
      ({ scheduledFor, startedAt, workflowId }) =>
        `run of ${local(scheduledFor)} started at ${local(startedAt)}, workflow ${workflowId}`,
    ),
  ]
}

async function explained(error: unknown, settings: Settings): Promise<unknown> {
  const { ScheduleNotFoundError } = await import('@temporalio/client')
  if (!(error instanceof ScheduleNotFoundError)) return error
  return new Failure('usage', `the account has no schedule ${nightlyIdOf(settings.account)}`, {
    remedy: 'tieout schedule apply',
    cause: error,
  })
}
