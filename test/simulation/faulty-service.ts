/** The service of a simulation: pages of a list that changes, with every fault that can happen on the way to us. */
import { createPatience } from '../../api/http/retry-policy.ts'
import type { Page } from '../../api/http/page.ts'
import type { SweptSource } from '../../api/sweep/sweep.ts'
import type { List } from '../../domain/run.ts'
import { Secret } from '../../domain/settings.ts'
import type { Random } from '../../simulator/world/random.ts'
import type { Item, MovingList } from './moving-list.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** Faults of the service; the activity has faults of its own. */
export const SERVICE_FAULTS = [
  'answer-lost',
  'timeout',
  'server-error',
  'throttled',
  'repeated-page',
  'empty-page',
  'short-page',
  'cap-changes',
  'limit-refused',
] as const
export type ServiceFault = (typeof SERVICE_FAULTS)[number]

export interface ServiceOptions {
  list: MovingList
  clock: VirtualClock
  random: Random
  /** Chance of a change of the list with each request. */
  changesPerRequest: number
  faults: ReadonlySet<ServiceFault>
  pageSize: number
  count: (event: string) => void
}

interface Served {
  items: readonly Item[]
  hasNext: boolean
}

const FAULT_SHARE = 0.04
const HASH_KEY = new Secret('simulated')
const PATIENCE = { tries: Infinity, budget_ms: 3_600_000, timeout_ms: 60_000 }

export class FaultyService {
  /** The list stays as it is from now on. */
  isQuiet = false
  readonly #options: ServiceOptions
  #cap = Infinity
  #lastOffset = 0
  #isEmptied = false

  constructor(options: ServiceOptions) {
    this.#options = options
  }

  /** A source as an activity has it; each attempt may have its own. */
  source(): SweptSource {
    const counters = { requests: 0, throttled: 0 }
    let accepted = this.#options.pageSize
    return {
      hashKey: HASH_KEY,
      counters,
      pageSize: () => accepted,
      page: async (_list: List, { offset, limit }, signal) => {
        const patience = createPatience(PATIENCE, signal, this.#options.clock)
        for (;;) {
          counters.requests += 1
          const outcome = await this.#request(offset, Math.min(limit, accepted), signal)
          if (typeof outcome !== 'string') return outcome
          if (outcome === 'limit-refused') accepted = Math.ceil(this.#options.pageSize / 2)
          else {
            if (outcome === 'throttled') counters.throttled += 1
            await patience.endure({ code: 'source_unreachable', what: outcome })
          }
        }
      },
    }
  }

  async #request(
    offset: number,
    limit: number,
    signal?: AbortSignal,
  ): Promise<Page | ServiceFault> {
    const { clock, random, count } = this.#options
    const way_ms = 5 + random.below(200)
    await clock.sleep(way_ms / 2, signal)
    const fault = this.#fault()
    if (fault !== undefined) count(fault)
    if (fault === 'server-error' || fault === 'throttled' || fault === 'limit-refused') return fault
    this.#move()
    const page = this.#serve({ offset, limit, fault })
    await clock.sleep(fault === 'timeout' ? 60_000 : way_ms / 2, signal)
    return fault === 'timeout' || fault === 'answer-lost' ? fault : page
  }

  #fault(): ServiceFault | undefined {
    const { random, faults } = this.#options
    if (random.unit() >= FAULT_SHARE * faults.size) return undefined
    return random.pick([...faults])
  }

  #move(): void {
    const { random, changesPerRequest, list, count } = this.#options
    if (this.isQuiet || random.unit() >= changesPerRequest) return
    count(`list-${list.move()}`)
  }

  #serve(ask: { offset: number; limit: number; fault: ServiceFault | undefined }): Page {
    const { random, list } = this.#options
    const { offset, limit, fault } = ask
    if (fault === 'cap-changes')
      this.#cap = Math.ceil(this.#options.pageSize * (0.5 + random.unit()))
    const size = Math.min(limit, this.#cap)
    const all = list.shown()
    let served: Served = {
      items: all.slice(offset, offset + size),
      hasNext: offset + size < all.length,
    }
    // An earlier page is sent again. A repeated first page could not be recognised as another one.
    if (fault === 'repeated-page' && this.#lastOffset < offset) {
      const other = this.#lastOffset
      served = { items: all.slice(other, other + size), hasNext: true }
    }
    this.#lastOffset = offset
    // Three in a row are the end of a sweep's patience, and rightly so.
    this.#isEmptied = fault === 'empty-page' && served.hasNext && !this.#isEmptied
    if (this.#isEmptied) served = { items: [], hasNext: true }
    if (fault === 'short-page' && served.items.length > 2) {
      served = {
        items: served.items.slice(0, 2 + random.below(served.items.length - 2)),
        hasNext: true,
      }
    }
    return this.#page(served, offset, limit)
  }

  #page({ items, hasNext }: Served, offset: number, asked: number): Page {
    const { list } = this.#options
    return {
      offset,
      asked,
      records: items.map((item) => list.raw(item)),
      hasNext,
      bodySha256: `${items.map(({ id, version }) => `${id}.${version}`).join()}${hasNext ? '+' : ''}`,
      bytes: items.length * 100,
      servedAt: '2026-06-01T00:00:00.000Z',
    }
  }
}
