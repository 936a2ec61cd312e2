/** Everything a command needs to run workflows, brought up before its work and taken down after it. */
import type { Client } from '@temporalio/client'
import { Failure } from '../domain/failure.ts'
import type { Settings } from '../domain/settings.ts'
import { aborted } from './temporal/aborted.ts'
import type { Service } from './temporal/connect.ts'
import type { DevServer } from './temporal/dev-server.ts'
import type { Owner } from './temporal/server-lock.ts'
import { IDENTITY, TASK_QUEUE } from './temporal/task-queue.ts'
import type { OpenClient } from './temporal/with-client.ts'
import type { RunningWorker } from './worker.ts'

/** Temporal's libraries take a second to load: they are, once the work begins. */
const temporal = async () => ({
  ...(await import('./temporal/connect.ts')),
  ...(await import('./temporal/dev-server.ts')),
  ...(await import('./temporal/with-client.ts')),
})

export interface Engine {
  client: Client
  /** Rejects when the worker or the server of this process fails, or the person gives up. */
  ended: Promise<never>
  address: string
  /** True where the service and a worker go on without this command. */
  isLasting: boolean
}

export interface EngineOptions {
  /** What the process is: a worker stays and hosts the embedded server for others. */
  owner: Owner
  /** True: an embedded server even where a service is configured. */
  embedded?: boolean
  say: (line: string) => void
  /** Set when the person gives up: nothing new is begun, the work ends, the engine is taken down. */
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
  const { signal } = options
  signal.throwIfAborted()
  const { configuredService, embeddedService, startDevServer, withClient } = await temporal()
  const configured = options.embedded === true ? undefined : configuredService()
  const server =
    configured === undefined ? await startDevServer(accounts[0].lake.folder, options) : undefined
  try {
    const service = configured ?? embeddedService(server?.address ?? '')
    const use = async (open: OpenClient) => {
      const asked = async () => options.owner === 'command' && (await isServed(open.client))
      const served = server?.hosted ?? (await Promise.race([asked(), aborted(signal)]))
      const worker = served ? undefined : await workerFor(accounts, service, options)
      return working({ open, worker, service, server }, signal, work)
    }
    return await withClient(service, use, signal)
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
  const service = await lastingService(settings)
  if (service === undefined) {
    throw new Failure(
      'worker_missing',
      'schedules and backfills that are steered need a Temporal server that stays, and none runs',
    )
  }
  const { withClient } = await temporal()
  return withClient(
    service,
    ({ client, until }) => until(aborted(signal), () => work(client)),
    signal,
  )
}

async function workerFor(
  accounts: readonly Settings[],
  service: Service,
  options: EngineOptions,
): Promise<RunningWorker> {
  const { startWorker } = await import('./worker.ts')
  options.signal.throwIfAborted()
  return startWorker(accounts, service, options)
}

/** The configured service, else the server that a worker hosts for this lake; undefined where there is neither. */
export async function lastingService(settings: Settings): Promise<Service | undefined> {
  const { configuredService, embeddedService, hostedServer } = await temporal()
  const configured = configuredService()
  if (configured !== undefined) return configured
  const hosted = await hostedServer(settings.lake.folder)
  return hosted === undefined ? undefined : embeddedService(hosted)
}

async function working<T>(
  parts: {
    open: OpenClient
    worker: RunningWorker | undefined
    service: Service
    server: DevServer | undefined
  },
  signal: AbortSignal,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const { open, worker, service, server } = parts
  try {
    const failed = new Promise<never>((_resolve, reject) => {
      worker?.done.catch(reject)
      server?.failed.catch(reject)
    })
    const ended = Promise.race([failed, aborted(signal)])
    ended.catch(() => {})
    const address = service.connection.address ?? ''
    return await open.until(ended, () =>
      work({ client: open.client, ended, address, isLasting: worker === undefined }),
    )
  } finally {
    await worker?.stop()
  }
}

/** True if a worker that stays asks for this queue's work. One that a command brought leaves with the command. */
export async function isServed(client: Client): Promise<boolean> {
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
