/** Limits the requests of one set of credentials. Every request waits here for its turn and reports its outcome. */
import { Failure } from '../../domain/failure.ts'
import type { Lease, LeaseRequest } from '../../domain/rate.ts'
import type { Pace } from '../../domain/run.ts'
import type { Announced } from './announced-rate.ts'
import { processClock, type Clock } from './clock.ts'
import { LearnedRate, RATE_OPTIONS, type RateOptions } from './learned-rate.ts'
import { instantAfter } from './wait-text.ts'

/** The outcome of a request, as far as the rate is concerned. */
export type Fate =
  | 'passed'
  /** The service answered that there were too many requests. */
  | 'refused'
  /** No answer came, or the service had an error. */
  | 'broken'

/** The permission to send one request. */
export interface Turn {
  sentAt_ms: number
}

interface Waiting {
  place: number
  /** A longer wait fails at once. */
  longest_ms: number
  grant: (turn: Turn) => void
  refuse: (failure: Failure) => void
}

/**
 * Requests that may be sent at once after a pause of our own. After a pause that the service asked for, they are sent
 * at regular intervals.
 */
const BURST = 4
/** Pause of all requests after a refusal that names no wait. */
const PAUSE_MS = 300
/** Share of the last rate that a worker uses while it can't renew its lease. */
const FLOOR_SHARE = 0.1
/** The lowest rate, in requests per second, while little of a long window is left. */
const LEAST_SPARING = 0.2
/** A shorter wait is not reported. */
const WORTH_A_WORD_MS = 1000
/** A wait is reported for this long after its end. */
const NEWS_MS = 10_000

export class Rate {
  readonly #clock: Clock
  readonly #learned: LearnedRate
  #waiting: Waiting[] = []
  #places = 0
  #isPumping = false
  #wake = new AbortController()
  #next_ms = -Infinity
  #blockedUntil_ms = -Infinity
  #lease: { share: number; until_ms: number } | undefined
  #mostPerSecond = Infinity
  /** The last request had no answer, or an error of the service. */
  #isBroken = false
  #sparing: number | undefined
  #lastWait: { text: string; until_ms: number } | undefined
  readonly #listeners = new Set<() => void>()

  constructor(options: Partial<RateOptions> = {}, clock: Clock = processClock) {
    this.#clock = clock
    this.#learned = new LearnedRate({ ...RATE_OPTIONS, ...options })
  }

  get isLearned(): boolean {
    return this.#learned.isLearned
  }

