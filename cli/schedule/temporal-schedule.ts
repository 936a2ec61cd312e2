/** Schedules of Temporal: what they are called, how one is put in place, what is known of it. */
import type { Client, ScheduleDescription, ScheduleOptions } from '@temporalio/client'

/** The schedule of an account's nights; its runs have the instant behind it. */
export const nightlyIdOf = (account: string) => `nightly-${account}`

type Wanted = Pick<ScheduleOptions, 'action' | 'policies' | 'scheduleId' | 'spec'>

/** Creates a schedule, or brings it up to date; one that a person paused stays so. */
export async function putSchedule(client: Client, wanted: Wanted): Promise<void> {
  try {
    await client.schedule.create(wanted)
  } catch (error) {
    const { ScheduleAlreadyRunning } = await import('@temporalio/client')
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
    const { scheduleId, ...changed } = wanted
    const handle = client.schedule.getHandle(scheduleId)
    await handle.update((current) => ({ ...current, ...changed }))
  }
}

/** The first of the times that is not past: of nights that were missed for good the service goes on telling for a while. */
export const nextOf = ({ info }: ScheduleDescription): string | undefined =>
  info.nextActionTimes.find((time) => time.getTime() > Date.now())?.toISOString()

/** Undefined where there is no such schedule. */
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
