/** Work that interrupted or killed commands left open on the embedded server of a lake. */
import type { Client } from '@temporalio/client'

/** Ids of workflows that the starting command continues by itself. */
export type IsMine = (workflowId: string) => boolean

/** The work of commands that wait for its end. */
const WORK = `WorkflowType in ('backfill', 'importFiles', 'maintainLake', 'nightly')`

/** Reports and reconciliations read nothing from the service, so that giving them up loses nothing. */
const REPORT = /^reconcile\//

/**
 * Ends each report that a person has given up, so that no later command publishes its pack. Everything else goes on, and
 * the person reads so. Works before a worker starts.
 */
export async function settleLeftOpen(
  client: Client,
  { isMine, say }: { isMine: IsMine; say: (line: string) => void },
): Promise<void> {
  for await (const left of client.workflow.list({
    query: `${WORK} and ExecutionStatus = 'Running'`,
  })) {
    const { workflowId } = left
    if (left.parentExecution !== undefined || isMine(workflowId)) continue
    if (REPORT.test(workflowId)) {
      await client.workflow.getHandle(workflowId).terminate('another command was given')
      say(`${workflowId} was interrupted before its pack was published; it is given up`)
    } else {
      say(`${workflowId} was interrupted; it goes on beside this command`)
    }
  }
}
