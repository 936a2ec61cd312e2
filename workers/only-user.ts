/** Work that needs the lake for itself: an upgrade, the way back, a restore. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../domain/failure.ts'
import type { Settings } from '../domain/settings.ts'
import { ensurePayloadKey } from './config/settings.ts'
import { isPolled } from './engine.ts'
import { aborted } from './temporal/aborted.ts'
import { announced, type Waiting } from './temporal/announced.ts'
import { unlessServed } from './temporal/server-lock.ts'
import { IDENTITY } from './temporal/task-queue.ts'

/** Temporal goes on naming a worker for 70 seconds after its last question for work. */
const GONE_MS = 75_000
const STEP_MS = 2_000

const REMEDY = 'stop it, then run the same command again'

/**
 * Runs `work` while no worker of the configured Temporal service and no server of this folder works on the lake. Throws
 * lake_locked if one does, and temporal_unreachable if a configured service does not answer.
 */
export async function asOnlyUser<T>(
  settings: Settings,
  waiting: Required<Waiting>,
  work: () => Promise<T>,
): Promise<T> {
  await workersGone(settings, waiting)
  const { folder } = settings.lake
  const done = await unlessServed(folder, waiting, async () => ({ result: await work() }))
  if (done !== undefined) return done.result
  throw new Failure('lake_locked', `a worker or a command works on the lake in ${folder}`, {
    remedy: REMEDY,
  })
}

async function workersGone(settings: Settings, waiting: Required<Waiting>): Promise<void> {
  // Without the libraries, because most lakes have no service.
  const { configuredAddress, serviceOf } = await import('./temporal/connect.ts')
  const address = configuredAddress()
  if (address === undefined) return
  const { withClient } = await import('./temporal/with-client.ts')
  const service = serviceOf(address, settings.lake, ensurePayloadKey(settings))
  const { signal } = waiting
  await withClient(
    service,
    ({ client, until }) =>
      until(aborted(signal), () =>
        announced(
          `waiting for workers to leave Temporal, at most ${GONE_MS / 1000} seconds`,
          waiting,
          () => gone(() => isPolled(client, Object.values(IDENTITY)), signal),
        ),
      ),
    signal,
  )
}

async function gone(isThere: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  const deadline_ms = Date.now() + GONE_MS
  while (await isThere()) {
    if (Date.now() > deadline_ms) {
      throw new Failure(
        'lake_locked',
        'a worker or a command of the configured Temporal service is running',
        {
          remedy: REMEDY,
        },
      )
    }
    await sleep(STEP_MS, undefined, { signal })
  }
}
