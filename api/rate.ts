/** One rate per credential: every request waits here for its turn, and tells what became of it. */
import type { Lease, LeaseRequest } from '../domain/rate.ts'
import type { Pace } from '../domain/run.ts'
import type { Announced } from './announced-rate.ts'
import { processClock, type Clock } from './clock.ts'
import { LearnedRate, RATE_OPTIONS, type RateOptions } from './learned-rate.ts'

/** What became of a request. */
export type Fate =
  | { kind: 'passed' }
  /** Too many requests; `wait_ms` is what the service asked for. */
  | { kind: 'refused'; wait_ms: number | undefined }
  /** No answer, or an error of the service. */
  | { kind: 'broken' }

/** The leave to send one request. */
export interface Turn {
  sentAt_ms: number
}

interface Waiting {
  place: number
  grant: (turn: Turn) => void
}

/** Requests that may go out at once after a pause of our own; the service's pauses are followed by an even pace. */
const BURST = 4
/** Without a wait of its own a refusal stops everybody for so long. */
const PAUSE_MS = 300
/** Part of the last rate that a worker keeps when it can't hear of its lease any more. */
const FLOOR_SHARE = 0.1
const OUTCOMES = 20

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
  #broken: boolean[] = []
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
    return this.#learned.perSecond * this.#share()
  }

  /**
   * A place in the queue: a request that is tried again keeps its place before those that came later. The returned
   * function waits for the turn; it throws the signal's reason when that is set.
   */
  queue(): (signal?: AbortSignal) => Promise<Turn> {
    this.#places += 1
    const place = this.#places
    return (signal) => this.#turn(place, signal)
  }

  /** Learns from what became of a request. */
  heard({ sentAt_ms }: Turn, fate: Fate, announced: Announced = {}): void {
    const now_ms = this.#clock.now_ms()
    this.#announced(announced, now_ms)
    this.#broken = [...this.#broken, fate.kind === 'broken'].slice(-OUTCOMES)
    if (fate.kind === 'passed') {
      this.#learned.passed(now_ms, this.#share())
    } else if (fate.kind === 'refused') {
      this.#block(now_ms + (fate.wait_ms ?? PAUSE_MS))
      if (this.#learned.refused(sentAt_ms, now_ms, this.#share())) this.#tell()
    } else if (this.#isOverloaded()) {
      this.#broken = []
      if (this.#learned.overloaded(sentAt_ms, now_ms)) this.#tell()
    }
  }

  /** What this worker asks of those who share the credential. */
  request(holder: string, { weight, mostPerSecond }: Pace = { weight: 1 }): LeaseRequest {
    const blocked_ms = Math.max(0, this.#blockedUntil_ms - this.#clock.now_ms())
    const most = mostPerSecond === undefined ? {} : { mostPerSecond }
    this.#mostPerSecond = mostPerSecond ?? Infinity
    return { holder, weight, view: this.#learned.view(), blocked_ms, ...most }
  }

  /** Takes a lease. Without one this process has the whole rate. */
  take({ share, lasts_ms, blocked_ms, view }: Lease): void {
    const now_ms = this.#clock.now_ms()
    this.#lease = { share, until_ms: now_ms + lasts_ms }
    if (blocked_ms > 0) this.#block(now_ms + blocked_ms)
    this.#learned.adopt(view, now_ms)
    this.#wake.abort()
  }

  /** Waits for the first lease: until then only the floor is ours. */
  expectLease(): void {
    this.#lease ??= { share: 0, until_ms: -Infinity }
  }

  /** Gives the lease back: whoever sends now shares the rate with nobody. */
  leave(): void {
    this.#lease = undefined
    this.#wake.abort()
  }

  /** Hears of every revision of the rate. Returns how to stop that. */
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

  #isOverloaded(): boolean {
    return this.#broken.length >= OUTCOMES / 2 && this.#broken.filter(Boolean).length * 2 > OUTCOMES
  }

  #announced({ remaining, reset_ms, perSecond }: Announced, now_ms: number): void {
    if (remaining === 0 && reset_ms !== undefined)
      this.#block(now_ms + Math.min(reset_ms, 3_600_000))
    const left =
      remaining === undefined || reset_ms === undefined || reset_ms === 0 || remaining === 0
        ? undefined
        : (remaining * 1000) / reset_ms
    const allowed = Math.min(
      perSecond ?? Infinity,
      perSecond === undefined ? (left ?? Infinity) : Infinity,
    )
    if (Number.isFinite(allowed) && allowed > 0) this.#learned.announced(allowed, now_ms)
  }

  #turn(place: number, signal: AbortSignal | undefined): Promise<Turn> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason)
        return
      }
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting)
        reject(signal?.reason)
      }
      const waiting: Waiting = {
        place,
        grant: (turn) => {
          signal?.removeEventListener('abort', leave)
          resolve(turn)
        },
      }
      signal?.addEventListener('abort', leave, { once: true })
      const later = this.#waiting.findIndex((other) => other.place > place)
      this.#waiting.splice(later < 0 ? this.#waiting.length : later, 0, waiting)
      void this.#pump()
    })
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return
    this.#isPumping = true
    while (this.#waiting.length > 0) {
      const wait_ms = this.#untilNext()
      if (wait_ms > 0) await this.#rest(wait_ms)
      else this.#waiting.shift()?.grant(this.#start(this.#clock.now_ms()))
    }
    this.#isPumping = false
  }

  /** A lease that comes ends the rest: it may allow more. */
  async #rest(wait_ms: number): Promise<void> {
    if (this.#wake.signal.aborted) this.#wake = new AbortController()
    try {
      await this.#clock.sleep(Math.min(wait_ms, 1000), this.#wake.signal)
    } catch {
      // Woken: the wait is computed anew.
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
    // After a wait for others the pace is even; what our own process was late with may be caught up.
    const earliest_ms = Math.max(now_ms - BURST * interval_ms, this.#blockedUntil_ms)
    // Whoever holds back of his own will learns nothing of a higher limit.
    const wantsMore = this.#waiting.length > 1 && this.perSecond < this.#mostPerSecond
    if (wantsMore) this.#learned.grow(now_ms)
    this.#next_ms = Math.max(this.#next_ms, earliest_ms) + interval_ms
    return { sentAt_ms: now_ms }
  }
}
