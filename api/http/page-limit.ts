/** Chooses how many records a request asks for: fewer if the service refuses the limit or answers too slowly. */
import type { List } from '../../domain/run.ts'

/** The service's own default is 50 records. A limit that small is never the reason for a refusal. */
const SMALLEST_LIMIT = 50
/** A request that takes too long is repeated with a quarter of its limit, down to this many records. */
const SMALLEST_SLOW = 10

/** The limits that each list has accepted so far. */
export class PageLimits {
  readonly #accepted = new Map<List, number>()
  /**
   * The time at which a smaller page first succeeded after a larger one had been too slow. A single case may be
   * chance.
   */
  readonly #suspectedAt_ms = new Map<List, number>()

  /** Returns the limit that was accepted after larger ones had failed, or undefined if none has failed. */
  accepted(list: List): number | undefined {
    return this.#accepted.get(list)
  }

  /** Begins a page of up to `asked` records. */
  begin(list: List, asked: number): PageLimit {
    return new PageLimit(this, list, Math.min(asked, this.accepted(list) ?? asked))
  }

  accept(list: List, limit: number): void {
    this.#accepted.set(list, limit)
  }

  /**
   * Records that a page of `limit` records came after `failed` larger ones that were too slow. The first of these was
   * sent at `begun_ms`.
   */
  learn(
    list: List,
    limit: number,
    { failed, begun_ms }: { failed: number; begun_ms: number },
  ): void {
    const since_ms = this.#suspectedAt_ms.get(list)
    if (failed === 0) this.#suspectedAt_ms.delete(list)
    else if (since_ms === undefined) this.#suspectedAt_ms.set(list, performance.now())
    else if (begun_ms > since_ms) this.#accepted.set(list, limit)
  }
}

/** The limits that are tried for one page. */
class PageLimit {
  limit: number
  readonly #limits: PageLimits
  readonly #list: List
  readonly #asked: number
  readonly #begun_ms = performance.now()
  #slow = 0
  #isRefused = false

  constructor(limits: PageLimits, list: List, asked: number) {
    this.#limits = limits
    this.#list = list
    this.#asked = asked
    this.limit = asked
  }

  /** Halves the limit after a refusal. Returns false if the limit can't be the reason for it. */
  refused(): boolean {
    if (this.limit <= SMALLEST_LIMIT) return false
    this.#isRefused = true
    this.limit = Math.max(SMALLEST_LIMIT, Math.floor(this.limit / 2))
    return true
  }

  /** Quarters the limit after an answer that took too long or broke off. */
  slow(): void {
    if (this.#asked <= SMALLEST_LIMIT) return
    this.#slow += 1
    this.limit = Math.max(SMALLEST_SLOW, Math.floor(this.limit / 4))
  }

  answered(): void {
    if (this.#isRefused) this.#limits.accept(this.#list, this.limit)
    else
      this.#limits.learn(this.#list, this.limit, { failed: this.#slow, begun_ms: this.#begun_ms })
  }

  /** Tells the user which setting to change if fewer records did not help. Empty if no smaller page was asked for. */
  get hint(): string {
    return this.#slow === 0
      ? ''
      : `, though fewer and fewer records were asked for, ${this.limit} at last; source.page_size sets how many`
  }
}
