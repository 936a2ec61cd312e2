/** `schedule`: the nightly run as a Temporal Schedule in the business time zone. */
import { ScheduleAlreadyRunning, ScheduleNotFoundError, type Client } from '@temporalio/client'
import type { Command } from 'commander'
import { Failure } from '../domain/failure.ts'
import type { RunRequest } from '../domain/run.ts'
import type { Settings } from '../domain/settings.ts'
import { withLastingService } from '../workers/engine.ts'
import { readSettings } from '../workers/settings.ts'
import { TASK_QUEUE } from '../workers/worker.ts'
import type { Context } from './context.ts'

const scheduleIdOf = (settings: Settings) => `nightly-${settings.account}`

export function addSchedule(program: Command, context: Context): void {
  const group = program.command('schedule').description('The nightly run, at a local time.')
  const add = (
    name: string,
    description: string,
    act: (client: Client, settings: Settings) => Promise<string[]>,
  ) => {
    group
      .command(name)
      .description(description)
      .action(async (flags: object) => {
        const { json, ...settable } = context.flagsOf(flags)
        const settings = readSettings(settable)
        const lines = await withLastingService(settings, (client) =>
          act(client, settings).catch((error: unknown) => {
            throw explained(error, settings)
          }),
        )
        if (json === true) context.terminal.print(JSON.stringify({ lines }))
        else for (const line of lines) context.terminal.print(line)
      })
  }
  add('apply', 'Creates the schedule, or brings it up to date.', apply)
  add('show', 'When it runs next, and how the last runs went.', show)
  add('pause', 'Stops it from starting runs.', async (client, settings) => {
    await handleOf(client, settings).pause('paused by tieout schedule pause')
    return [`${scheduleIdOf(settings)} is paused`]
  })
  add('resume', 'Lets it start runs again.', async (client, settings) => {
    await handleOf(client, settings).unpause('resumed by tieout schedule resume')
    return [`${scheduleIdOf(settings)} runs again`]
  })
  add('trigger', 'Starts a run now, for the business date of today.', async (client, settings) => {
    await handleOf(client, settings).trigger()
    return [`${scheduleIdOf(settings)} was triggered`]
  })
}

const handleOf = (client: Client, settings: Settings) =>
  client.schedule.getHandle(scheduleIdOf(settings))

async function apply(client: Client, settings: Settings): Promise<string[]> {
  const scheduleId = scheduleIdOf(settings)
  const [hour, minute] = settings.scheduleAt.split(':').map(Number)
  const request: RunRequest = { account: settings.account, sweep: true }
  const spec = {
    calendars: [{ hour: hour ?? 4, minute: minute ?? 15, comment: 'nightly run' }],
    timezone: settings.timezone,
    jitter: '1 minute' as const,
  }
  const action = {
    type: 'startWorkflow' as const,
    workflowType: 'nightly',
    taskQueue: TASK_QUEUE,
    workflowId: scheduleId,
    args: [request],
    staticSummary: `Nightly run for ${settings.account}`,
  }
  const policies = {
    // A night that begins while the one before still runs waits for it; none is dropped.
    overlap: 'BUFFER_ONE' as const,
    catchupWindow: '3 days' as const,
    pauseOnFailure: false,
  }
  try {
    await client.schedule.create({ scheduleId, spec, action, policies })
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
    await handleOf(client, settings).update((current) => ({ ...current, spec, action, policies }))
  }
  return [
    `${scheduleId} runs every day at ${settings.scheduleAt} ${settings.timezone}`,
    ...(await show(client, settings)).slice(1),
  ]
}

async function show(client: Client, settings: Settings): Promise<string[]> {
  const { info, spec, state } = await handleOf(client, settings).describe()
  const next = info.nextActionTimes[0]?.toISOString() ?? 'never'
  return [
    `${scheduleIdOf(settings)}, time zone ${spec.timezone ?? 'UTC'}${state.paused ? ', paused' : ''}`,
    `next run ${next}`,
    ...info.recentActions.map(
      (action) =>
        `run of ${action.scheduledAt.toISOString()} began ${action.takenAt.toISOString()}`,
    ),
  ]
}

function explained(error: unknown, settings: Settings): unknown {
  if (!(error instanceof ScheduleNotFoundError)) return error
  return new Failure('usage', `there is no schedule ${scheduleIdOf(settings)}`, {
    remedy: 'tieout schedule apply',
    cause: error,
  })
}
