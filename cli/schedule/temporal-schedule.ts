/** The names, the creation and the description of Temporal schedules. */
import type { Client, ScheduleDescription, ScheduleOptions } from '@temporalio/client'
import { enclosed, PURPOSE } from '../../domain/envelope.ts'
import { PAYLOAD_REFUSED } from '../../domain/refused-payload.ts'
import { issued } from '../../workers/temporal/envelopes.ts'

/**
 * The schedule of an account's nightly runs; Temporal appends the instant for the id of each run.
 */
export const nightlyIdOf = (account: string) => `nightly-${account}`

type Wanted = Pick<ScheduleOptions, 'policies' | 'scheduleId' | 'spec'> & {
  action: ScheduleOptions['action'] & { workflowType: string; args: unknown[] }
}

/** Creates or updates a schedule; a paused one stays paused. A schedule of an earlier key or lake is replaced. */
export async function putSchedule(client: Client, given: Wanted): Promise<void> {
  const { workflowType, args } = given.action
  const order = enclosed(PURPOSE.schedule(workflowType), args, issued())
  const wanted = { ...given, action: { ...given.action, args: order } }
  try {
    await client.schedule.create(wanted)
  } catch (error) {
    const { ScheduleAlreadyRunning } = await import('@temporalio/client')
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
    const { scheduleId, ...changed } = wanted
    const handle = client.schedule.getHandle(scheduleId)
    try {
      await handle.update((current) => ({ ...current, ...changed }))
    } catch (refused) {
      if (!(await isRefused(refused))) throw refused
      await replaceSchedule(client, wanted)
    }
  }
}

/** True for the failure of a schedule whose order was encrypted with another key, or for another lake. */
async function isRefused(error: unknown): Promise<boolean> {
  const { ApplicationFailure } = await import('@temporalio/client')
  return error instanceof ApplicationFailure && error.type === PAYLOAD_REFUSED.code
}

/** Temporal's library reads the earlier order before it updates a schedule. Only a new schedule gets by without it. */
async function replaceSchedule(client: Client, wanted: Wanted): Promise<void> {
  const { scheduleId } = wanted
  const { namespace } = client.options
  const found = await client.workflowService.describeSchedule({ namespace, scheduleId })
  const { paused, notes } = found.schedule?.state ?? {}
  const note = notes ? { note: notes } : {}
  await client.schedule.getHandle(scheduleId).delete()
  await client.schedule.create({ ...wanted, state: { paused: paused === true, ...note } })
}

/** The first time that is not past. The service keeps listing missed times for a while. */
export const nextOf = ({ info }: ScheduleDescription): string | undefined =>
  info.nextActionTimes.find((time) => time.getTime() > Date.now())?.toISOString()

/** The description of a schedule; undefined if it does not exist. */
export async function describedSchedule(
  client: Client,
  scheduleId: string,
): Promise<ScheduleDescription | undefined> {
  try {
    return await client.schedule.getHandle(scheduleId).describe()
  } catch (error) {
    const { ScheduleNotFoundError } = await import('@temporalio/client')
    if (error instanceof ScheduleNotFoundError) return undefined
    throw error
  }
}
