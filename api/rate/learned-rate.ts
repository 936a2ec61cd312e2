/**
 * Learns the rate that a service allows, from what it says and from its refusals: plain numbers, no timers. It climbs
 * until the first refusal, measures what came through between two of them, stays a little below that, and tries a little
 * more from time to time, more rarely each time it is refused again.
 */
import type { RateView } from '../../domain/rate.ts'

export interface RateOptions {
  /** Requests per second to begin with; while nothing is known the rate grows by half as much each second. */
  startPerSecond: number
  /** Never more than this. */
  mostPerSecond: number
}

export const RATE_OPTIONS: RateOptions = { startPerSecond: 20, mostPerSecond: 500 }

const LEAST = 0.2
/** Of what was measured: refusals cost more than a little slowness. */
const MARGIN = 0.97
/** Without a measure, what remains of a rate that was refused. */
const CUT = 0.7
const LONE_CUT = 0.9
/** A pause after a refusal takes some of what could have come through; less than this is no such loss. */
const WRONG = 0.85
/** Part of the highest limit that was known, below which a limit has fallen. */
const FALLEN = 0.5
/** A limit that is so much higher than the one before is another one. */
const CLEARLY = 1.15
/** What came through in so long before the end of a climb is a measure, too. */
const RECENT_MS = 5000
/** A refusal so soon after the one before it belongs to the same limit, of which the time between is a measure. */
const SOON_MS = 6_000
const PROBE_AFTER = { first: 80, most: 1600, least_ms: 3_000 }
/** Share of the known rate by which a probe grows each second, and how far it goes before the limit must have moved. */
const PROBE = { growth: 0.025, most: 1.25 }
/** A limit that has just fallen may rise again soon: the first probes come earlier and grow faster. */
const AFTER_FALL = { probes: 2, after: 50, growth: 3 }

export class LearnedRate {
  readonly #options: RateOptions
  #version = 0
  #known: number | null = null
  #perSecond: number
  /** Requests that came through since the last refusal, and when that was. */
  #passed = 0
  #refusedAt_ms: number | null = null
  /** Refusals of what was sent earlier are of the same event. */
  #revisedAt_ms = -Infinity
  #grownAt_ms = -Infinity
  #probeAfter = PROBE_AFTER.first
  #sinceRevision = 0
  #isProbing = false
  /** What came through lately for all workers together, as far as this one can tell. */
  #recent: { at_ms: number; passed: number }[] = []
  /** The highest limit that was ever known. */
  #highest = 0
  /** Probes that were refused since the limit fell. */
  #refusedProbes = 0
  /** What was known before a climb. */
  #before = 0

  constructor(options: RateOptions) {
    this.#options = options
    this.#perSecond = options.startPerSecond
  }

  /** Requests per second, for all who share the credential. */
  get perSecond(): number {
    return this.#perSecond
  }

  /** True once a limit is known, by refusals or because the service announced it. */
  get isLearned(): boolean {
    return this.#known !== null
  }

  view(): RateView {
    return { version: this.#version, perSecond: this.#perSecond, known: this.#known }
  }

  /** Takes over what another worker has learned. */
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

  /** A request had to wait for its turn: the rate is what holds us back, and may grow. */
  grow(now_ms: number): void {
    const seconds = Math.min(0.25, Math.max(0, (now_ms - this.#grownAt_ms) / 1000))
    this.#grownAt_ms = now_ms
    if (this.#known === null) {
      // Beyond a limit that was known the next one may be near.
      const least = this.#before > 0 ? 0 : this.#options.startPerSecond / 2
      const step = Math.max(least, this.#perSecond / 5)
      this.#perSecond = this.#within(this.#perSecond + step * seconds)
      return
    }
    this.#isProbing ||= this.#isProbeDue(now_ms)
    if (!this.#isProbing) return
    this.#perSecond = this.#within(this.#perSecond * (1 + this.#growth() * seconds))
    if (this.#perSecond < this.#known * PROBE.most) return
    // The limit that was known seems to have gone.
    this.#before = this.#known
    this.#revise(null, this.#perSecond, now_ms)
  }

  /** A request came through. `share` is this worker's part of the rate. */
  passed(now_ms: number, share: number): void {
    this.#passed += 1
    this.#sinceRevision += 1
    const last = this.#recent.at(-1)
    const weight = share > 0 ? 1 / share : 0
    if (last !== undefined && now_ms - last.at_ms < RECENT_MS / 20) last.passed += weight
    else this.#recent = [...this.#recent.slice(-20), { at_ms: now_ms, passed: weight }]
  }

  /** A request that was sent at a moment was refused. False where that is no news. */
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
      // Less came through than was thought to be allowed: a full bucket had hidden that.
      const isWrong = measured !== undefined && measured < WRONG * this.#known
      const known = Math.min(isWrong ? better : Math.max(this.#known, better), this.#perSecond)
      this.#revise(known, known, now_ms)
    } else {
      // What was thought to be allowed is not: either it was never measured, or the limit fell.
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

  /** The service says what it allows. */
  announced(perSecond: number, now_ms: number): void {
    const allowed = this.#within(perSecond * MARGIN)
    const isNews = this.#known === null || Math.abs(this.#known - allowed) > 0.05 * allowed
    // What is announced need not be found out.
    this.#probeAfter = PROBE_AFTER.most
    if (isNews) this.#revise(allowed, allowed, now_ms)
  }

  /** The end of a climb. */
  #first(now_ms: number): void {
    const since_ms = now_ms - RECENT_MS
    const passed = this.#recent.reduce(
      (sum, one) => sum + (one.at_ms > since_ms ? one.passed : 0),
      0,
    )
    // As if a full bucket of one second's requests had come through besides.
    const seen = (passed * 1000) / (RECENT_MS + 1000)
    const guess = this.#before > 0 ? this.#before : this.#perSecond * CUT
    const known = Math.min(Math.max(guess, seen), this.#perSecond)
    const isHigher = known > this.#before * CLEARLY
    this.#probeAfter = isHigher
      ? PROBE_AFTER.first
      : Math.min(PROBE_AFTER.most, this.#probeAfter * 2)
    this.#revise(known, known, now_ms)
  }

  /** Between two refusals whoever counts the requests let through exactly what is allowed. */
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

  /** Requests that go through before more is tried. What was allowed before may be allowed again soon. */
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

  /** Gentle at first; what was never refused grows faster and faster. */
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
