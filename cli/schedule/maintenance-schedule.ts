/** The lake is tidied every night, some hours after the runs. */
import type { Client } from '@temporalio/client'
import { timeOfDay } from '../../domain/business-day.ts'
import { MAINTENANCE_ID, type MaintenanceOrder } from '../../domain/maintenance.ts'
import type { Settings } from '../../domain/settings.ts'
import { PRIORITY, TASK_QUEUE } from '../../workers/temporal/task-queue.ts'
import { describedSchedule, nextOf, putSchedule } from './temporal-schedule.ts'

const SCHEDULE_ID = 'maintenance-nightly'
const HOURS_AFTER = 3

/** Creates the schedule of maintenance, or brings it up to date; accounts share a lake, so that there is one. */
export async function applyMaintenance(client: Client, settings: Settings): Promise<void> {
  const { hour, minute } = timeOfDay(settings.scheduleAt)
  const order: MaintenanceOrder = {}
  const spec = {
    calendars: [{ hour: (hour + HOURS_AFTER) % 24, minute, comment: 'maintenance of the lake' }],
    timezone: settings.timezone,
  }
  const action = {
    type: 'startWorkflow' as const,
    workflowType: 'maintainLake',
    taskQueue: TASK_QUEUE,
    workflowId: `${MAINTENANCE_ID}-nightly`,
    args: [order],
    priority: PRIORITY.backfill,
    staticSummary: 'Maintenance of the lake',
  }
  // What one night leaves undone, the next one does.
  const policies = { overlap: 'SKIP', catchupWindow: '1 hour', pauseOnFailure: false } as const
  await putSchedule(client, { scheduleId: SCHEDULE_ID, spec, action, policies })
}

/** When the lake is tidied next; undefined where no schedule does it. */
export async function nextMaintenance(client: Client): Promise<string | undefined> {
  const described = await describedSchedule(client, SCHEDULE_ID)
  return described === undefined ? undefined : nextOf(described)
}
