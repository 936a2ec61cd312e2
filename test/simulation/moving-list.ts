/** A list that changes while it is read, and everything that was ever in it. */
import { JsonNumber } from '../../api/json/json.ts'
import type { List } from '../../domain/run.ts'
import type { Random } from '../../simulator/world/random.ts'

export const MODELS = [
  'created-asc',
  'created-desc',
  'id-asc',
  'modified-desc',
  'modified-asc',
  'tied-asc',
  'shuffled',
] as const
export type Model = (typeof MODELS)[number]

export interface Item {
  id: number
  created: number
  modified: number
  /** Rises with every change; it is in the amount, so that no two versions of a record look alike. */
  version: number
  /** Place among equals or in a list without order. */
  place: number
  /** Not shown before this change of the list. */
  visibleFrom: number
  isUnreadable: boolean
}

/** Changes of the list are its clock: 1, 2, 3 … */
interface Life {
  from: number
  until: number
  /** The time as a row of the lake has it. */
  created: string
  versions: { version: number; from: number }[]
}

export interface ListOptions {
  model: Model
  size: number
  random: Random
  unreadableShare: number
}

export class MovingList {
  readonly list: List
  readonly model: Model
  /** Every record that was ever shown. */
  readonly lives = new Map<number, Life>()
  change = 0
  readonly #random: Random
  readonly #unreadableShare: number
  #items: Item[] = []
  #shown: Item[] | undefined
  #nextId = 1
  #time = 0

  constructor({ model, size, random, unreadableShare }: ListOptions) {
    this.model = model
    this.list = model.startsWith('modified') ? 'transactions' : 'settlements'
    this.#random = random
    this.#unreadableShare = unreadableShare
    for (let i = 0; i < size; i += 1) this.#insert(0)
  }

  /** Created of a record somewhere in the list, as a row of the lake has it. */
  someInstant(random: Random): string {
    return this.#items.length === 0 ? column(0) : column(random.pick(this.#items).created)
  }

  get size(): number {
    return this.#items.length
  }

  /** Makes one change of a random kind, and answers with the name of the kind. */
  move(): string {
    this.change += 1
    this.#shown = undefined
    const kind = this.#random.unit()
    if (kind < 0.3 || this.#items.length === 0) {
      const isLate = this.#random.unit() < 0.3
      this.#insert(isLate ? 1 + this.#random.below(4) : 0)
      return isLate ? 'late' : 'insert'
    }
    const item = this.#random.pick(this.#items)
    if (kind < 0.6) {
      this.#items.splice(this.#items.indexOf(item), 1)
      const life = this.lives.get(item.id)
      if (life !== undefined) life.until = this.change
      return 'delete'
    }
    item.version += 1
    item.modified = this.#tick()
    this.lives.get(item.id)?.versions.push({ version: item.version, from: this.change })
    // A list without an order may show a record anywhere after a change.
    if (kind < 0.85 || this.model !== 'shuffled') return 'update'
    item.place = this.#random.unit()
    return 'reorder'
  }

  /** The list as it is shown now. */
  shown(): readonly Item[] {
    this.#shown ??= this.#sorted()
    return this.#shown
  }

  /** The record as the service sends it. */
  raw(item: Item): Record<string, unknown> {
    const common = {
      terminalId: new JsonNumber('7'),
      created: instant(item.created),
    }
    const cents = item.isUnreadable ? 'x' : `${item.version}.00`
    if (this.list === 'settlements') {
      return {
        settlementId: new JsonNumber(String(item.id)),
        ...common,
        amountNet: item.isUnreadable ? 'x' : new JsonNumber(cents),
        status: 'PENDING',
      }
    }
    return {
      transactionId: new JsonNumber(String(item.id)),
      ...common,
      action: 'CHARGE',
      status: 'CAPTURE',
      lastModified: instant(item.modified),
      amountTotal: cents,
    }
  }

  #insert(delay: number): void {
    const id = this.#nextId
    this.#nextId += 1
    // Late records carry the time at which they were made, which others were shown after.
    const created = this.model === 'tied-asc' ? Math.floor(this.#tick() / 24) : this.#tick()
    const visibleFrom = this.change + delay
    const item: Item = {
      id,
      created,
      modified: created,
      version: 1,
      place: this.#random.unit(),
      visibleFrom,
      isUnreadable: this.#random.unit() < this.#unreadableShare,
    }
    this.#items.push(item)
    this.lives.set(id, {
      from: visibleFrom,
      until: Infinity,
      created: column(created),
      versions: [{ version: 1, from: this.change }],
    })
  }

  #tick(): number {
    this.#time += 4
    return this.#time
  }

  #sorted(): Item[] {
    const items = this.#items.filter(({ visibleFrom }) => visibleFrom <= this.change)
    const by = (key: (item: Item) => number, sign = 1) =>
      items.sort((a, b) => sign * (key(a) - key(b)) || a.id - b.id)
    switch (this.model) {
      case 'created-asc':
        return by(({ created }) => created)
      case 'created-desc':
        return by(({ created }) => created, -1)
      case 'id-asc':
        return by(({ id }) => id)
      case 'modified-desc':
        return by(({ modified }) => modified, -1)
      case 'modified-asc':
        return by(({ modified }) => modified)
      case 'tied-asc':
        // Equal ones stand in an order that every change of the list throws anew.
        return items.sort(
          (a, b) =>
            a.created - b.created || scatter(a.id, this.change) - scatter(b.id, this.change),
        )
      case 'shuffled':
        return by(({ place }) => place)
    }
  }
}

function scatter(id: number, change: number): number {
  let hash = Math.imul(id ^ Math.imul(change + 1, 0x9e3779b1), 0x7feb352d)
  hash ^= hash >>> 15
  return Math.imul(hash, 0x846ca68b) >>> 0
}

const START_MS = Date.UTC(2026, 0, 1)
const instants = new Map<number, string>()

/** Seeds use the same few instants again and again. */
function instant(at: number): string {
  const known = instants.get(at) ?? new Date(START_MS + at * 1000).toISOString()
  instants.set(at, known)
  return known
}

/** An instant as a row of the lake has it. */
const column = (at: number) => `${instant(at).slice(0, 19).replace('T', ' ')}.000000`
