/** A real Temporal server for a test file, and workers whose activities the test plays. */
import { Client, Connection } from '@temporalio/client'
import { NativeConnection, Worker } from '@temporalio/worker'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { Activities } from '../../activities/types.ts'
import { startDevServer, type DevServer } from '../../workers/dev-server.ts'
import { installRuntime } from '../../workers/logging.ts'
import { workflowBundle } from './built.ts'

export interface TestTemporal {
  client: Client
  address: string
  /** Runs `work` while a worker plays these activities on a queue of its own. */
  withWorker<T>(
    activities: Partial<Activities>,
    work: (taskQueue: string) => Promise<T>,
  ): Promise<T>
}

/** Starts the server before the file's tests and stops it after them; `temporal()` is for the tests. */
export function useTemporal(): () => TestTemporal {
  let parts: { server: DevServer; connection: Connection; native: NativeConnection } | undefined
  const folder = mkdtempSync(join(tmpdir(), 'tieout-temporal-'))
  let queues = 0

  beforeAll(async () => {
    process.env['TIEOUT_LOG_LEVEL'] ??= 'silent'
    installRuntime()
    const server = await startDevServer(folder, { owner: 'worker', say: () => {} })
    const { address } = server
    parts = {
      server,
      connection: await Connection.connect({ address }),
      native: await NativeConnection.connect({ address }),
    }
  })
  afterAll(async () => {
    await parts?.native.close()
    await parts?.connection.close()
    await parts?.server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  return () => {
    if (parts === undefined) throw new Error('the server is started before the tests')
    const { connection, native, server } = parts
    return {
      client: new Client({ connection }),
      address: server.address,
      async withWorker(activities, work) {
        queues += 1
        const taskQueue = `test-${queues}`
        const worker = await Worker.create({
          connection: native,
          taskQueue,
          activities,
          workflowBundle: workflowBundle(),
        })
        return worker.runUntil(work(taskQueue))
      },
    }
  }
}
