/** How many records of a list are asked for at once: fewer where the service refuses as many, or does not manage them. */
import type { List } from '../../domain/run.ts'

/** The service pages by 50 when it is not asked; a limit that small is never the reason for a refusal. */
export const SMALLEST_LIMIT = 50
/** What takes too long is asked for in quarters, down to this. */
const SMALLEST_SLOW = 10

/** What was found out of each list. */
export class PageLimits {
  readonly #accepted = new Map<List, number>()
  /** When a smaller page was first given in the place of one that took too long; once may be chance. */
  readonly #suspectedAt_ms = new Map<List, number>()

  /** The limit that was accepted after larger ones had failed; undefined where none had. */
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

  /** A page was given after `failed` larger ones that took too long, of which the first was sent at `begun_ms`. */
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
export class PageLimit {
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

  /** The limit was refused: half of it comes next. False where it can't be the reason. */
  refused(): boolean {
    if (this.limit <= SMALLEST_LIMIT) return false
    this.#isRefused = true
    this.limit = Math.max(SMALLEST_LIMIT, Math.floor(this.limit / 2))
    return true
  }

  /** The answer took too long, or broke off: a quarter comes next. */
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

  /** What there is to change where fewer records did not help; empty where no fewer were asked for. */
  get hint(): string {
    return this.#slow === 0
      ? ''
      : `, though fewer and fewer records were asked for, ${this.limit} at last; source.page_size sets how many`
  }
}
