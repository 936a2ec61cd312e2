/**
 * Learns the rate that a service allows, from its headers and its refusals. The class holds numbers only and no
 * timers. The rate climbs until the first refusal. Between two refusals the class measures the rate at which requests
 * pass, and then stays slightly below that. From time to time it probes a higher rate, less often after each further
 * refusal.
 */
import type { RateView } from '../../domain/rate.ts'

export interface RateOptions {
  /** Requests per second at the start. Until a limit is known the rate grows by half of this each second. */
  startPerSecond: number
  /** The upper bound, in requests per second. */
  mostPerSecond: number
}

export const RATE_OPTIONS: RateOptions = { startPerSecond: 20, mostPerSecond: 500 }

const LEAST = 0.2
/** Share of a measured rate that is used. A refusal costs more than a slightly lower rate. */
const MARGIN = 0.97
/** Share of a refused rate that remains if nothing was measured. */
const CUT = 0.7
const LONE_CUT = 0.9
/**
 * The pause after a refusal lowers the measured rate somewhat. A measure below this share of the known limit shows
 * that the limit was wrong.
 */
const WRONG = 0.85
/** The limit counts as fallen below this share of the highest limit that was ever known. */
const FALLEN = 0.5
/** A limit this many times higher than the previous one counts as another limit. */
const CLEARLY = 1.15
/** Requests that passed in this time before the end of a climb give a measure, too. */
const RECENT_MS = 5000
/** A refusal this soon after another one concerns the same limit. The time between the two gives a measure. */
const SOON_MS = 6_000
const PROBE_AFTER = { first: 80, most: 1600, least_ms: 3_000 }
/**
 * A probe raises the rate by `growth` of itself each second. At `most` times the known limit, the limit must have
 * changed.
 */
const PROBE = { growth: 0.025, most: 1.25 }
/** A limit that has just fallen may rise again soon, so that the first probes come earlier and grow faster. */
const AFTER_FALL = { probes: 2, after: 50, growth: 3 }

export class LearnedRate {
  readonly #options: RateOptions
  #version = 0
  #known: number | null = null
  #perSecond: number
  /** Requests that passed since the last refusal, and the time of that refusal. */
  #passed = 0
  #refusedAt_ms: number | null = null
  /** A refusal of a request that was sent before this time tells nothing new. */
  #revisedAt_ms = -Infinity
  #grownAt_ms = -Infinity
  #probeAfter = PROBE_AFTER.first
  #sinceRevision = 0
  #isProbing = false
  /** Requests that passed recently, estimated for all workers together. */
  #recent: { at_ms: number; passed: number }[] = []
  /** The highest limit that was ever known. */
  #highest = 0
  /** Probes that were refused since the limit fell. */
  #refusedProbes = 0
  /** The limit that was known before a climb. */
  #before = 0

  constructor(options: RateOptions) {
    this.#options = options
    this.#perSecond = options.startPerSecond
  }

  /** Requests per second, for all workers that share the credentials. */
  get perSecond(): number {
    return this.#perSecond
  }

  /** True once a limit is known, from refusals or because the service announced it. */
  get isLearned(): boolean {
    return this.#known !== null
  }

