/** One worker: the workflows from their bundle, the activities from the settings. */
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker'
import { existsSync } from 'node:fs'
import { availableParallelism, hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { createActivities } from '../activities/index.ts'
import { heavyQueue } from '../domain/heavy-queue.ts'
import type { Settings } from '../domain/settings.ts'
import { unreachable, type Service } from './temporal/connect.ts'
import { freePort } from './temporal/dev-server.ts'
import { tracesCollector } from './telemetry/collector.ts'
import { logsIds } from './telemetry/log-ids.ts'
import { installRuntime } from './telemetry/logging.ts'
import { metricsOf } from './telemetry/metrics-server.ts'
import type { Owner } from './temporal/server-lock.ts'
import { ensureHashKey } from './config/settings.ts'
import { IDENTITY, TASK_QUEUE } from './temporal/task-queue.ts'
import { Tracer } from './telemetry/tracer.ts'
import { tracedBy, traceSinks } from './telemetry/traces.ts'

/** How much garbage may wait beside what lives: by default several times as much, which is more than a sweep needs. */
const GARBAGE_PERCENT = 50

export interface RunningWorker {
  /** Settles when the worker has stopped; rejects if it failed. */
  done: Promise<void>
  stop(): Promise<void>
}

export interface WorkerOf {
  owner: Owner
  say: (line: string) => void
  /** Once it is set the worker takes no work any more, begins none that it has, and stops. */
  signal: AbortSignal
}

/** Starts a worker for some accounts, which share a lake, on the task queue. Throws temporal_unreachable. */
export async function startWorker(
  accounts: readonly Settings[],
  service: Service,
  { owner, say, signal }: WorkerOf,
): Promise<RunningWorker> {
  setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT}`)
  // A command's worker is gone before anybody could read its metrics.
  const address = owner === 'worker' ? accounts[0]?.metrics : undefined
  const temporal = address === undefined ? undefined : `127.0.0.1:${await freePort()}`
  installRuntime(temporal)
  const { activities, told, close } = createActivities({
    accounts,
    hashKey: ensureHashKey,
    say,
    leaving: signal,
  })
  const collector = tracesCollector(process.env)
  const tracer = collector === undefined ? undefined : new Tracer(collector)
  const metrics = await metricsOf(address, { ours: told, temporal }, say)
  const connection = await NativeConnection.connect(service.connection).catch(
    async (cause: unknown) => {
      await metrics?.close()
      throw unreachable(service.connection.address, cause)
    },
  )
  const common: WorkerOptions = {
    connection,
    namespace: service.namespace,
    identity: `${IDENTITY[owner]}${process.pid}@${hostname()}`,
    taskQueue: TASK_QUEUE,
    activities: { ...activities },
    maxHeartbeatThrottleInterval: '2s',
    shutdownGraceTime: '2s',
    // A query that doesn't hear its interruption must not keep the process for ever.
    shutdownForceTime: '20s',
  }
  const workers = await createWorkers(common, tracer, heavyAtATime(accounts))
  const done = runThenClose(workers, async () => {
    await tracer?.close()
    await metrics?.close()
    await close()
    await connection.close()
  })
  // Whoever stops the worker hears of its end; until then a failure must not go unheard.
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

/** One for the workflows and the light work, one for the heavy work, which is done so much `atATime`. */
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
      ...workflowSource(tracer),
    }),
    Worker.create({
      ...common,
      taskQueue: heavyQueue(TASK_QUEUE),
      maxConcurrentActivityTaskExecutions: atATime,
      interceptors: { activity: interceptorsOf(tracer) },
    }),
  ])
}

/** One that ends ends the other. */
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

/** As many as there are cores for, each with the threads that DuckDB may take. */
const heavyAtATime = ([first]: readonly Settings[]): number =>
  Math.max(1, Math.floor(availableParallelism() / (first?.lake.threads ?? 1)))

const interceptorsOf = (tracer: Tracer | undefined) =>
  tracer === undefined ? [logsIds] : [logsIds, tracedBy(tracer)]

/** The prebuilt bundle where there is one; from the sources it is built on the way. */
function workflowSource(
  tracer: Tracer | undefined,
): Pick<WorkerOptions, 'interceptors' | 'workflowBundle' | 'workflowsPath'> {
  const activity = interceptorsOf(tracer)
  const bundle = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url))
  if (existsSync(bundle))
    return { workflowBundle: { codePath: bundle }, interceptors: { activity } }
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const pathOf = (name: string) =>
    fileURLToPath(new URL(`../workflows/${name}.${extension}`, import.meta.url))
  return {
    workflowsPath: pathOf('index'),
    interceptors: { activity, workflowModules: [pathOf('traced')] },
  }
}
