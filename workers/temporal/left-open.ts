/** Work that interrupted or killed commands left open on the embedded server of a lake. */
import { WorkflowNotFoundError, type Client } from '@temporalio/client'

/** Ids of workflows that the starting command continues by itself. */
export type IsMine = (workflowId: string) => boolean

/** The work of commands that wait for its end, and the last steps of a run. */
const WORK = `WorkflowType in ('backfill', 'importFiles', 'maintainLake', 'nightly', 'reconcile', 'publish')`

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
    const { workflowId, parentExecution } = left
    const isReport = REPORT.test(workflowId)
    if (isMine(parentExecution?.workflowId ?? workflowId)) continue
    // A step ends with its report: its next attempt could publish before it learns of the end.
    if (isReport) await end(client, workflowId)
    if (parentExecution !== undefined) continue
    say(
      isReport
        ? `${workflowId} was interrupted; it is given up`
        : `${workflowId} was interrupted; it goes on beside this command`,
    )
  }
}

/** Ends a workflow. The list may still show one that has ended by itself. */
async function end(client: Client, workflowId: string): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId).terminate('another command was given')
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
  }
}
