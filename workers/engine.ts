/** The engine of a command that runs workflows: starts before its work and stops after it. */
import type { Client } from '@temporalio/client'
import { Failure } from '../domain/failure.ts'
import type { Settings } from '../domain/settings.ts'
import { refuseSetAside } from '../lake/connection/set-aside.ts'
import { ensurePayloadKey } from './config/settings.ts'
import { aborted } from './temporal/aborted.ts'
import type { Service } from './temporal/connect.ts'
import type { DevServer } from './temporal/dev-server.ts'
import type { IsMine } from './temporal/left-open.ts'
import type { Owner } from './temporal/server-lock.ts'
import { IDENTITY, TASK_QUEUE } from './temporal/task-queue.ts'
import type { OpenClient } from './temporal/with-client.ts'
import type { RunningWorker } from './worker.ts'

/** Temporal's libraries take a second to load, so they are loaded late: those of the client beside the server's start. */
const connecting = () => import('./temporal/connect.ts')
const starting = () => import('./temporal/dev-server.ts')
const clients = () => import('./temporal/with-client.ts')

export interface Engine {
  client: Client
  /** Rejects when the worker or the server of this process fails, or on an interruption. */
  ended: Promise<never>
  address: string
  /** True if the service and a worker keep running after this command. */
  isLasting: boolean
}

export interface EngineOptions {
  /** The kind of process: a worker keeps running and hosts the embedded server for others. */
  owner: Owner
  /** True: use an embedded server even if a service is configured. */
  embedded?: boolean
  /** Says which work of an interrupted command this command continues. Absent: none. */
  isMine?: IsMine
  say: (line: string) => void
  /** Set on an interruption: no new work starts, the work ends, and the engine stops. */
  signal: AbortSignal
}

/**
 * Connects to the configured service or to an embedded server, and runs `work`. The engine starts a worker for all
 * accounts of a lake if none serves them, and stops everything that it started. Throws lake_unreachable for a lake that a
 * restore has moved aside.
 */
export async function withEngine<T>(
  accounts: readonly [Settings, ...Settings[]],
  options: EngineOptions,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const { signal } = options
  signal.throwIfAborted()
  refuseSetAside(accounts[0].lake)
  const { configuredAddress, embeddedAddress, serviceOf } = await connecting()
  const { startDevServer } = await starting()
  const configured = options.embedded === true ? undefined : configuredAddress()
  const server =
    configured === undefined ? await startDevServer(accounts[0].lake.folder, options) : undefined
  try {
    const address = configured ?? embeddedAddress(server?.address ?? '')
    const service = serviceOf(address, accounts[0].lake, ensurePayloadKey(accounts[0]))
    const use = async (open: OpenClient) => {
      const isServedNow = async () => options.owner === 'command' && (await isServed(open.client))
      const served = server?.hosted ?? (await Promise.race([isServedNow(), aborted(signal)]))
      if (server !== undefined && !served && options.owner === 'command') {
        const { isMine = () => false, say } = options
        const { settleLeftOpen } = await import('./temporal/left-open.ts')
        await Promise.race([settleLeftOpen(open.client, { isMine, say }), aborted(signal)])
      }
      const worker = served ? undefined : await workerFor(accounts, service, options)
      return working({ open, worker, service, server }, signal, work)
    }
    const { withClient } = await clients()
    return await withClient(service, use, signal)
  } finally {
    await server?.stop()
  }
}

/**
 * Connects to a service that keeps running after the command. Throws worker_missing if there is
 * none.
 */
export async function withLastingService<T>(
  settings: Settings,
  signal: AbortSignal,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const service = await lastingService(settings)
  if (service === undefined) {
    throw new Failure(
      'worker_missing',
      'schedules and the control of backfills need a Temporal server that keeps running, and none is running',
    )
  }
  const { withClient } = await clients()
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

/**
 * The configured service, or the server of this lake's worker; undefined if there is neither. With `ofAny`, also the
 * server of a command, which ends with it.
 */
export async function lastingService(
  settings: Settings,
  ofAny = false,
): Promise<Service | undefined> {
  // Without the libraries, because most commands find no server.
  const { configuredAddress, embeddedAddress, serviceOf } = await connecting()
  const { hostedServer } = await import('./temporal/server-lock.ts')
  const hosted = async () => {
    const address = await hostedServer(settings.lake.folder, ofAny)
    return address === undefined ? undefined : embeddedAddress(address)
  }
  const address = configuredAddress() ?? (await hosted())
  return address === undefined
    ? undefined
    : serviceOf(address, settings.lake, ensurePayloadKey(settings))
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

/**
 * Returns true if a long-running worker polls this queue. The worker of a command leaves with it.
 */
export const isServed = (client: Client): Promise<boolean> => isPolled(client, [IDENTITY.worker])

/** Returns true if a worker whose name begins so polls this queue, or did within the last minute. */
export async function isPolled(client: Client, prefixes: readonly string[]): Promise<boolean> {
  const answer = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: TASK_QUEUE },
  })
  // A worker polls at least once a minute; the server remembers a gone one for longer.
  const since_ms = Date.now() - 70_000
  return (answer.pollers ?? []).some(
    ({ identity, lastAccessTime }) =>
      prefixes.some((prefix) => identity?.startsWith(prefix) === true) &&
      Number(lastAccessTime?.seconds ?? 0) * 1000 > since_ms,
  )
}
