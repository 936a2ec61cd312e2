/** A real Temporal server for a test file, and workers whose activities are functions of the test. */
import { Client, Connection } from '@temporalio/client'
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { Activities } from '../../activities/types.ts'
import { heavyQueue } from '../../domain/heavy-queue.ts'
import { startDevServer } from '../../workers/temporal/dev-server.ts'
import {
  activityEnvelopes,
  clientEnvelopes,
  takingResults,
} from '../../workers/temporal/envelopes.ts'
import { installRuntime } from '../../workers/telemetry/logging.ts'
import { traceSinks } from '../../workers/telemetry/traces.ts'
import { workflowBundle } from './built.ts'

export interface TestTemporal {
  client: Client
  address: string
  /** Runs `work` while a worker plays these activities on a queue of its own. */
  withWorker<T>(
    activities: Partial<Activities>,
    work: (taskQueue: string) => Promise<T>,
    options?: Partial<WorkerOptions>,
  ): Promise<T>
  stop(): Promise<void>
}

/** Starts the server before the file's tests and stops it after them; `temporal()` is for the tests. */
export function useTemporal(): () => TestTemporal {
  let started: TestTemporal | undefined
  beforeAll(async () => {
    started = await startTemporal()
  })
  afterAll(() => started?.stop())
  return () => {
    if (started === undefined) throw new Error('the server is started before the tests')
    return started
  }
}

/** A server with a database of its own. */
export async function startTemporal(): Promise<TestTemporal> {
  process.env['TIEOUT_LOG_LEVEL'] ??= 'silent'
  installRuntime()
  const folder = mkdtempSync(join(tmpdir(), 'tieout-temporal-'))
  const server = await startDevServer(folder, { owner: 'worker', say: () => {} })
  const { address } = server
  const connection = await Connection.connect({ address })
  const native = await NativeConnection.connect({ address })
  let queues = 0
  return {
    client: takingResults(
      new Client({ connection, identity: 'tieout-test', interceptors: clientEnvelopes }),
    ),
    address,
    async withWorker(activities, work, options = {}) {
      queues += 1
      const taskQueue = `test-${queues}`
      const interceptors = { client: clientEnvelopes, activity: [activityEnvelopes] }
      const common = { connection: native, activities, identity: 'tieout-test', interceptors }
      const worker = await Worker.create({
        ...common,
        taskQueue,
        workflowBundle: workflowBundle(),
        sinks: traceSinks(undefined),
        ...options,
      })
      // A worker that has nothing to play can't be made.
      if (Object.keys(activities).length === 0) return worker.runUntil(work(taskQueue))
      const heavy = await Worker.create({ ...common, taskQueue: heavyQueue(taskQueue) })
      return worker.runUntil(heavy.runUntil(work(taskQueue)))
    },
    async stop() {
      await native.close()
      await connection.close()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