  /** Requests per second that this process may send now. */
  get perSecond(): number {
    const sparing = Math.max(LEAST_SPARING, this.#sparing ?? Infinity)
    return Math.min(this.#learned.perSecond, sparing) * this.#share()
  }

  /**
   * The newest wait that the service asked for, with its end and its reason. Undefined if there was none recently.
   */
  get lastWait(): string | undefined {
    const { text, until_ms } = this.#lastWait ?? { text: undefined, until_ms: -Infinity }
    return this.#clock.now_ms() < until_ms + NEWS_MS ? text : undefined
  }

  /**
   * Takes a number in the queue. A retry uses the same number, and so goes before requests that came later. A request
   * with `goesFirst` has the first place. The returned function resolves when the turn comes. Throws the signal's reason,
   * or source_throttled if the service asks for a wait above `longest_ms`.
   */
  queue(longest_ms = Infinity, goesFirst = false): (signal?: AbortSignal) => Promise<Turn> {
    this.#places += 1
    const about = { place: goesFirst ? 0 : this.#places, longest_ms }
    return (signal) => this.#turn(about, signal)
  }

  /** Learns from the outcome of a request. */
  heard({ sentAt_ms }: Turn, fate: Fate, announced: Announced = {}): void {
    const now_ms = this.#clock.now_ms()
    this.#announced(announced, fate, now_ms)
    // An outage tells nothing about the rate. While it lasts, no higher rate is tried.
    this.#isBroken = fate === 'broken'
    if (fate === 'passed') {
      this.#learned.passed(now_ms, this.#share())
    } else if (fate === 'refused') {
      this.#block(now_ms + (announced.wait_ms ?? PAUSE_MS))
      if (this.#learned.refused(sentAt_ms, now_ms, this.#share())) this.#tell()
    }
  }

  /** Describes this worker's need to the shared lease of the credentials. */
  request(holder: string, { weight, mostPerSecond }: Pace = { weight: 1 }): LeaseRequest {
    const blocked_ms = Math.max(0, this.#blockedUntil_ms - this.#clock.now_ms())
    const most = mostPerSecond === undefined ? {} : { mostPerSecond }
    this.#mostPerSecond = mostPerSecond ?? Infinity
    return { holder, weight, view: this.#learned.view(), blocked_ms, ...most }
  }

  /** Takes a lease: this worker's share of the rate, for a while. Without a lease this process may use the whole rate. */
  take({ share, lasts_ms, blocked_ms, view }: Lease): void {
    const now_ms = this.#clock.now_ms()
    if (share === 0 && this.#lease?.share !== 0) this.#waitForShare(lasts_ms)
    this.#lease = { share, until_ms: now_ms + lasts_ms }
    if (blocked_ms > 0) this.#wait(blocked_ms, 'the service asked another worker for it')
    this.#learned.adopt(view, now_ms)
    this.#wake.abort()
  }

  #waitForShare(lasts_ms: number): void {
    const text = `waiting for a part of the request rate, at most ${Math.ceil(lasts_ms / 1000)} s: another process has all of it, or had it when it ended`
    this.#lastWait = { text, until_ms: this.#clock.now_ms() + lasts_ms }
  }

  /** Uses only the floor rate until the first lease comes. */
  expectLease(): void {
    this.#lease ??= { share: FLOOR_SHARE, until_ms: -Infinity }
  }

  /** Gives the lease back. A later request of this process uses the whole rate again. */
  leave(): void {
    this.#lease = undefined
    this.#wake.abort()
  }

  /** Calls the listener at every revision of the rate. Returns a function that removes the listener. */
  onNews(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }

  #share(): number {
    if (this.#lease === undefined) return 1
    return this.#clock.now_ms() < this.#lease.until_ms ? this.#lease.share : FLOOR_SHARE
  }

  #block(until_ms: number): void {
    this.#blockedUntil_ms = Math.max(this.#blockedUntil_ms, until_ms)
  }

  #announced({ wait_ms, perSecond, sparing }: Announced, fate: Fate, now_ms: number): void {
    if (wait_ms !== undefined) {
      const isLeft = fate === 'passed' ? 'nothing is left of its limit of requests' : undefined
      this.#wait(wait_ms, `the service says: ${isLeft ?? 'too many requests, or busy'}`)
    }
    if (perSecond !== undefined) this.#learned.announced(perSecond, now_ms)
    if (sparing !== undefined && this.#sparing === undefined) {
      const each_s = Math.round(1 / Math.max(LEAST_SPARING, sparing))
      const text = `${instantAfter(0)}: little is left of the service's limit of requests; one is sent every ${each_s} s`
      this.#lastWait = { text, until_ms: now_ms }
    }
    this.#sparing = sparing
  }

  /** Blocks all requests for a time. The wait is reported if it ends clearly later than the one before it. */
  #wait(wait_ms: number, why: string): void {
    const until_ms = this.#clock.now_ms() + wait_ms
    const isLonger = until_ms > this.#blockedUntil_ms + WORTH_A_WORD_MS
    if (isLonger && wait_ms >= WORTH_A_WORD_MS) {
      const text = `waiting ${Math.ceil(wait_ms / 1000)} s, until ${instantAfter(wait_ms)}: ${why}`
      this.#lastWait = { text, until_ms }
    }
    this.#block(until_ms)
  }

  #turn(
    about: Pick<Waiting, 'place' | 'longest_ms'>,
    signal: AbortSignal | undefined,
  ): Promise<Turn> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason)
        return
      }
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting)
        reject(signal?.reason)
      }
      const settled = () => signal?.removeEventListener('abort', leave)
      const waiting: Waiting = {
        ...about,
        grant: (turn) => {
          settled()
          resolve(turn)
        },
        refuse: (failure) => {
          settled()
          reject(failure)
        },
      }
      signal?.addEventListener('abort', leave, { once: true })
      const later = this.#waiting.findIndex((other) => other.place > about.place)
      this.#waiting.splice(later < 0 ? this.#waiting.length : later, 0, waiting)
      void this.#pump()
    })
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return
    this.#isPumping = true
    for (;;) {
      this.#refuseLong()
      if (this.#waiting.length === 0) break
      const wait_ms = this.#untilNext()
      if (wait_ms > 0) await this.#rest(wait_ms)
      else this.#waiting.shift()?.grant(this.#start(this.#clock.now_ms()))
    }
    this.#isPumping = false
  }

  /** Fails the requests at once whose wait would exceed their limit. */
  #refuseLong(): void {
    const wait_ms = this.#blockedUntil_ms - this.#clock.now_ms()
    const isLong = ({ longest_ms }: Waiting) => wait_ms > Math.max(longest_ms, PAUSE_MS)
    const refused = this.#waiting.filter(isLong)
    if (refused.length === 0) return
    this.#waiting = this.#waiting.filter((one) => !isLong(one))
    for (const { refuse, longest_ms } of refused) refuse(tooLong(wait_ms, longest_ms))
  }

  /** Waits, at most a second. A new lease ends the wait early, because it may allow more requests. */
  async #rest(wait_ms: number): Promise<void> {
    if (this.#wake.signal.aborted) this.#wake = new AbortController()
    try {
      await this.#clock.sleep(Math.min(wait_ms, 1000), this.#wake.signal)
    } catch {
      // A lease ended the wait; the loop computes it anew.
    }
  }

  #untilNext(): number {
    const now_ms = this.#clock.now_ms()
    if (this.#blockedUntil_ms > now_ms) return this.#blockedUntil_ms - now_ms
    if (this.perSecond <= 0) return 1000
    return this.#next_ms - now_ms
  }

  #start(now_ms: number): Turn {
    const interval_ms = 1000 / this.perSecond
    // After a pause that the service asked for, requests are sent at regular intervals. After a delay of our own
    // process up to BURST requests may be sent at once.
    const earliest_ms = Math.max(now_ms - BURST * interval_ms, this.#blockedUntil_ms)
    // A worker that stays below the rate on purpose learns nothing about a higher limit.
    const isEager = this.#waiting.length > 1 && this.perSecond < this.#mostPerSecond
    const wantsMore = isEager && !this.#isBroken
    if (wantsMore) this.#learned.grow(now_ms)
    this.#next_ms = Math.max(this.#next_ms, earliest_ms) + interval_ms
    return { sentAt_ms: now_ms }
  }
}

/** Makes the failure for a wait that is longer than the time for retries. */
const tooLong = (wait_ms: number, longest_ms: number): Failure =>
  new Failure(
    'source_throttled',
    `the service allows no request before ${instantAfter(wait_ms)}, and source.retry_budget_ms allows a wait of ${longest_ms / 1000} s at most`,
    {
      retry_after_ms: wait_ms,
      retry: false,
      remedy: `run the same command again after ${instantAfter(wait_ms)}`,
    },
  )
