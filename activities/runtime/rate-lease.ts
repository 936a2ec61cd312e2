/** The lease of a worker on its share of a credential's rate, while it sends requests. */
import { Context } from '@temporalio/activity'
import { WithStartWorkflowOperation } from '@temporalio/client'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Rate } from '../../api/rate/rate.ts'
import { type Lease, type LeaseRequest, limiterId } from '../../domain/rate.ts'
import type { Pace } from '../../domain/run.ts'

/** The connection to the workflow that shares the rate. */
export interface Limiter {
  renew(request: LeaseRequest): Promise<Lease>
  release(holder: string): Promise<void>
}

const RENEW_MS = { waiting: 300, shared: 1_000, alone: 3_000 }
/** The delay that groups several refusals into one report. */
const NEWS_MS = 100

export class RateLease {
  readonly #rate: Rate
  readonly #pace: Pace
  #works = 0
  #stop: (() => Promise<void>) | undefined

  constructor(rate: Rate, pace: Pace) {
    this.#rate = rate
    this.#pace = pace
  }

  /** Runs `work` while the lease is renewed. An unreachable limiter only costs speed. */
  async during<T>(limiter: Limiter, work: () => Promise<T>): Promise<T> {
    this.#works += 1
    this.#stop ??= this.#keep(limiter)
    try {
      return await work()
    } finally {
      this.#works -= 1
      if (this.#works === 0) {
        const stop = this.#stop
        this.#stop = undefined
        await stop()
      }
    }
  }

  #keep(limiter: Limiter): () => Promise<void> {
    const rate = this.#rate
    // A late release of the lease before must not end this one.
    const holder = randomUUID()
    let isOpen = true
    let timer: NodeJS.Timeout | undefined
    let renewal: Promise<void> | undefined
    const ask = async () => {
      let next_ms = RENEW_MS.shared
      try {
        const lease = await limiter.renew(rate.request(holder, this.#pace))
        if (!isOpen) return
        rate.take(lease)
        if (lease.share === 0) next_ms = RENEW_MS.waiting
        if (lease.share === 1) next_ms = RENEW_MS.alone
      } catch {
        // The share expires by itself, so no worker sends more than was allowed.
      }
      askIn(next_ms)
    }
    const askIn = (wait_ms: number) => {
      clearTimeout(timer)
      if (!isOpen) return
      timer = setTimeout(() => {
        renewal = ask()
      }, wait_ms)
    }
    rate.expectLease()
    const deafen = rate.onNews(() => askIn(NEWS_MS))
    renewal = ask()
    return async () => {
      isOpen = false
      clearTimeout(timer)
      deafen()
      rate.leave()
      await Promise.race([renewal, pause()])
      await Promise.race([limiter.release(holder).catch(() => {}), pause()])
    }
  }
}

/** A limiter that does not answer must not delay the end of the work. */
const pause = () => sleep(1000, undefined, { ref: false })

/**
 * The workflow that shares the rate of a credential, called inside an activity. `name` reveals
 * nothing of the credential.
 */
export function limiterWorkflow(name: string): Limiter {
  const { client, info } = Context.current()
  const workflowId = limiterId(name)
  return {
    renew: (request) =>
      client.workflow.executeUpdateWithStart<() => Promise<void>, Lease, [LeaseRequest]>('renew', {
        args: [request],
        startWorkflowOperation: new WithStartWorkflowOperation('limiter', {
          workflowId,
          taskQueue: info.taskQueue,
          args: [],
          workflowIdConflictPolicy: 'USE_EXISTING',
          staticSummary: 'Shares the request rate of one credential',
        }),
      }),
    release: (holder) => client.workflow.getHandle(workflowId).signal('release', holder),
  }
}
