/** Records histories of workflows: `RECORD_HISTORIES=sweep,nightly npx vitest run test/system/workflows/replay.test.ts`, or 1 for all. */
import type { Client } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BackfillResult } from '../../../../domain/backfill.ts'
import { MAINTENANCE_ID } from '../../../../domain/maintenance.ts'
import type { Lease, LeaseRequest, RateView } from '../../../../domain/rate.ts'
import type { backfill } from '../../../../workflows/backfill.ts'
import type { importFiles } from '../../../../workflows/import-files.ts'
import type { keepBooks } from '../../../../workflows/keep-books.ts'
import type { maintainLake } from '../../../../workflows/maintain-lake.ts'
import type { nightly } from '../../../../workflows/nightly.ts'
import { startTemporal } from '../../../support/temporal.ts'
import { actedActivities, BACKFILL_ORDER, REQUEST } from '../acted.ts'

const LIMITER = 'limiter/recorded'
const IMPORT = 'import/recorded'
const BOOKS = 'books/recorded'
const MAINTENANCE = 'maintenance-2026-10-30T05:15:00Z'
const BACKFILL = 'backfill/recorded'

/** Ids of the runs that start others, once they have run. */
interface Runs {
  nightly: string
  backfill: string
}

const NIGHT = 'nightly/acme/2026-10-30'

/** The workflow of each history, and its id. */
export const RECORDED: Record<string, { workflow: string; id: (runs: Runs) => string }> = {
  limiter: { workflow: 'limiter', id: () => LIMITER },
  importFiles: { workflow: 'importFiles', id: () => IMPORT },
  keepBooks: { workflow: 'keepBooks', id: () => BOOKS },
  maintainLake: { workflow: 'maintainLake', id: () => MAINTENANCE },
  maintainLakeAlone: { workflow: 'maintainLake', id: () => MAINTENANCE_ID },
  nightly: { workflow: 'nightly', id: () => NIGHT },
  sweep: { workflow: 'sweep', id: ({ nightly }) => `${NIGHT}/${nightly}/sweeping` },
  reconcile: { workflow: 'reconcile', id: ({ nightly }) => `${NIGHT}/${nightly}/reconciling` },
  publish: { workflow: 'publish', id: ({ nightly }) => `${NIGHT}/${nightly}/publishing` },
  backfill: { workflow: 'backfill', id: () => BACKFILL },
  sweepPaused: { workflow: 'sweep', id: ({ backfill }) => `${BACKFILL}/${backfill}/reading` },
  backfillChunk: {
    workflow: 'backfillChunk',
    id: ({ backfill }) => `${BACKFILL}/${backfill}/2026-09-15..2026-10-01`,
  },
}

export const historyFile = (name: string) => join(import.meta.dirname, `${name}.json`)

/** Writes the histories of these names; whatever is not named stays the run of an earlier version that it is. */
export async function recordHistories(names: readonly string[]): Promise<void> {
  const temporal = await startTemporal()
  try {
    const { activities } = actedActivities({ newsAtLast: 1 })
    const { client } = temporal
    const runs = await temporal.withWorker(activities, async (taskQueue) => {
      await useLimiter(client, taskQueue)
      await importTwoFiles(client, taskQueue)
      await closePeriod(client, taskQueue)
      await maintain(client, taskQueue)
      const past = await backfillTwoMonths(client, taskQueue)
      const night = await client.workflow.execute<typeof nightly>('nightly', {
        taskQueue,
        workflowId: NIGHT,
        args: [REQUEST],
      })
      return { nightly: night.runId, backfill: past.runId }
    })
    for (const name of names) {
      const id = RECORDED[name]?.id(runs) ?? ''
      const history = historyToJSON(await client.workflow.getHandle(id).fetchHistory())
      writeFileSync(historyFile(name), `${JSON.stringify({ workflowId: id, history: JSON.parse(history) }, null, 1)}\n`)
    }
  } finally {
    await temporal.stop()
  }
}

/** A person pauses it while it is under way, slows it and lets it go on. */
async function backfillTwoMonths(client: Client, taskQueue: string): Promise<BackfillResult> {
  const handle = await client.workflow.start<typeof backfill>('backfill', {
    taskQueue,
    workflowId: BACKFILL,
    args: [BACKFILL_ORDER],
  })
  await handle.executeUpdate('pause', { args: ['Ada'] })
  await handle.executeUpdate('slow', { args: [5, 'Ada'] })
  await handle.executeUpdate('resume', { args: ['Ada'] })
  return handle.result()
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

/** The request has the form that a schedule sends. */
async function maintain(client: Client, taskQueue: string): Promise<void> {
  await client.workflow.execute<typeof maintainLake>('maintainLake', {
    taskQueue,
    workflowId: MAINTENANCE,
    args: [{}],
  })
}

/** Two workers ask for a part of a rate, one of them gives it back, and the other asks again. */
async function useLimiter(client: Client, taskQueue: string): Promise<void> {
  const handle = await client.workflow.start('limiter', { taskQueue, workflowId: LIMITER })
  const view: RateView = { version: 1, perSecond: 40, known: 40 }
  const renew = (holder: string) =>
    handle.executeUpdate<Lease, [LeaseRequest]>('renew', {
      args: [{ holder, weight: 1, view, blocked_ms: 0 }],
    })
  for (const holder of ['a', 'b', 'a', 'b']) await renew(holder)
  await handle.signal('release', 'a')
  await renew('b')
}
