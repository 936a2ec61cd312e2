/** Requests pages before their turn, so that the rate limits the speed of a sweep and not the latency. */
import { setMaxListeners } from 'node:events'

/** A page that was asked for and may still be on its way. */
interface Entry<T> {
  page: Promise<T>
  /** The page says that no other page follows. */
  isLast: boolean
}

interface Sized {
  bytes: number
  hasNext: boolean
}

export interface LookAheadOptions<T extends Sized> {
  /** Reads the page that begins at an offset. */
  read: (offset: number, signal: AbortSignal) => Promise<T>
  signal?: AbortSignal | undefined
}

/** The most pages that are read ahead of the one that is taken. */
export const MOST_PAGES = 32
/**
 * The most bytes in the bodies of all pages ahead. Together with their scanned members, memory use is three times as
 * much.
 */
const MOST_BYTES = 8 * 1024 * 1024

/**
 * Reads ahead of a sweep that takes its pages one by one. The number of pages ahead begins at one, and grows by one
 * with each page that fits.
 */
export class LookAhead<T extends Sized> {
  readonly #read: LookAheadOptions<T>['read']
  readonly #signal: AbortSignal | undefined
  readonly #entries = new Map<number, Entry<T>>()
  #given = new AbortController()
  #wanted: AbortSignal
  #width = 1
  #pageBytes = 0

  constructor({ read, signal }: LookAheadOptions<T>) {
    this.#read = read
    this.#signal = signal
    this.#wanted = this.#newSignal()
  }

  /**
   * Returns the page at an offset, and whether it had been asked for before this call. With a stride, the pages that
   * follow at that distance are asked for meanwhile. An error of a page is thrown when the page is taken, not before.
   */
  async take(offset: number, stride: number | undefined): Promise<{ page: T; isAhead: boolean }> {
    const isAhead = this.#entries.has(offset)
    if (!isAhead) this.drop()
    const entry = this.#entries.get(offset) ?? this.#ask(offset)
    if (stride !== undefined && stride > 0) this.#askAhead(offset, stride)
    const page = await entry.page
    this.#entries.delete(offset)
    this.#pageBytes = page.bytes
    if (isAhead || stride !== undefined) this.#width = Math.min(this.#width + 1, this.#most())
    return { page, isAhead }
  }

  /** Discards the pages ahead and aborts their requests. */
  drop(): void {
    if (this.#entries.size === 0) return
    this.#given.abort(new Error('the page is not needed any more'))
    this.#given = new AbortController()
    this.#wanted = this.#newSignal()
    this.#entries.clear()
    this.#width = Math.max(1, Math.floor(this.#width / 2))
  }

  #askAhead(offset: number, stride: number): void {
    for (let place = 1; place < this.#width; place += 1) {
      const before = this.#entries.get(offset + (place - 1) * stride)
      if (before?.isLast === true) return
      const next = offset + place * stride
      if (!this.#entries.has(next)) this.#ask(next)
    }
  }

  #ask(offset: number): Entry<T> {
    const entry: Entry<T> = { page: this.#read(offset, this.#wanted), isLast: false }
    this.#entries.set(offset, entry)
    void this.#watch(entry)
    return entry
  }

  /** Aborted when the pages ahead are dropped, or when the sweep is aborted. */
  #newSignal(): AbortSignal {
    const given = this.#given.signal
    const signal = this.#signal === undefined ? given : AbortSignal.any([given, this.#signal])
    // Every page ahead adds a listener, which Node would report as a leak.
    setMaxListeners(0, signal)
    return signal
  }

  async #watch(entry: Entry<T>): Promise<void> {
    try {
      entry.isLast = !(await entry.page).hasNext
    } catch {
      // `take` throws this error if the page is needed.
    }
  }

  #most(): number {
    const fitting = Math.floor(MOST_BYTES / Math.max(this.#pageBytes, 1))
    return Math.max(2, Math.min(MOST_PAGES, fitting))
  }
}