  view(): RateView {
    return { version: this.#version, perSecond: this.#perSecond, known: this.#known }
  }

  /** Adopts the rate that another worker has learned. */
  adopt({ version, perSecond, known }: RateView, now_ms: number): void {
    if (version > this.#version) {
      this.#revisedAt_ms = now_ms
      this.#sinceRevision = 0
      this.#isProbing = false
    }
    this.#version = version
    this.#known = known
    this.#perSecond = this.#within(perSecond)
  }

  /** Raises the rate after a request had to wait for its turn. Only then does the rate limit the sweep. */
  grow(now_ms: number): void {
    const seconds = Math.min(0.25, Math.max(0, (now_ms - this.#grownAt_ms) / 1000))
    this.#grownAt_ms = now_ms
    if (this.#known === null) {
      // The next limit may be only slightly above the previous one.
      const least = this.#before > 0 ? 0 : this.#options.startPerSecond / 2
      const step = Math.max(least, this.#perSecond / 5)
      this.#perSecond = this.#within(this.#perSecond + step * seconds)
      return
    }
    this.#isProbing ||= this.#isProbeDue(now_ms)
    if (!this.#isProbing) return
    this.#perSecond = this.#within(this.#perSecond * (1 + this.#growth() * seconds))
    if (this.#perSecond < this.#known * PROBE.most) return
    // The service accepts far more than the known limit, which has probably been lifted.
    this.#before = this.#known
    this.#revise(null, this.#perSecond, now_ms)
  }

  /** Counts a request that passed. `share` is this worker's part of the rate. */
  passed(now_ms: number, share: number): void {
    this.#passed += 1
    this.#sinceRevision += 1
    const last = this.#recent.at(-1)
    const weight = share > 0 ? 1 / share : 0
    if (last !== undefined && now_ms - last.at_ms < RECENT_MS / 20) last.passed += weight
    else this.#recent = [...this.#recent.slice(-20), { at_ms: now_ms, passed: weight }]
  }

  /**
   * Lowers the rate after a refusal of a request that was sent at `sentAt_ms`. Returns false if the refusal tells
   * nothing new.
   */
  refused(sentAt_ms: number, now_ms: number, share: number): boolean {
    if (sentAt_ms < this.#revisedAt_ms) return false
    const measured = this.#measured(now_ms, share)
    const sinceLast_ms = now_ms - (this.#refusedAt_ms ?? -Infinity)
    this.#refusedAt_ms = now_ms
    this.#passed = 0
    if (this.#known === null) {
      this.#first(now_ms)
    } else if (this.#isProbing) {
      this.#refusedProbes += 1
      this.#probeAfter = Math.min(PROBE_AFTER.most, this.#probeAfter * 2)
      const better = measured === undefined ? this.#known : measured * MARGIN
      // Fewer requests passed than the known limit should allow. A burst allowance had hidden the true limit.
      const isWrong = measured !== undefined && measured < WRONG * this.#known
      const known = Math.min(isWrong ? better : Math.max(this.#known, better), this.#perSecond)
      this.#revise(known, known, now_ms)
    } else {
      // The service refused a rate that was thought to be allowed: the rate was never measured, or the limit fell.
      const isSoon = sinceLast_ms < SOON_MS
      const down = (measured ?? this.#perSecond) * MARGIN
      const least = this.#perSecond * (isSoon ? 0.2 : 0.5)
      const known = Math.min(Math.max(down, least), this.#perSecond * LONE_CUT)
      if (known < this.#perSecond * CUT) {
        this.#probeAfter = PROBE_AFTER.first
        this.#refusedProbes = 0
      }
      this.#revise(known, known, now_ms)
    }
    return true
  }

  /** Adopts the rate that the service announces. */
  announced(perSecond: number, now_ms: number): void {
    const allowed = this.#within(perSecond * MARGIN)
    const isNews = this.#known === null || Math.abs(this.#known - allowed) > 0.05 * allowed
    // An announced limit need not be found by probes.
    this.#probeAfter = PROBE_AFTER.most
    if (isNews) this.#revise(allowed, allowed, now_ms)
  }

  /** Sets the first known limit, after the refusal that ends a climb. */
  #first(now_ms: number): void {
    const since_ms = now_ms - RECENT_MS
    const passed = this.#recent.reduce(
      (sum, one) => sum + (one.at_ms > since_ms ? one.passed : 0),
      0,
    )
    // The divisor is one second longer, because a burst allowance may have let one second's requests pass in
    // addition.
    const seen = (passed * 1000) / (RECENT_MS + 1000)
    const guess = this.#before > 0 ? this.#before : this.#perSecond * CUT
    const known = Math.min(Math.max(guess, seen), this.#perSecond)
    const isHigher = known > this.#before * CLEARLY
    this.#probeAfter = isHigher
      ? PROBE_AFTER.first
      : Math.min(PROBE_AFTER.most, this.#probeAfter * 2)
    this.#revise(known, known, now_ms)
  }

  /**
   * A service that counts requests lets exactly the allowed number pass between two refusals. Returns requests per
   * second.
   */
  #measured(now_ms: number, share: number): number | undefined {
    if (this.#refusedAt_ms === null) return undefined
    const span_ms = now_ms - this.#refusedAt_ms
    if (span_ms < 500 || this.#passed < 3 || share <= 0) return undefined
    return (this.#passed * 1000) / span_ms / share
  }

  #isProbeDue(now_ms: number): boolean {
    const since_ms = now_ms - this.#revisedAt_ms
    return this.#sinceRevision >= this.#untilProbe() && since_ms >= PROBE_AFTER.least_ms
  }

  /**
   * Requests that must pass before the next probe. A limit that has just fallen is probed sooner, because it may rise
   * again.
   */
  #untilProbe(): number {
    if (this.#hasJustFallen()) return AFTER_FALL.after
    return this.#isFallen() ? PROBE_AFTER.first : this.#probeAfter
  }

  #isFallen(): boolean {
    return (this.#known ?? this.#perSecond) < FALLEN * this.#highest
  }

  #hasJustFallen(): boolean {
    return this.#isFallen() && this.#refusedProbes < AFTER_FALL.probes
  }

  /** Growth of a probe per second. The growth begins slowly, and accelerates as long as no refusal comes. */
  #growth(): number {
    const above = this.#perSecond / (this.#known ?? this.#perSecond) - 1
    return (PROBE.growth + above / 6) * (this.#hasJustFallen() ? AFTER_FALL.growth : 1)
  }

  #revise(known: number | null, perSecond: number, now_ms: number): void {
    this.#highest = Math.max(this.#highest, known ?? 0)
    this.#version += 1
    this.#known = known === null ? null : this.#within(known)
    this.#perSecond = this.#within(perSecond)
    this.#revisedAt_ms = now_ms
    this.#sinceRevision = 0
    this.#isProbing = false
  }

  #within(perSecond: number): number {
    return Math.min(this.#options.mostPerSecond, Math.max(LEAST, perSecond))
  }
}
