/** Everything a command needs to run workflows, brought up before its work and taken down after it. */
import type { Client } from '@temporalio/client'
import { Failure } from '../domain/failure.ts'
import type { Settings } from '../domain/settings.ts'
import { aborted } from './aborted.ts'
import type { Service } from './connect.ts'
import type { Owner } from './dev-server.ts'
import { IDENTITY, TASK_QUEUE } from './task-queue.ts'
import type { OpenClient } from './with-client.ts'
import type { RunningWorker } from './worker.ts'

/** Temporal's libraries take a second to load: they are, once the work begins. */
const temporal = async () => ({
  ...(await import('./connect.ts')),
  ...(await import('./dev-server.ts')),
  ...(await import('./with-client.ts')),
})

export interface Engine {
  client: Client
  /** Rejects when the worker of this process fails, or the person gives up. */
  ended: Promise<never>
  address: string
}

export interface EngineOptions {
  /** What the process is: a worker stays and hosts the embedded server for others. */
  owner: Owner
  /** True: an embedded server even where a service is configured. */
  embedded?: boolean
  say: (line: string) => void
  /** Set when the person gives up: the work ends, the engine is taken down. */
  signal: AbortSignal
}

/**
 * Connects to the configured service, else to an embedded server; runs `work`, served for all of the accounts, which
 * share a lake; stops all that it started.
 */
export async function withEngine<T>(
  accounts: readonly [Settings, ...Settings[]],
  options: EngineOptions,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const { configuredService, embeddedService, startDevServer, withClient } = await temporal()
  const configured = options.embedded === true ? undefined : configuredService()
  const server =
    configured === undefined ? await startDevServer(accounts[0].lake.folder, options) : undefined
  try {
    const service = configured ?? embeddedService(server?.address ?? '')
    return await withClient(service, async (open) => {
      const served =
        server?.hosted ?? (options.owner === 'command' && (await isServed(open.client)))
      const worker = served ? undefined : await workerFor(accounts, service, options)
      return working({ open, worker, service }, options.signal, work)
    })
  } finally {
    await server?.stop()
  }
}

/** Connects to a service that lives on after the command. Throws worker_missing where there is none. */
export async function withLastingService<T>(
  settings: Settings,
  signal: AbortSignal,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { configuredService, embeddedService, hostedServer, withClient } = await temporal()
  const hosted = await hostedServer(settings.lake.folder)
  const service =
    configuredService() ?? (hosted === undefined ? undefined : embeddedService(hosted))
  if (service === undefined) {
    throw new Failure(
      'worker_missing',
      'a schedule needs a Temporal server that stays, and none runs',
    )
  }
  return withClient(service, ({ client, until }) => until(aborted(signal), () => work(client)))
}

async function workerFor(
  accounts: readonly Settings[],
  service: Service,
  options: EngineOptions,
): Promise<RunningWorker> {
  const { startWorker } = await import('./worker.ts')
  return startWorker(accounts, service, options)
}

async function working<T>(
  parts: { open: OpenClient; worker: RunningWorker | undefined; service: Service },
  signal: AbortSignal,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const { open, worker, service } = parts
  try {
    const failed = new Promise<never>((_resolve, reject) => {
      worker?.done.catch(reject)
    })
    const ended = Promise.race([failed, aborted(signal)])
    ended.catch(() => {})
    const address = service.connection.address ?? ''
    return await open.until(ended, () => work({ client: open.client, ended, address }))
  } finally {
    await worker?.stop()
  }
}

/** True if a worker that stays asks for this queue's work. One that a command brought leaves with the command. */
async function isServed(client: Client): Promise<boolean> {
  const answer = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: TASK_QUEUE },
  })
  // A worker asks at least once a minute; the server remembers one that is gone for longer.
  const since_ms = Date.now() - 70_000
  return (answer.pollers ?? []).some(
    ({ identity, lastAccessTime }) =>
      identity?.startsWith(IDENTITY.worker) === true &&
      Number(lastAccessTime?.seconds ?? 0) * 1000 > since_ms,
  )
}
