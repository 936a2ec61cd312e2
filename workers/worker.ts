/** Starts a worker process: workflows come from their bundle, activities from the settings. */
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker'
import { availableParallelism, hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { createActivities } from '../activities/index.ts'
import { anyPath, listedOut, listedPath } from '../activities/runtime/allowed-path.ts'
import { heavyQueue } from '../domain/heavy-queue.ts'
import type { Settings } from '../domain/settings.ts'
import { aborted } from './temporal/aborted.ts'
import { unreachable, type Service } from './temporal/connect.ts'
import { freePort } from './temporal/dev-server.ts'
import { tracesCollector } from './telemetry/collector.ts'
import { logsIds } from './telemetry/log-ids.ts'
import { installRuntime } from './telemetry/logging.ts'
import { metricsOf } from './telemetry/metrics-server.ts'
import type { Owner } from './temporal/server-lock.ts'
import { ensureHashKeys } from './config/settings.ts'
import { IDENTITY, TASK_QUEUE } from './temporal/task-queue.ts'
import { Tracer } from './telemetry/tracer.ts'
import { tracedBy, traceSinks } from './telemetry/traces.ts'
import { dataConverter } from './temporal/data-converter.ts'
import { activityEnvelopes, clientEnvelopes } from './temporal/envelopes.ts'

/**
 * The share of garbage that may wait beside live objects. Node's default is several times as much, more than a sweep
 * needs.
 */
const GARBAGE_PERCENT = 50

/** The workflows, as the build bundled them. */
const BUNDLE = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url))

export interface RunningWorker {
  /** Settles when the worker has stopped; rejects if it failed. */
  done: Promise<void>
  stop(): Promise<void>
}

export interface WorkerOf {
  owner: Owner
  say: (line: string) => void
  /** Once set, the worker takes and starts no more work, and stops. */
  signal: AbortSignal
}

/**
 * Starts a worker on the task queue for accounts that share a lake. Throws temporal_unreachable, and lake_outdated for a
 * lake that must be upgraded first.
 */
export async function startWorker(
  accounts: readonly Settings[],
  service: Service,
  { owner, say, signal }: WorkerOf,
): Promise<RunningWorker> {
  setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT}`)
  // The worker of a command ends before a reader could fetch its metrics.
  const address = owner === 'worker' ? accounts[0]?.metrics : undefined
  const temporal = address === undefined ? undefined : `127.0.0.1:${await freePort()}`
  installRuntime(temporal)
  const { activities, begin, metricsText, readiness, close } = createActivities({
    accounts,
    hashKeys: ensureHashKeys,
    payloadKey: service.payloadKey,
    allowPath: service.isShared ? listedPath : anyPath,
    allowOut: service.isShared ? listedOut : anyPath,
    say,
    isLasting: owner === 'worker',
    leaving: signal,
  })
  const tracer = tracerOf(process.env)
  const metrics = await metricsOf(address, { ours: metricsText, readiness, temporal }, say)
  const begun = Promise.race([begin(), aborted(signal)])
  const connection = await connectedAnd(begun, service).catch(async (error: unknown) => {
    await metrics?.close()
    await close()
    throw error
  })
  const common: WorkerOptions = {
    connection,
    namespace: service.namespace,
    dataConverter: dataConverter(service, say),
    identity: `${IDENTITY[owner]}${process.pid}@${hostname()}`,
    taskQueue: TASK_QUEUE,
    activities: { ...activities },
    maxHeartbeatThrottleInterval: '2s',
    shutdownGraceTime: '2s',
    // A query that ignores its interruption must not block the process for ever.
    shutdownForceTime: '20s',
  }
  const workers = await createWorkers(common, tracer, heavyAtATime(accounts))
  const done = runThenClose(workers, async () => {
    await tracer?.close()
    await metrics?.close()
    await close()
    await connection.close()
  })
  // The caller awaits this promise at the stop. Until then a failure must not count as unhandled.
  done.catch(() => {})
  const leave = () => shutDown(workers)
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, { once: true })
  return {
    done,
    stop: async () => {
      shutDown(workers)
      await done.catch(() => {})
    },
  }
}

/** Connects to the service while the lake opens. Throws temporal_unreachable, and what `begun` throws. */
async function connectedAnd(
  begun: Promise<void>,
  { connection: to }: Service,
): Promise<NativeConnection> {
  const connecting = NativeConnection.connect(to).catch((cause: unknown) => {
    throw unreachable(to.address, cause)
  })
  const [connected, opened] = await Promise.allSettled([connecting, begun])
  if (connected.status === 'rejected') throw connected.reason
  if (opened.status === 'fulfilled') return connected.value
  await connected.value.close()
  throw opened.reason
}

/**
 * Makes one worker for workflows and light activities, and one for heavy activities. The latter runs up to `atATime`
 * of them in parallel.
 */
function createWorkers(
  common: WorkerOptions,
  tracer: Tracer | undefined,
  atATime: number,
): Promise<Worker[]> {
  return Promise.all([
    Worker.create({
      ...common,
      sinks: traceSinks(tracer),
      maxCachedWorkflows: 200,
      maxConcurrentActivityTaskExecutions: 4,
      workflowBundle: { codePath: BUNDLE },
      interceptors: { client: clientEnvelopes, activity: interceptorsOf(tracer) },
    }),
    Worker.create({
      ...common,
      taskQueue: heavyQueue(TASK_QUEUE),
      maxConcurrentActivityTaskExecutions: atATime,
      interceptors: { client: clientEnvelopes, activity: interceptorsOf(tracer) },
    }),
  ])
}

function tracerOf(env: NodeJS.ProcessEnv): Tracer | undefined {
  const collector = tracesCollector(env)
  return collector === undefined ? undefined : new Tracer(collector)
}

/** The end of one worker ends the other. */
async function runThenClose(workers: readonly Worker[], close: () => Promise<void>): Promise<void> {
  try {
    const running = workers.map((worker) => worker.run().finally(() => shutDown(workers)))
    await Promise.allSettled(running)
    await Promise.all(running)
  } finally {
    await close()
  }
}

function shutDown(workers: readonly Worker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
}

/** Returns how many heavy activities the cores allow, each with the configured number of DuckDB threads. */
const heavyAtATime = ([first]: readonly Settings[]): number =>
  Math.max(1, Math.floor(availableParallelism() / (first?.lake.threads ?? 1)))

const interceptorsOf = (tracer: Tracer | undefined) =>
  tracer === undefined
    ? [activityEnvelopes, logsIds]
    : [activityEnvelopes, logsIds, tracedBy(tracer)]
