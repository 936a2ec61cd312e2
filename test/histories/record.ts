/** Records one history of each workflow: `RECORD_HISTORIES=1 npx vitest run test/workflows/replay.test.ts`. */
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { nightly } from '../../workflows/nightly.ts'
import { startTemporal } from '../support/temporal.ts'
import { actedActivities, REQUEST } from '../workflows/acted.ts'

/** What each workflow is called, and how its id ends when `nightly` started it. */
export const RECORDED = {
  nightly: '',
  sweep: '/sweeping',
  reconcile: '/reconciling',
  publish: '/publishing',
} as const

export const historyFile = (name: string) => join(import.meta.dirname, `${name}.json`)

export async function recordHistories(): Promise<void> {
  const temporal = await startTemporal()
  try {
    const { activities } = actedActivities({ newsAtLast: 1 })
    const workflowId = 'nightly/acme/2026-10-30'
    const { client } = temporal
    const { runId } = await temporal.withWorker(activities, (taskQueue) =>
      client.workflow.execute<typeof nightly>('nightly', {
        taskQueue,
        workflowId,
        args: [REQUEST],
      }),
    )
    for (const [name, ending] of Object.entries(RECORDED)) {
      const id = ending === '' ? workflowId : `${workflowId}/${runId}${ending}`
      const history = historyToJSON(await client.workflow.getHandle(id).fetchHistory())
      writeFileSync(historyFile(name), `${JSON.stringify({ workflowId: id, history: JSON.parse(history) }, null, 1)}\n`)
    }
  } finally {
    await temporal.stop()
  }
}
