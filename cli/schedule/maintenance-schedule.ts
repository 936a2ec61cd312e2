/** The schedule of maintenance: every night, some hours after the runs. */
import type { Client } from '@temporalio/client'
import { timeOfDay } from '../../domain/business-day.ts'
import { MAINTENANCE_ID, type MaintenanceOrder } from '../../domain/maintenance.ts'
import type { Settings } from '../../domain/settings.ts'
import { PRIORITY, TASK_QUEUE } from '../../workers/temporal/task-queue.ts'
import { describedSchedule, nextOf, putSchedule } from './temporal-schedule.ts'

const SCHEDULE_ID = 'maintenance-nightly'
const HOURS_AFTER = 3

/** Creates or updates the one schedule of maintenance; all accounts share the lake. */
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
  // The next night completes any work that one night leaves undone.
  const policies = { overlap: 'SKIP', catchupWindow: '1 hour', pauseOnFailure: false } as const
  await putSchedule(client, { scheduleId: SCHEDULE_ID, spec, action, policies })
}

/** Returns the time of the next maintenance; undefined without a schedule. */
export async function nextMaintenance(client: Client): Promise<string | undefined> {
  const described = await describedSchedule(client, SCHEDULE_ID)
  return described === undefined ? undefined : nextOf(described)
}
