/** A service that allows so many requests per second, on a virtual clock, and clients that ask it for pages. */
import { setMaxListeners } from 'node:events'
import { Rate } from '../../api/rate/rate.ts'
import type { RateOptions } from '../../api/rate/learned-rate.ts'
import { lease, newLeaseBook, type LeaseBook } from '../../domain/rate.ts'
import { randomFrom } from '../../simulator/world/random.ts'
import { VirtualClock } from './virtual-clock.ts'

export interface Drive {
  /** Requests per second that are allowed at a moment. */
  allowed: (second: number) => number
  /** Answers to get, and how many workers ask for them. */
  answers: number
  workers: number
  latency_ms?: number
  /** The wait that a refusal names; undefined names none. */
  retryAfter_ms?: number | undefined
  rate?: Partial<RateOptions>
  /** The service tells what it allows. */
  announces?: boolean
  /** A worker that begins later than the others. */
  joinsAfter_ms?: number
}

export interface Driven {
  seconds: number
  /** The time taken, as a multiple of the time that the answers need at the allowed rate. */
  ratio: number
  refused: number
  /** Share of requests that were refused after a limit was known. */
  refusedLater: number
  /** Requests that were sent in each second. */
  perSecond: number[]
}

const IN_FLIGHT = 24
const RENEW_MS = 1000

export async function drive(options: Drive): Promise<Driven> {
  const clock = new VirtualClock(randomFrom(1, 1))
  const service = new LimitedService(options, clock)
  const leases = { book: newLeaseBook() }
  const left = { answers: options.answers }
  const workers = Array.from({ length: options.workers }, (_, worker) =>
    work(options, { clock, service, leases, left, worker }),
  )
  await clock.run(Promise.all(workers))
  const seconds = clock.now_ms() / 1000
  let allowed = 0
  for (let at = 0; at < seconds; at += 0.1) allowed += options.allowed(at) / 10
  return {
    seconds,
    ratio: allowed / options.answers,
    refused: service.refused,
    refusedLater: service.refusedLater / Math.max(1, service.later),
    perSecond: Array.from(service.perSecond, (count) => count ?? 0),
  }
}

class LimitedService {
  refused = 0
  later = 0
  refusedLater = 0
  readonly perSecond: number[] = []
  #left: number
  #last_ms = 0
  readonly #options: Drive
  readonly #clock: VirtualClock

  constructor(options: Drive, clock: VirtualClock) {
    this.#options = options
    this.#clock = clock
    this.#left = options.allowed(0)
  }

  /** True if the request is let through: a bucket of one second's requests that fills evenly. */
  async ask(isLater: boolean): Promise<boolean> {
    const { latency_ms = 150, allowed } = this.#options
    const second = Math.floor(this.#clock.now_ms() / 1000)
    this.perSecond[second] = (this.perSecond[second] ?? 0) + 1
    await this.#clock.sleep(latency_ms * (0.8 + 0.5 * this.#clock.random()))
    const now_ms = this.#clock.now_ms()
    const rate = allowed(now_ms / 1000)
    this.#left = Math.min(rate, this.#left + ((now_ms - this.#last_ms) / 1000) * rate)
    this.#last_ms = now_ms
    const isLetThrough = this.#left >= 1
    if (isLetThrough) this.#left -= 1
    else this.refused += 1
    if (isLater) this.later += 1
    if (isLater && !isLetThrough) this.refusedLater += 1
    return isLetThrough
  }
}

interface Work {
  clock: VirtualClock
  service: LimitedService
  leases: { book: LeaseBook }
  left: { answers: number }
  worker: number
}

async function work(options: Drive, { clock, service, leases, left, worker }: Work): Promise<void> {
  const rate = new Rate(options.rate, clock)
  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  if (worker > 0) await clock.sleep(options.joinsAfter_ms ?? 0)
  const renew = () => {
    const [book, given] = lease(leases.book, rate.request(`worker ${worker}`), clock.now_ms())
    leases.book = book
    rate.take(given)
  }
  if (options.workers > 1) {
    rate.expectLease()
    rate.onNews(renew)
    void renewing(renew, clock, stop.signal)
  }
  const client = async () => {
    while (left.answers > 0) {
      left.answers -= 1
      const turn = rate.queue()
      for (;;) {
        const sent = await turn(stop.signal)
        const isLetThrough = await service.ask(rate.isLearned)
        const announced = options.announces === true ? { perSecond: options.allowed(0) } : {}
        const { retryAfter_ms: wait_ms } = options
        const asked = wait_ms === undefined ? announced : { ...announced, wait_ms }
        if (isLetThrough) rate.heard(sent, 'passed', announced)
        else rate.heard(sent, 'refused', asked)
        if (isLetThrough) break
      }
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, client))
  stop.abort(new Error('done'))
}

async function renewing(renew: () => void, clock: VirtualClock, signal: AbortSignal) {
  try {
    for (;;) {
      renew()
      await clock.sleep(RENEW_MS, signal)
    }
  } catch {
    // The worker is done.
  }
}
