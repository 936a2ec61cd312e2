/** Records one history of each workflow: `RECORD_HISTORIES=1 npx vitest run test/workflows/replay.test.ts`. */
import type { Client } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Lease, LeaseRequest, RateView } from '../../domain/rate.ts'
import type { importFiles } from '../../workflows/import-files.ts'
import type { keepBooks } from '../../workflows/keep-books.ts'
import type { nightly } from '../../workflows/nightly.ts'
import { startTemporal } from '../support/temporal.ts'
import { actedActivities, REQUEST } from '../workflows/acted.ts'

const LIMITER = 'limiter/recorded'
const IMPORT = 'import/recorded'
const BOOKS = 'books/recorded'

/** What each workflow is called, and how its id ends when `nightly` started it; the limiter has an id of its own. */
export const RECORDED = {
  limiter: LIMITER,
  importFiles: IMPORT,
  keepBooks: BOOKS,
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
    const { runId } = await temporal.withWorker(activities, async (taskQueue) => {
      await useLimiter(client, taskQueue)
      await importTwoFiles(client, taskQueue)
      await closePeriod(client, taskQueue)
      return client.workflow.execute<typeof nightly>('nightly', {
        taskQueue,
        workflowId,
        args: [REQUEST],
      })
    })
    for (const [name, ending] of Object.entries(RECORDED)) {
      const id = ending.startsWith('/') ? `${workflowId}/${runId}${ending}` : ending || workflowId
      const history = historyToJSON(await client.workflow.getHandle(id).fetchHistory())
      writeFileSync(historyFile(name), `${JSON.stringify({ workflowId: id, history: JSON.parse(history) }, null, 1)}\n`)
    }
  } finally {
    await temporal.stop()
  }
}

async function importTwoFiles(client: Client, taskQueue: string): Promise<void> {
  const order = { account: 'acme', list: 'transactions', format: 'parquet' } as const
  await client.workflow.execute<typeof importFiles>('importFiles', {
    taskQueue,
    workflowId: IMPORT,
    args: [['one', 'two'].map((file) => ({ ...order, file: `exports/${file}.parquet` }))],
  })
}

async function closePeriod(client: Client, taskQueue: string): Promise<void> {
  const act = { kind: 'close', period: '2026-09', account: 'acme' } as const
  await client.workflow.execute<typeof keepBooks>('keepBooks', {
    taskQueue,
    workflowId: BOOKS,
    args: [{ ...act, actor: 'Ada', reason: 'month end' }],
  })
}

/** Two workers ask for a part of a rate, one of them gives it back, and a person sets the most that is allowed. */
async function useLimiter(client: Client, taskQueue: string): Promise<void> {
  const handle = await client.workflow.start('limiter', { taskQueue, workflowId: LIMITER })
  for (const holder of ['a', 'b', 'a', 'b']) {
    const view: RateView = { version: 1, perSecond: 40, known: 40 }
    const request: LeaseRequest = { holder, weight: 1, view, blocked_ms: 0 }
    await handle.executeUpdate<Lease, [LeaseRequest]>('renew', { args: [request] })
  }
  await handle.signal('release', 'a')
  await handle.executeUpdate('setMost', { args: [5] })
}
