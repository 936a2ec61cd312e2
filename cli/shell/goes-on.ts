/** A workflow that an earlier command began and that has not ended, perhaps because that command was killed. */
import type { Client } from '@temporalio/client'

/** A step of a killed process counts as lost after 20 seconds, and starts again up to 30 seconds later. */
const AGAIN_S = 60

/** Says so if the workflow is open, and how long the caller may wait for its next step. Returns true if it is open. */
export async function saysIfOpen(
  client: Client,
  workflowId: string,
  say: (line: string) => void,
): Promise<boolean> {
  const found = await client.workflow
    .getHandle(workflowId)
    .describe()
    .catch(() => undefined)
  if (found?.status.name !== 'RUNNING') return false
  say(
    `an earlier command began this at ${found.startTime.toISOString()}, and it goes on; if that command was killed, the step that it cut off starts again after at most ${AGAIN_S} seconds`,
  )
  return true
}
