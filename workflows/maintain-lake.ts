import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import { executeChild, workflowInfo } from '@temporalio/workflow'
import { MAINTENANCE_ID, type Maintained, type MaintenanceOrder } from '../domain/maintenance.ts'
import { maintainLake as maintain } from './activity-options.ts'

/**
 * Maintains the lake, one at a time. Each scheduled run has its own id, so it starts the one under
 * the common id, and returns null if that one is running.
 */
export async function maintainLake(order: MaintenanceOrder): Promise<Maintained | null> {
  if (workflowInfo().workflowId === MAINTENANCE_ID) return maintain(order)
  try {
    return await executeChild(maintainLake, {
      workflowId: MAINTENANCE_ID,
      args: [order],
      staticSummary: 'Maintenance of the lake',
    })
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return null
    throw error
  }
}
