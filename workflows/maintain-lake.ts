import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import { executeChild, workflowInfo } from '@temporalio/workflow'
import { MAINTENANCE_ID, type Maintained, type MaintenanceOrder } from '../domain/maintenance.ts'
import { maintainLake as maintain } from './activity-options.ts'

/**
 * Maintains the lake, alone. A schedule gives each of its runs an id of its own, so that such a run asks for the one
 * under the common id, and answers with null where that one is under way.
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
