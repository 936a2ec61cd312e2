/** A workflow that an earlier command began and that has not ended, perhaps because that command was killed. */
import type { Client } from '@temporalio/client'
import { Failure } from '../../domain/failure.ts'
import { TASK_QUEUE } from '../../workers/temporal/task-queue.ts'
import { typed } from './typed-command.ts'

/** The sentence for a wait that only a worker can end. */
export const NO_ANSWER = typed(
  'waiting for a worker to answer; if none is running, start one with tieout worker',
)

/** A step of a killed process counts as lost after 20 seconds, and starts again up to 30 seconds later. */
const AGAIN_S = 60

/**
 * Says so if the workflow is open, and how long the caller may wait for its next step. Returns true if it is open. Throws
 * payload_refused if a stranger has taken its id.
 */
export async function saysIfOpen(
  client: Client,
  { type, workflowId }: { type: string; workflowId: string },
  say: (line: string) => void,
): Promise<boolean> {
  const found = await openWorkflow(client, type, workflowId)
  if (found === undefined) return false
  say(
    `an earlier command began this at ${found.startTime.toISOString()}, and it goes on; if that command was killed, the step that it cut off starts again after at most ${AGAIN_S} seconds`,
  )
  return true
}

/** Returns the open workflow of this id, or undefined. Throws payload_refused if no worker of tieout carries it out. */
export async function openWorkflow(client: Client, type: string, workflowId: string) {
  const handle = client.workflow.getHandle(workflowId)
  const found = await handle.describe().catch(() => undefined)
  if (found?.status.name !== 'RUNNING') return undefined
  if (found.type === type && found.taskQueue === TASK_QUEUE) return found
  throw new Failure(
    'payload_refused',
    `the workflow id ${workflowId} is taken by another program: type ${found.type}, task queue ${found.taskQueue}`,
    { remedy: 'find out who started that workflow, and end it in Temporal' },
  )
}
